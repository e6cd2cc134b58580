#include "index/index_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/commit/live_writer.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/commit/segment_writer.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/output_directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

const codecs::ListCodec& choose_docid_codec(const WriteOptions& options) {
  return options.docid_codec != nullptr ? *options.docid_codec
                                        : codecs::list_codec_named("gpu-bp128");
}

const codecs::ListCodec& choose_freq_codec(const WriteOptions& options) {
  if (options.freq_codec != nullptr) return *options.freq_codec;
  const codecs::ListCodec& docid_codec = choose_docid_codec(options);
  // gpu-dfor codes differences of neighbours, which small frequencies do not gain by.
  return docid_codec.name == "gpu-dfor" ? codecs::list_codec_named("gpu-bp128") : docid_codec;
}

/// Whether they are the same fields, coded by whatever codecs.
bool differ_in_codecs_alone(const Schema& one, const Schema& other) {
  const auto without_codec = [](FieldSpec field) {
    field.codec.clear();
    return field;
  };
  return std::ranges::equal(one.fields(), other.fields(), {}, without_codec, without_codec);
}

void check_defaults(const ScoringDefaults& defaults) {
  if (const auto problem = scoring_problem(defaults.k1, defaults.b)) {
    throw UsageError("BM25's defaults: " + *problem);
  }
}

}  // namespace

struct IndexWriter::Impl {
  Impl(fs::path directory, WriteOptions write_options)
      : options(std::move(write_options)),
        docid_codec(choose_docid_codec(options)),
        freq_codec(choose_freq_codec(options)),
        output(std::move(directory), {options.overwrite, options.append, options.lock,
                                      options.generation, options.lock_wait, options.stop}),
        scratch(output.scratch()),
        generation(next_generation(output.path(), output.replaced())) {
    if (options.append) keep_segments(*output.replaced());
    start_segment();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    try {
      output.check_unchanged();
    } catch (const Error&) {
      keep_files();  // theirs may have the same names; who writes next removes what is left
    }
  }

  /// Those of the index that is appended to.
  void keep_segments(const Manifest& manifest) {
    if (const char* const what = difference(manifest)) {
      throw UsageError(output.path().string() + ": the index has " + what +
                       "; add to it with the options that it has");
    }
    kept = std::make_shared<const Index>(Index::open(output.path()));
    records = manifest.segments;
    statistics = manifest.statistics;
  }

  /// In what the manifest differs from the options; null if they agree.
  const char* difference(const Manifest& manifest) const {
    if (manifest.analyzer != options.analyzer) return "another analyzer, or libraries of its own";
    if (manifest.defaults != options.defaults) return "other defaults of scoring, or impacts";
    const bool recodes = options.recode && differ_in_codecs_alone(manifest.schema, options.schema);
    if (manifest.schema != options.schema && !recodes) return "other fields";
    if (manifest.contents != options.contents) return "its text from other parts of documents";
    const bool stores = manifest.segments.back().find(kTextFile) != nullptr;
    if (stores != options.store_text) return stores ? "stored text" : "no stored text";
    const bool places = manifest.segments.back().find(kPositionsFile) != nullptr;
    if (places != options.positions) return places ? "positions" : "no positions";
    return nullptr;
  }

  /// Segments have numbers that were never used in this directory, from the generation on.
  void start_segment() {
    writers.push_back(std::make_unique<SegmentWriter>(SegmentOptions{
        output.path(), scratch, segment_name(generation + writers.size()), &docid_codec,
        &freq_codec, options.store_text, options.positions, options.schema, options.stop}));
  }

  void finish_segment() {
    output.check_unchanged();  // its files would take the names of the other writer's
    // A commit of deletions alone needs room on the disk for these.
    if (options.append && replaced.empty() && !records.empty() &&
        writers.back()->document_lengths().empty()) {
      writers.pop_back();
      return;
    }
    const SegmentRecord& record = writers.back()->finish();
    for (const CodecFallback& one : writers.back()->fallbacks()) {
      if (std::ranges::count(fallbacks, one.field, &CodecFallback::field) == 0) {
        fallbacks.push_back(one);
      }
    }
    const auto place = place_of(std::exchange(replaced, {}));
    // An index has one segment at least.
    if (options.append && record.statistics.documents == 0 && !records.empty()) {
      writers.pop_back();
    } else {
      records.insert(place, record);
      // An index that was empty has a segment without documents.
      if (options.append && record.statistics.documents != 0) {
        std::erase_if(records, [](const auto& one) { return one.statistics.documents == 0; });
      }
    }
    count_documents();
  }

  /// Where the finished segment belongs; those that it replaces are gone.
  std::vector<SegmentRecord>::iterator place_of(const std::vector<std::string>& names) {
    if (names.empty()) return records.end();
    const auto first = std::ranges::find(records, names.front(), &SegmentRecord::name);
    return records.erase(first, first + static_cast<std::ptrdiff_t>(names.size()));
  }

  /// Docid bases and statistics of all segments so far.
  void count_documents() {
    statistics = {};
    for (SegmentRecord& record : records) {
      record.docid_base = statistics.documents;
      statistics.documents += record.statistics.documents;
      statistics.terms += record.statistics.terms;
      statistics.postings += record.statistics.postings;
      statistics.tokens += record.statistics.tokens;
    }
    if (statistics.documents > kMaxIndexDocuments) {
      throw UsageError("an index can have at most " + std::to_string(kMaxIndexDocuments) +
                       " documents; build a second one");
    }
  }

  bool has_news() const { return !writers.empty() || !live.wrote_none() || replaces; }

  /// Documents of all segments so far, with the one that is being written.
  std::uint64_t documents() const {
    return statistics.documents + (writers.empty() ? 0 : writers.back()->document_lengths().size());
  }

  void remove(Docid docid) {
    if (replaces) throw UsageError("documents are deleted before segments are merged, or after it");
    if (docid >= documents()) {
      throw UsageError("there is no document " + std::to_string(docid) + " to be deleted");
    }
    live.remove(docid);
  }

  void write_live() {
    const Manifest* const before = output.replaced() ? &*output.replaced() : nullptr;
    live.write(output.path(), generation, kept.get(), before, records);
  }

  void replace(std::size_t first, std::size_t count) {
    // A new index keeps no segments.
    if (!options.append) throw UsageError("there are no such segments to be replaced");
    check_all_known(*output.replaced(), output.path());
    const auto& segments = output.replaced()->segments;
    std::vector<std::string> names;
    for (std::size_t i = first; i < first + count && i < segments.size(); ++i) {
      names.push_back(segments[i].name);
    }
    const auto is_there = [&](const std::string& name) {
      return std::ranges::count(records, name, &SegmentRecord::name) != 0;
    };
    if (live.removes()) throw UsageError("documents are deleted in a commit of their own");
    if (names.empty() || names.size() != count || !std::ranges::all_of(names, is_there)) {
      throw UsageError("there are no such segments to be replaced");
    }
    replaced = std::move(names);
    replaces = true;
  }

  /// Runs one step of the work. After a step that failed nothing may follow: the files are out of
  /// step.
  template <class F>
  void step(F&& work) {
    if (!usable) throw UsageError("this writer is finished, or failed before");
    throw_if_stopped(options.stop);
    usable = false;
    work();
    usable = true;
  }

  /// A rename may be reported to have failed, and be done all the same (network file systems): what
  /// a manifest may name is not removed.
  void publish(AtomicFile& manifest) {
    try {
      manifest.publish();
    } catch (...) {
      if (may_be_published()) keep_files();
      throw;
    }
    keep_files();
  }

  bool may_be_published() const noexcept {
    try {
      const std::uint64_t now = output.generation_now();
      return now == 0 || now == generation;
    } catch (const std::exception&) {
      return true;
    }
  }

  void keep_files() {
    for (const auto& writer : writers) writer->keep();
    live.keep();
  }

  /// Throws if a file that the manifest is to name is gone: who writes past the lock may take it
  /// for left over.
  void check_files() const {
    for (const SegmentRecord& record : records) {
      for (const FileRecord& file : record.files) {
        const fs::path path = output.path() / file_name(record, file);
        std::error_code error;
        if (fs::exists(path, error) || error) continue;
        throw IoError(path.string() +
                      ": was removed meanwhile, perhaps by another writer, past the lock; nothing "
                      "was written. Let one write at a time, and do it again");
      }
    }
  }

  void check_segments() const {
    if (records.size() > kMaxSegments) fail_segments();
  }
  [[noreturn]] void fail_segments() const {
    throw UsageError(output.path().string() + ": an index can have at most " +
                     std::to_string(kMaxSegments) + " segments, and a manifest of " +
                     std::to_string(kMaxManifestBytes) +
                     " bytes; merge its segments with `gannet merge`, then add more");
  }

  void publish_manifest() {
    output.check_unchanged();
    check_files();
    check_segments();
    Manifest manifest{generation, library_version(), options.analyzer, options.defaults,
                      statistics, options.schema,    options.contents, records};
    if (options.append) manifest.other = output.replaced()->other;
    AtomicFile file(output.path() / kManifestName);
    const std::string json = to_json(manifest);
    if (json.size() > kMaxManifestBytes) fail_segments();
    file.append(bytes_of(std::string_view(json)));
    file.finish();
    publish(file);
    published = std::move(manifest);
    sync_directory(output.path());
  }

  WriteOptions options;
  const codecs::ListCodec& docid_codec;
  const codecs::ListCodec& freq_codec;
  OutputDirectory output;
  fs::path scratch;
  std::uint64_t generation;
  std::vector<std::unique_ptr<SegmentWriter>> writers;
  std::vector<SegmentRecord> records;    ///< of the segments that are finished
  Statistics statistics;                 ///< of these
  std::vector<CodecFallback> fallbacks;  ///< of finished segments
  std::vector<std::string> replaced;     ///< segments whose place the one at work takes
  std::shared_ptr<const Index> kept;     ///< the index that is appended to
  LiveWriter live;                       ///< documents to be deleted
  std::optional<Manifest> published;     ///< by this writer
  bool replaces = false;                 ///< segments of the index that is kept
  bool usable = true;                    ///< false once a step has failed halfway
  int process = ::getpid();
};

IndexWriter::IndexWriter(std::filesystem::path directory, WriteOptions options) {
  check_defaults(options.defaults);
  impl_ = std::make_unique<Impl>(std::move(directory), std::move(options));
}

IndexWriter::~IndexWriter() {
  // The files are those of the process that made the writer, not of one forked from it.
  if (impl_->process != ::getpid()) static_cast<void>(impl_.release());
}

const codecs::ListCodec& IndexWriter::docid_codec() const { return impl_->docid_codec; }
const codecs::ListCodec& IndexWriter::freq_codec() const { return impl_->freq_codec; }
const std::filesystem::path& IndexWriter::scratch() const { return impl_->scratch; }

void IndexWriter::add_document(std::string_view id, std::uint32_t length, std::string_view text) {
  impl_->step([&] { impl_->writers.back()->add_document(id, length, text); });
}

std::span<const std::uint32_t> IndexWriter::document_lengths() const {
  return impl_->writers.back()->document_lengths();
}

std::span<const std::uint32_t> IndexWriter::lengths_for(std::string_view term) const {
  return impl_->writers.back()->lengths_for(term);
}

bool IndexWriter::has_positions() const { return impl_->options.positions; }

void IndexWriter::add_span(std::uint32_t text, std::uint32_t span) {
  impl_->writers.back()->add_span(text, span);
}

std::span<const std::uint32_t> IndexWriter::spans_for(std::string_view term) const {
  return impl_->writers.back()->spans_for(term);
}

const Index* IndexWriter::kept() const { return impl_->kept.get(); }

const std::vector<CodecFallback>& IndexWriter::fallbacks() const { return impl_->fallbacks; }

std::size_t IndexWriter::segments() const { return impl_->records.size(); }

std::uint64_t IndexWriter::deleted_documents() const {
  std::uint64_t deleted = 0;
  for (const SegmentRecord& record : impl_->records) deleted += record.deleted;
  return deleted;
}

std::shared_ptr<const Index> IndexWriter::shared_kept() const { return impl_->kept; }

void IndexWriter::remove(Docid docid) {
  impl_->step([&] { impl_->remove(docid); });
}

void IndexWriter::add_list(const EncodedList& list) {
  impl_->step([&] { impl_->writers.back()->add_list(list); });
}

void IndexWriter::replace(std::size_t first, std::size_t count) {
  impl_->step([&] { impl_->replace(first, count); });
}

FieldCollector* IndexWriter::fields() { return impl_->writers.back()->fields(); }

void IndexWriter::next_segment() {
  impl_->step([&] {
    impl_->finish_segment();
    impl_->start_segment();
  });
}

Statistics IndexWriter::commit() {
  impl_->step([&] {
    impl_->finish_segment();
    impl_->write_live();
    if (!impl_->has_news()) return;
    sync_directory(impl_->output.path());  // the segments' names, before a manifest has them
    impl_->publish_manifest();
  });
  impl_->usable = false;
  impl_->output.keep();
  try {
    // The index that this one replaces, with files of kinds that only its own writer knew.
    if (impl_->published) impl_->output.remove_unused(impl_->published);
  } catch (const IoError&) {
    // The new index is in place; the next writer removes what is left.
  }
  return impl_->statistics;
}

}  // namespace gannet::index
