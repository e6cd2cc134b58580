// Opening and reading an index.
//
// An index is a directory: manifest.json (written last, by rename) names the segments and their
// files, the analyzer, the codecs, the scoring defaults and the statistics. FORMAT.md describes the
// bytes. A segment's files are mapped into memory; opening checks magic, versions and sizes, in a
// time that does not depend on the size of the index. A list is checked to its last value when it
// is used for the first time; `verify` checks everything.
//
// Opened objects are immutable and safe to use from any number of threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"
#include "index/segment/scoring_defaults.hpp"
#include "index/segment/segment.hpp"
#include "index/text/analyzer_config.hpp"

namespace gannet::index {

class Analyzer;
class LiveDocuments;

/// Segments that may be gone.
using SegmentList = std::vector<std::weak_ptr<const Segment>>;

class Index {
 public:
  /// An index of open segments, documents numbered through in their order. Throws UsageError if
  /// they have too many documents together, for defaults out of range, or if `live` has not one
  /// element a segment, null or for its documents, or none at all.
  Index(std::vector<std::shared_ptr<const Segment>> segments, AnalyzerConfig analyzer,
        ScoringDefaults defaults, Schema schema = {},
        std::vector<std::shared_ptr<const LiveDocuments>> live = {});

  /// Opens the index in directory `path`, or all shards of a set there as one
  /// (shard_set.hpp). Throws IoError, FormatError or VersionError, and nothing else whatever
  /// the files hold. Takes milliseconds, however large the index is. An index that a writer
  /// replaces meanwhile stays as it was opened.
  static Index open(const std::filesystem::path& path);
  /// Opens the index as it is now, and takes the segments that have not changed from the open
  /// index `before`, with all that was loaded of them. Costs what the new segments
  /// cost. Throws what open(path) throws.
  static Index open(const std::filesystem::path& path, const Index& before);

  const std::filesystem::path& path() const { return path_; }
  const AnalyzerConfig& analyzer() const { return analyzer_; }
  const ScoringDefaults& defaults() const { return defaults_; }
  /// The fields that its documents have besides their text.
  const Schema& schema() const { return schema_; }
  /// Documents that are deleted count here until their segment is merged (index/updates/): scores
  /// do not change when others are deleted.
  const Statistics& statistics() const { return statistics_; }
  /// One more with each commit; 0 of an index that was not opened from a directory.
  std::uint64_t generation() const { return generation_; }
  /// Which documents of a segment are not deleted; nullptr: all.
  const LiveDocuments* live(std::size_t segment) const { return live_[segment].get(); }
  /// live() as a shared pointer, for another index with the same segment.
  const std::shared_ptr<const LiveDocuments>& shared_live(std::size_t segment) const {
    return live_[segment];
  }
  /// All segments together.
  std::uint64_t deleted_documents() const { return deleted_; }
  bool is_live(Docid docid) const;
  /// What it has of text field `field`. Needs that it is one.
  const TextStatistics& text_statistics(std::uint32_t field) const { return texts_[field]; }
  /// The analyzer of a text field, made when it is first asked for. Needs that it is one. Throws
  /// UsageError for one that there is not. Thread-safe.
  const Analyzer& text_analyzer(std::uint32_t field) const;
  /// The segments, in the order of their documents.
  const std::vector<std::shared_ptr<const Segment>>& segments() const { return segments_; }
  /// The segments as weak pointers. An index and its copies share one list, so that equal pointers
  /// to it mean equal segments.
  const std::shared_ptr<const SegmentList>& segment_list() const { return segment_list_; }

  /// An index of the segments [first, end), which they share: its documents are numbered from 0,
  /// and its statistics are its own. Throws UsageError unless first <= end <= segments.
  Index part(std::size_t first, std::size_t end) const;

  /// The number that a segment's first document has in the index.
  Docid docid_base(std::size_t segment) const { return docid_bases_[segment]; }
  /// Segment::document_id() and stored_text() of a document of the index (< documents).
  std::string document_id(Docid docid) const;
  std::optional<std::string> stored_text(Docid docid) const;
  /// The document with this id that is not deleted; nothing if there is none. Costs a microsecond a
  /// segment, about. Throws FormatError.
  std::optional<Docid> find_document(std::string_view id) const;
  /// The text of a stored field, by its number in the schema; nothing if the document lacks it.
  /// Throws UsageError for a field that there is not, or that is not stored.
  std::optional<std::string> stored_field(std::size_t field, Docid docid) const;

 private:
  friend Index open_shards(const std::filesystem::path& directory, const Index* before);
  static Index open(const std::filesystem::path& path, const Index* before);
  void add_texts(const Segment& segment);
  void add_live(std::vector<std::shared_ptr<const LiveDocuments>> live);
  /// The number of the segment that has a document.
  std::size_t segment_of(Docid docid) const;

  std::filesystem::path path_;
  AnalyzerConfig analyzer_;
  ScoringDefaults defaults_;
  Schema schema_;
  Statistics statistics_;
  std::vector<TextStatistics> texts_;  ///< by field of the schema; none if no field is a text
  struct TextAnalyzers;
  std::shared_ptr<TextAnalyzers> text_analyzers_;
  std::vector<std::shared_ptr<const Segment>> segments_;
  std::shared_ptr<const SegmentList> segment_list_;
  std::vector<std::shared_ptr<const LiveDocuments>> live_;  ///< by segment
  std::vector<Docid> docid_bases_;
  std::uint64_t deleted_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace gannet::index
