#include "index/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <system_error>
#include <utility>

#include "codecs/base/threads/once.hpp"
#include "index/documents/live_documents.hpp"
#include "index/files/limits.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/shards/shard_set.hpp"

namespace gannet::index {

/// By field of the schema.
struct Index::TextAnalyzers {
  explicit TextAnalyzers(std::size_t fields) : once(new Once[fields]), analyzers(fields) {}
  std::unique_ptr<Once[]> once;
  std::vector<std::unique_ptr<const Analyzer>> analyzers;
};

std::optional<std::string> scoring_problem(float k1, float b) {
  if (!(k1 >= 0 && k1 <= kMaxK1)) {
    return fmt::format("k1 must be between 0 and 1e9, not {}", k1);
  }
  if (!(b >= 0 && b <= 1)) return fmt::format("b must be between 0 and 1, not {}", b);
  return std::nullopt;
}

Index::Index(std::vector<std::shared_ptr<const Segment>> segments, AnalyzerConfig analyzer,
             ScoringDefaults defaults, Schema schema,
             std::vector<std::shared_ptr<const LiveDocuments>> live)
    : analyzer_(std::move(analyzer)),
      defaults_(defaults),
      schema_(std::move(schema)),
      segments_(std::move(segments)),
      segment_list_(std::make_shared<const SegmentList>(segments_.begin(), segments_.end())) {
  if (const auto problem = scoring_problem(defaults.k1, defaults.b)) {
    throw UsageError("BM25's defaults: " + *problem);
  }
  if (schema_.has_text()) {
    texts_.resize(schema_.fields().size());
    text_analyzers_ = std::make_shared<TextAnalyzers>(texts_.size());
  }
  for (const auto& segment : segments_) {
    add_texts(*segment);
    docid_bases_.push_back(static_cast<Docid>(statistics_.documents));
    const Statistics& part = segment->statistics();
    if (part.documents > kMaxDocuments) {
      throw UsageError("a segment can have at most " + std::to_string(kMaxDocuments) +
                       " documents, not " + std::to_string(part.documents));
    }
    statistics_.documents += part.documents;
    statistics_.postings += part.postings;
    statistics_.tokens += part.tokens;
    // Of several segments, distinct terms are not known without merging their lexicons.
    statistics_.terms = std::max(statistics_.terms, part.terms);
    if (statistics_.documents > kMaxIndexDocuments) {
      throw UsageError("the segments have more documents together than an index can number");
    }
  }
  add_live(std::move(live));
}

void Index::add_live(std::vector<std::shared_ptr<const LiveDocuments>> live) {
  live.resize(live.empty() ? segments_.size() : live.size());
  if (live.size() != segments_.size()) {
    throw UsageError("live documents are given for each segment or for none");
  }
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    if (live[s] == nullptr) continue;
    if (live[s]->documents() != segments_[s]->statistics().documents) {
      throw UsageError("the live documents are not those of their segment");
    }
    deleted_ += live[s]->deleted();
  }
  live_ = std::move(live);
}

void Index::add_texts(const Segment& segment) {
  for (std::uint32_t i = 0; i < texts_.size(); ++i) {
    if (!schema_.fields()[i].is_text()) continue;
    const TextStatistics part = segment.text_statistics(i);
    texts_[i].documents += part.documents;
    texts_[i].tokens += part.tokens;
  }
}

const Analyzer& Index::text_analyzer(std::uint32_t field) const {
  text_analyzers_->once[field]([&] {
    text_analyzers_->analyzers[field] = std::make_unique<const Analyzer>(
        index::text_analyzer(analyzer_, schema_.fields()[field].text));
  });
  return *text_analyzers_->analyzers[field];
}

std::span<const std::uint32_t> Segment::text_lengths(std::uint32_t text) const {
  if (text == kMainText) return document_lengths();
  throw UsageError("the segment has no text field " + std::to_string(text));
}

TextStatistics Segment::text_statistics(std::uint32_t field) const {
  throw UsageError("the segment has no text field " + std::to_string(field));
}

const FieldColumn& Segment::field(std::size_t number) const {
  throw UsageError("the segment has no field " + std::to_string(number));
}

void Segment::find_documents(std::string_view id, std::vector<Docid>& found) const {
  if (!has_ids()) return;
  for (Docid d = 0; d < statistics().documents; ++d) {
    if (document_id(d) == id) found.push_back(d);
  }
}

Index Index::part(std::size_t first, std::size_t end) const {
  if (first > end || end > segments_.size()) {
    throw UsageError("the index has not the segments " + std::to_string(first) + " to " +
                     std::to_string(end));
  }
  const auto cut = [&](const auto& all) {
    using Offset = std::ptrdiff_t;
    return std::vector(all.begin() + static_cast<Offset>(first),
                       all.begin() + static_cast<Offset>(end));
  };
  return {cut(segments_), analyzer_, defaults_, schema_, cut(live_)};
}

std::size_t Index::segment_of(Docid docid) const {
  const auto after = std::upper_bound(docid_bases_.begin(), docid_bases_.end(), docid);
  return static_cast<std::size_t>(after - docid_bases_.begin()) - 1;
}

std::string Index::document_id(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  if (!segments_[segment]->has_ids()) return std::to_string(docid);
  return segments_[segment]->document_id(docid - docid_bases_[segment]);
}

bool Index::is_live(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  return live_[segment] == nullptr || live_[segment]->has(docid - docid_bases_[segment]);
}

namespace {

/// The number that a text is, written as numbers of documents are; nothing for any other text.
std::optional<Docid> docid_in(std::string_view text) {
  Docid docid = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, docid);
  const bool plain = error == std::errc() && last == end && (text == "0" || text.front() != '0');
  return plain ? std::optional(docid) : std::nullopt;
}

}  // namespace

std::optional<Docid> Index::find_document(std::string_view id) const {
  std::vector<Docid> found;
  for (std::size_t s = segments_.size(); s-- > 0;) {  // what was added last is asked for most
    found.clear();
    segments_[s]->find_documents(id, found);
    for (const Docid docid : found) {
      if (is_live(docid_bases_[s] + docid)) return docid_bases_[s] + docid;
    }
  }
  const auto docid = docid_in(id);
  if (!docid || *docid >= statistics_.documents || !is_live(*docid)) return std::nullopt;
  return segments_[segment_of(*docid)]->has_ids() ? std::nullopt : docid;
}

std::optional<std::string> Index::stored_text(Docid docid) const {
  const std::size_t segment = segment_of(docid);
  return segments_[segment]->stored_text(docid - docid_bases_[segment]);
}

std::optional<std::string> Index::stored_field(std::size_t field, Docid docid) const {
  if (docid >= statistics_.documents) {
    throw UsageError("the index has no document " + std::to_string(docid));
  }
  const std::size_t segment = segment_of(docid);
  const StoredTexts* const texts = segments_[segment]->field(field).texts();
  if (texts == nullptr) {
    throw UsageError("field " + std::to_string(field) +
                     " is not stored; its values are in columns");
  }
  return texts->text(docid - docid_bases_[segment]);
}

namespace {

/// The segment of `before` that has these files, or nullptr.
std::shared_ptr<const Segment> segment_in(const Index& before, const SegmentRecord& record,
                                          const Schema& schema) {
  if (before.schema() != schema) return nullptr;
  for (const auto& segment : before.segments()) {
    const auto* const open = dynamic_cast<const SegmentReader*>(segment.get());
    if (open != nullptr && open->is_of(record)) return segment;
  }
  return nullptr;
}

std::shared_ptr<const LiveDocuments> live_of(const SegmentFiles& files) {
  const SegmentRecord& record = files.record();
  if (record.deleted == 0) return nullptr;
  auto live =
      std::make_shared<const LiveDocuments>(files.path_of(kLiveFile.name), files.file(kLiveFile),
                                            record.statistics.documents, record.deleted);
  files.check_identity(*live->file(), kLiveFile);
  return live;
}

}  // namespace

Index Index::open(const std::filesystem::path& path) { return open(path, nullptr); }

Index Index::open(const std::filesystem::path& path, const Index& before) {
  return open(path, &before);
}

Index Index::open(const std::filesystem::path& path, const Index* before) {
  if (is_shard_set(path)) return open_shards(path, before);
  try {
    const IndexSnapshot snapshot = IndexSnapshot::of(path);
    const Manifest& manifest = snapshot.manifest;
    std::vector<std::shared_ptr<const Segment>> segments;
    std::vector<std::shared_ptr<const LiveDocuments>> live;
    for (const SegmentFiles& files : snapshot.segments) {
      auto segment =
          before == nullptr ? nullptr : segment_in(*before, files.record(), manifest.schema);
      if (segment == nullptr) segment = std::make_shared<SegmentReader>(files, manifest.schema);
      segments.push_back(std::move(segment));
      live.push_back(live_of(files));
    }
    Index index(std::move(segments), manifest.analyzer, manifest.defaults, manifest.schema,
                std::move(live));
    index.path_ = path;
    index.statistics_ = manifest.statistics;
    index.generation_ = manifest.generation;
    return index;
  } catch (const std::bad_alloc&) {
    throw IoError(path.string() + ": not enough memory to open the index");
  } catch (const std::system_error& error) {
    throw IoError(path.string() + ": cannot open the index: " + error.what());
  }
}

}  // namespace gannet::index
