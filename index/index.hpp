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

#include "codecs/registry.hpp"
#include "index/fields/schema.hpp"
#include "index/fields/text_terms.hpp"
#include "index/segment/short_list.hpp"
#include "index/text/analyzer.hpp"

namespace gannet::index {

/// Internal document number: position in the collection, 0 .. documents - 1.
using Docid = std::uint32_t;
/// Internal term number: rank of the term in bytewise order, 0 .. terms - 1.
using TermId = std::uint32_t;

/// Largest k1 of BM25: with it every contribution of a scored term is > 0 and no score overflows,
/// whatever the lengths and frequencies.
inline constexpr float kMaxK1 = 1e9f;

/// How weights became impacts: impact = round(weight * scale), at most 2^bits - 1, at least 1.
struct Quantization {
  unsigned bits = 0;  ///< 0: the weights were whole numbers and are as they were
  double scale = 1;
  bool operator==(const Quantization&) const = default;
};

/// What the numbers beside the docids of posting lists are.
struct Payload {
  /// Weights of the terms in their documents, as a model gave them; else frequencies.
  bool impacts = false;
  Quantization quantization = {};  ///< of impacts
  bool operator==(const Payload&) const = default;
};

/// Defaults for BM25, recorded in the index; a query may override them. 0 <= k1 <= kMaxK1 and
/// 0 <= b <= 1.
struct ScoringDefaults {
  float k1 = 0.9f;
  float b = 0.4f;
  /// Not a default: frequencies are scored by any scorer, impacts are added up.
  Payload payload = {};
  bool operator==(const ScoringDefaults&) const = default;
};

/// What is wrong with parameters of BM25, for messages: "b must be ..."; nothing if they are in
/// range. Indexes, plans and commands all ask here, so that no index has defaults which its queries
/// may not have.
std::optional<std::string> scoring_problem(float k1, float b);

struct Statistics {
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;
  std::uint64_t postings = 0;  ///< sum of document frequencies
  std::uint64_t tokens = 0;    ///< sum of document lengths
  /// Mean document length in tokens; 0 for an empty collection.
  double average_length() const {
    return documents == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(documents);
  }
};

/// One posting list as the segment stores it. All pointers point into the mapped files.
///
/// Tiles are runs of 128 postings whatever the codec's block. A list of fewer postings is packed
/// (short_list.hpp) and has neither words nor skips nor bounds; a longer one is encoded by its
/// codecs, and tile i ends with docid skips[i].
struct PostingList {
  std::uint32_t count = 0;  ///< document frequency, >= 1
  ShortList packed;         ///< of a short list

  // Of the others:
  const codecs::ListCodec* docid_codec = nullptr;
  const codecs::ListCodec* freq_codec = nullptr;
  std::span<const std::uint32_t> docid_words;  ///< encoded docids
  std::span<const std::uint32_t> freq_words;   ///< encoded term frequency - 1
  std::span<const std::uint32_t> skips;        ///< last docid of each tile
  /// Of each tile, as codes of 16 bits (bound_code.hpp): at least the largest term frequency, at
  /// most the length of the shortest document in tokens. Exact below 2,048.
  std::span<const std::uint16_t> max_freqs, min_lengths;

  bool is_short() const { return is_short_list(count); }
  std::uint32_t tiles() const { return codecs::tile_count(count); }
  codecs::ListView docids() const { return {docid_words.data(), count}; }
  codecs::ListView freqs() const { return {freq_words.data(), count}; }

  /// Decodes all docids to `out[0 .. count - 1]`.
  void decode_docids(std::uint32_t* out) const;
  /// Decodes all term frequencies (>= 1) to `out[0 .. count - 1]`.
  void decode_frequencies(std::uint32_t* out) const;
};

/// Term numbers first .. end - 1.
struct TermRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool empty() const { return first == end; }
};

class FieldColumn;
class ListTable;
class LiveDocuments;

/// A contiguous part of the collection with its own posting lists.
class Segment {
 public:
  virtual ~Segment() = default;

  virtual const Statistics& statistics() const = 0;
  /// The codecs of lists that do not name another one.
  virtual const codecs::ListCodec& docid_codec() const = 0;
  virtual const codecs::ListCodec& freq_codec() const = 0;

  /// The term's number, or nothing if no document has it. O(log terms).
  virtual std::optional<TermId> find(std::string_view term) const = 0;
  /// The numbers of the terms that start with `prefix`. O(log terms).
  virtual TermRange terms_with_prefix(std::string_view prefix) const = 0;
  /// The term with number `id` (< terms).
  virtual std::string term(TermId id) const = 0;
  /// In how many documents of the segment the term occurs.
  virtual std::uint32_t document_frequency(TermId id) const = 0;
  /// How often the term occurs in the segment.
  virtual std::uint64_t collection_frequency(TermId id) const = 0;
  /// The term's list. The first time, every value of it is checked; a damaged one is a FormatError
  /// that names the term. So decoding a list needs no further care.
  virtual PostingList list(TermId id) const = 0;

  /// Length in tokens of every document's main text; size = documents.
  virtual std::span<const std::uint32_t> document_lengths() const = 0;
  /// The same of a text: kMainText, or the number of a text field in the schema. Of a field they
  /// are decoded the first time; FormatError if they are damaged, UsageError if there is no such
  /// text.
  virtual std::span<const std::uint32_t> text_lengths(std::uint32_t text) const;
  /// What the segment has of a text field; UsageError if there is none of this number.
  virtual TextStatistics text_statistics(std::uint32_t field) const;
  /// The external id of a document; the docid in decimal if the collection had no ids.
  virtual std::string document_id(Docid docid) const = 0;
  /// Appends the docids of the documents that have this id, ascending, whether they are deleted or
  /// not; none if the collection had no ids.
  virtual void find_documents(std::string_view id, std::vector<Docid>& found) const;
  /// Whether the collection had ids.
  virtual bool has_ids() const { return true; }
  /// The stored text of a document, or nothing if the index was built without --store.
  virtual std::optional<std::string> stored_text(Docid docid) const = 0;

  /// The column of field `number` of the index's schema.
  virtual const FieldColumn& field(std::size_t number) const;

  // The arrays behind list(), for back ends that copy them to a device. What they hold is not
  // checked: list() does that.
  virtual const ListTable& list_table() const = 0;
  virtual std::span<const std::uint32_t> words() const = 0;        ///< all encoded lists
  virtual std::span<const std::uint32_t> skips() const = 0;        ///< one per tile of those lists
  virtual std::span<const std::uint16_t> max_freqs() const = 0;    ///< likewise
  virtual std::span<const std::uint16_t> min_lengths() const = 0;  ///< likewise
};

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
  /// (shards/shard_set.hpp). Throws IoError, FormatError or VersionError, and nothing else whatever
  /// the files hold. Takes milliseconds, however large the index is. An index that a writer
  /// replaces meanwhile stays as it was opened.
  static Index open(const std::filesystem::path& path);
  /// The same, taking segments that are still the same from an index that is open, with all that is
  /// known of them: a snapshot of the index as it is now, for the price of what is new.
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
  /// In the order of their documents.
  const std::vector<std::shared_ptr<const Segment>>& segments() const { return segments_; }
  /// The same, of which it keeps none alive. One list for this index and its copies, so that the
  /// same pointer means the same segments.
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
