// Opening and reading an index.
//
// An index is a directory: manifest.json (written last, by rename) names the segments and their
// files, the analyzer, the codecs, the scoring defaults and the statistics. FORMAT.md describes the
// bytes. A segment's files are mapped into memory. Opening an index checks magic, versions and
// sizes; bytes are checked when they are used for the first time (segment/segment.hpp), and all of
// them by verify_index() (verify.hpp).
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

/// Segments that the list does not keep open.
using SegmentList = std::vector<std::weak_ptr<const Segment>>;

/// Where an index has a document.
struct DocumentPlace {
  Docid docid = 0;          ///< in the index
  std::size_t segment = 0;  ///< number of its segment
  bool live = true;         ///< false: the document is deleted
};

/// An open index. Immutable and thread-safe, except for assignment; a copy shares the segments.
///
/// A docid of an index is the docid in its segment plus docid_base() of the segment. Docids passed
/// to a function must be less than statistics().documents, and numbers of segments less than
/// segments().size(), unless the function says what it throws. Functions that read bytes of a
/// segment throw FormatError if these are damaged.
class Index {
 public:
  /// Makes an index of open segments. The documents are numbered in the order of the segments.
  /// `live` is empty if no document is deleted; otherwise it has one element for each segment,
  /// which is null if the segment has no deleted documents. Throws UsageError if a segment has more
  /// than 2^29 documents or all segments together more than 2^32 - 1, for defaults out of range,
  /// and if `live` does not match the segments.
  Index(std::vector<std::shared_ptr<const Segment>> segments, AnalyzerConfig analyzer,
        ScoringDefaults defaults, Schema schema = {},
        std::vector<std::shared_ptr<const LiveDocuments>> live = {});

  /// Opens the index in directory `path`, or all shards of a set there as one index
  /// (shard_set.hpp). The time grows with the number of segments and files. Opening does not read
  /// lists or texts. It allocates one bit per term, and reads one bit per document for a segment
  /// with deleted documents. An open index does not change when
  /// a writer changes the directory. Throws IoError, FormatError or VersionError, and no other
  /// error whatever the files contain.
  static Index open(const std::filesystem::path& path);
  /// Opens the index as it is now. Segments that the open index `before` has as well are taken from
  /// it, with all data that was loaded of them, if the schema has not changed. Bitmaps of live
  /// documents are read anew. Throws what open(path) throws.
  static Index open(const std::filesystem::path& path, const Index& before);

  /// The directory; empty unless Index::open() opened the index.
  const std::filesystem::path& path() const { return path_; }
  const AnalyzerConfig& analyzer() const { return analyzer_; }
  const ScoringDefaults& defaults() const { return defaults_; }
  /// The fields that documents have besides their main text.
  const Schema& schema() const { return schema_; }
  /// Statistics of all segments together. A deleted document counts until its segment is merged
  /// (index/updates/), so that deletions do not change the scores of other documents. `terms` is
  /// the sum over the segments if Index::open() opened a directory that is not a set of shards;
  /// else it is the largest number of terms of one segment.
  const Statistics& statistics() const { return statistics_; }
  /// A number that grows with each commit; 0 unless Index::open() opened a directory that is not a
  /// set of shards.
  std::uint64_t generation() const { return generation_; }
  /// The live documents of a segment; nullptr if the segment has no deleted documents.
  const LiveDocuments* live(std::size_t segment) const { return live_[segment].get(); }
  /// live() as a shared pointer, for another index with the same segment.
  const std::shared_ptr<const LiveDocuments>& shared_live(std::size_t segment) const {
    return live_[segment];
  }
  /// Deleted documents of all segments together.
  std::uint64_t deleted_documents() const { return deleted_; }
  /// Whether a document is not deleted. O(log segments).
  bool is_live(Docid docid) const;
  /// Statistics of a text field. `field` must be the number of a text field in the schema.
  const TextStatistics& text_statistics(std::uint32_t field) const { return texts_[field]; }
  /// The analyzer of a text field, made at the first call. `field` must be the number of a text
  /// field in the schema. Throws UsageError if this program lacks the analyzer's stemmer.
  const Analyzer& text_analyzer(std::uint32_t field) const;
  /// The segments, in the order of their documents.
  const std::vector<std::shared_ptr<const Segment>>& segments() const { return segments_; }
  /// The segments as weak pointers. An index and its copies share one list: indexes with equal
  /// pointers to their lists have equal segments.
  const std::shared_ptr<const SegmentList>& segment_list() const { return segment_list_; }

  /// An index of the segments first .. end - 1, which it shares with this index. Its documents are
  /// numbered from 0, its statistics are those of its segments, its path is empty and its
  /// generation 0. Throws UsageError unless first <= end <= segments().size().
  Index part(std::size_t first, std::size_t end) const;

  /// The docid in the index of a segment's first document.
  Docid docid_base(std::size_t segment) const { return docid_bases_[segment]; }
  /// The external id of a document; the docid in the index, in decimal, if its segment has no ids.
  std::string document_id(Docid docid) const;
  /// The stored text of a document; nothing if the index has no stored text.
  std::optional<std::string> stored_text(Docid docid) const;
  /// The live document with this external id; nothing if there is no such document. A docid in
  /// decimal finds a document of a segment without ids. Takes about a microsecond per segment.
  std::optional<Docid> find_document(std::string_view id) const;
  /// The document with this external id: the live one, or else the last one of those that are
  /// deleted and that no merge has removed yet; nothing if there is no such document. Costs what
  /// find_document() costs.
  std::optional<DocumentPlace> locate_document(std::string_view id) const;
  /// The text of a stored field, by its number in the schema; nothing if the document lacks the
  /// field. Throws UsageError if the index has no such document or no such field, and if the field
  /// is not a stored one.
  std::optional<std::string> stored_field(std::size_t field, Docid docid) const;

 private:
  friend Index open_shards(const std::filesystem::path& directory, const Index* before);
  static Index open(const std::filesystem::path& path, const Index* before);
  void add_texts(const Segment& segment);
  void add_live(std::vector<std::shared_ptr<const LiveDocuments>> live);
  /// The number of the segment that contains a document.
  std::size_t segment_of(Docid docid) const;

  std::filesystem::path path_;
  AnalyzerConfig analyzer_;
  ScoringDefaults defaults_;
  Schema schema_;
  Statistics statistics_;
  std::vector<TextStatistics> texts_;  ///< by field of the schema; empty without text fields
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
