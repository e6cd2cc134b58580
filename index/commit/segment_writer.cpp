#include "index/commit/segment_writer.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/documents/documents.hpp"
#include "index/documents/stored_text.hpp"
#include "index/fields/build/field_collector.hpp"
#include "index/files/messages.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/lists/postings.hpp"
#include "index/manifest/manifest.hpp"
#include "index/positions/positions_writer.hpp"

namespace gannet::index {

namespace fs = std::filesystem;

namespace {

bool spans_differ(std::span<const std::uint32_t> spans, std::span<const std::uint32_t> lengths) {
  bool found = false;
  for_each_chunk(spans.size(), [&](std::size_t first, std::size_t size) {
    found = found || !std::ranges::equal(spans.subspan(first, size), lengths.subspan(first, size));
  });
  return found;
}

}  // namespace

struct SegmentWriter::Impl {
  explicit Impl(SegmentOptions segment_options)
      : options(std::move(segment_options)),
        lexicon(path_of(kLexiconFile), options.scratch),
        documents(path_of(kDocumentsFile), options.scratch),
        postings(path_of(kPostingsFile), options.scratch, *options.docid_codec,
                 *options.freq_codec) {
    if (options.store_text) text.emplace(path_of(kTextFile), options.scratch);
    if (options.positions) positions.emplace(path_of(kPositionsFile), options.scratch);
    spans.resize(1 + options.schema.fields().size());
    if (options.schema.empty()) return;
    fields = std::make_unique<FieldCollector>(options.schema, options.scratch, options.stop);
    fields_file.emplace(path_of(kFieldsFile), kFieldsFile);
    has_text = options.schema.has_text();
  }

  ~Impl() {
    if (kept) return;
    for (const fs::path& path : published) try_remove_tree(path);
  }

  fs::path path_of(FileKind kind) const {
    return options.directory / (options.name + "." + std::string(kind.name));
  }

  void add_file(FileKind kind, FileSummary summary) {
    record.files.push_back({std::string(kind.name), summary});
  }

  std::vector<std::uint32_t>& spans_of(std::uint32_t of_text) {
    return spans[of_text == kMainText ? 0 : 1 + of_text];
  }

  std::span<const std::uint32_t> lengths_of(std::uint32_t of_text) const {
    return of_text == kMainText ? documents.lengths() : fields->text_lengths(of_text);
  }

  /// Those of the documents so far; the lengths where none was given.
  std::span<const std::uint32_t> known_spans(std::uint32_t of_text) {
    const std::vector<std::uint32_t>& given = spans_of(of_text);
    if (given.empty()) return lengths_of(of_text);
    if (given.size() != documents.lengths().size()) {
      throw UsageError("a text has " + std::to_string(given.size()) + " spans for " +
                       std::to_string(documents.lengths().size()) + " documents");
    }
    return given;
  }

  std::vector<SpansOfText> written_spans() {
    std::vector<SpansOfText> written;
    const auto add = [&](std::uint32_t of_text) {
      const auto known = known_spans(of_text);
      const auto lengths = lengths_of(of_text);
      if (spans_differ(known, lengths)) written.push_back({of_text, known, lengths});
    };
    add(kMainText);
    for (std::uint32_t i = 0; has_text && i < options.schema.fields().size(); ++i) {
      if (options.schema.fields()[i].is_text()) add(i);
    }
    return written;
  }

  /// The text that a term is of. Throws UsageError for a key that is none.
  std::uint32_t text_of(std::string_view term) const {
    if (!has_text) return kMainText;
    const TextTerm split = split_text_key(term);
    if (split.text == kMainText) return kMainText;
    if (split.text < options.schema.fields().size() && !split.term.empty() &&
        options.schema.fields()[split.text].is_text()) {
      return split.text;
    }
    throw UsageError("term '" + printable(term) +
                     "' begins like those of a text field, and is none");
  }

  /// Completes the files under their temporary names.
  void finish_files() {
    record.name = options.name;
    record.statistics = {documents.lengths().size(), lexicon.terms(), postings.postings(),
                         documents.tokens()};
    for (std::uint32_t i = 0; has_text && i < options.schema.fields().size(); ++i) {
      record.texts.push_back(fields->text_statistics(i));
    }
    record.streams = {{kDocidStream, options.docid_codec}, {kFrequencyStream, options.freq_codec}};
    add_file(kLexiconFile, lexicon.finish());
    throw_if_stopped(options.stop);
    add_file(kDocumentsFile, documents.finish());
    throw_if_stopped(options.stop);
    add_file(kPostingsFile, postings.finish());
    throw_if_stopped(options.stop);
    if (positions) finish_positions();
    spans = {};
    throw_if_stopped(options.stop);
    if (text) add_file(kTextFile, text->finish());
    throw_if_stopped(options.stop);
    if (fields) add_file(kFieldsFile, fields->write(*fields_file, record.statistics.documents));
    if (fields) fallbacks = fields->fallbacks();
    fields.reset();  // another segment may need the memory
    throw_if_stopped(options.stop);
  }

  void finish_positions() {
    const StopScope scope(options.stop);
    add_file(kPositionsFile, positions->finish(written_spans()));
  }

  void publish_files() {
    publish(lexicon, kLexiconFile);
    publish(documents, kDocumentsFile);
    publish(postings, kPostingsFile);
    if (positions) publish(*positions, kPositionsFile);
    if (text) publish(*text, kTextFile);
    if (fields_file) publish(*fields_file, kFieldsFile);
  }

  template <class File>
  void publish(File& file, FileKind kind) {
    file.publish_new();
    published.push_back(path_of(kind));
  }

  SegmentOptions options;
  LexiconWriter lexicon;
  DocumentsWriter documents;
  PostingsWriter postings;
  std::optional<PositionsWriter> positions;
  std::optional<StoredTextWriter> text;
  std::unique_ptr<FieldCollector> fields;
  std::optional<ContainerWriter> fields_file;
  SegmentRecord record;
  std::vector<fs::path> published;
  std::vector<CodecFallback> fallbacks;
  bool kept = false;
  bool has_text = false;                          ///< the schema has text fields
  std::vector<std::vector<std::uint32_t>> spans;  ///< of the main text, then by field
};

SegmentWriter::SegmentWriter(SegmentOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

SegmentWriter::~SegmentWriter() = default;

void SegmentWriter::add_document(std::string_view id, std::uint32_t length, std::string_view text) {
  if (impl_->lexicon.terms() > 0) throw UsageError("documents must be added before lists");
  impl_->documents.add(id, length);
  if (impl_->text) impl_->text->add(text);
}

std::span<const std::uint32_t> SegmentWriter::document_lengths() const {
  return impl_->documents.lengths();
}

std::span<const std::uint32_t> SegmentWriter::lengths_for(std::string_view term) const {
  return impl_->lengths_of(impl_->text_of(term));
}

void SegmentWriter::add_span(std::uint32_t text, std::uint32_t span) {
  if (!impl_->positions) return;
  const std::vector<FieldSpec>& known = impl_->options.schema.fields();
  if (text != kMainText && (text >= known.size() || !known[text].is_text())) {
    throw UsageError("field " + std::to_string(text) + " is no text, so it has no span");
  }
  impl_->spans_of(text).push_back(span);
}

std::span<const std::uint32_t> SegmentWriter::spans_for(std::string_view term) const {
  return impl_->known_spans(impl_->text_of(term));
}

void SegmentWriter::add_list(const EncodedList& list) {
  impl_->lexicon.add(list.term);
  impl_->postings.add(list, impl_->documents.lengths().size());
  if (!impl_->positions) return;
  impl_->positions->add(list.term, list.positions, static_cast<std::uint32_t>(list.skips.size()));
}

FieldCollector* SegmentWriter::fields() { return impl_->fields.get(); }

const SegmentRecord& SegmentWriter::finish() {
  impl_->finish_files();
  impl_->publish_files();
  return impl_->record;
}

const std::vector<CodecFallback>& SegmentWriter::fallbacks() const { return impl_->fallbacks; }

void SegmentWriter::keep() { impl_->kept = true; }

}  // namespace gannet::index
