// Opening and reading an index.
//
// An index is a directory: manifest.json (written last, by rename) names the segments and their
// files, the analyzer, the codecs, the scoring defaults and the statistics. FORMAT.md describes the
// bytes. A segment's files are mapped into memory; opening checks magic, versions, sizes, tables
// and every list's endpoints, headers and skips, so that decoding reads inside the files whatever
// they hold. It does not read the values: `verify` checks checksums and decodes every list.
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
#include "index/text/analyzer.hpp"

namespace gannet::index {

/// Internal document number: position in the collection, 0 .. documents - 1.
using Docid = std::uint32_t;
/// Internal term number: rank of the term in bytewise order, 0 .. terms - 1.
using TermId = std::uint32_t;

/// Defaults for BM25, recorded in the index; a query may override them.
struct ScoringDefaults {
  float k1 = 0.9f;
  float b = 0.4f;
};

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
/// Tiles are runs of 128 postings whatever the codec's block; tile i ends with docid skips[i].
struct PostingList {
  std::uint32_t count = 0;                     ///< document frequency, >= 1
  std::span<const std::uint32_t> docid_words;  ///< encoded docids
  std::span<const std::uint32_t> freq_words;   ///< encoded term frequency - 1
  std::span<const std::uint32_t> skips;        ///< last docid of each tile
  std::span<const std::uint32_t> max_freqs;    ///< largest term frequency in each tile
  std::span<const std::uint32_t> min_lengths;  ///< shortest document (tokens) in each tile

  codecs::ListView docids() const { return {docid_words.data(), count}; }
  codecs::ListView freqs() const { return {freq_words.data(), count}; }
  std::uint32_t tiles() const { return codecs::tile_count(count); }
};

/// A row of the list table: where a term's words and tiles start. On disk and on the GPU as it is.
/// The docid words of term t are words [entry[t].first_word, + entry[t].docid_words); its frequency
/// words follow, up to entry[t + 1].first_word. One more row than terms closes the table.
struct ListEntry {
  std::uint64_t first_word;
  std::uint64_t first_tile;
  std::uint32_t docid_words;
  std::uint32_t count;
};
static_assert(sizeof(ListEntry) == 24);

/// A contiguous part of the collection with its own posting lists.
class Segment {
 public:
  virtual ~Segment() = default;

  virtual const Statistics& statistics() const = 0;
  virtual const codecs::ListCodec& docid_codec() const = 0;
  virtual const codecs::ListCodec& freq_codec() const = 0;

  /// The term's number, or nothing if no document has it. O(log terms).
  virtual std::optional<TermId> find(std::string_view term) const = 0;
  /// The term with number `id` (< terms).
  virtual std::string_view term(TermId id) const = 0;
  /// How often the term occurs in the segment.
  virtual std::uint64_t collection_frequency(TermId id) const = 0;
  virtual PostingList list(TermId id) const = 0;

  /// Length in tokens of every document; size = documents.
  virtual std::span<const std::uint32_t> document_lengths() const = 0;
  /// The external id of a document; the docid in decimal if the collection had no ids.
  virtual std::string document_id(Docid docid) const = 0;
  /// The stored text of a document, or nothing if the index was built without --store.
  virtual std::optional<std::string> stored_text(Docid docid) const = 0;

  // The arrays behind list(), for back ends that copy them to a device as they are.
  virtual std::span<const ListEntry> list_table() const = 0;       ///< terms + 1 rows
  virtual std::span<const std::uint32_t> words() const = 0;        ///< all encoded lists
  virtual std::span<const std::uint32_t> skips() const = 0;        ///< one per tile of all lists
  virtual std::span<const std::uint32_t> max_freqs() const = 0;    ///< one per tile
  virtual std::span<const std::uint32_t> min_lengths() const = 0;  ///< one per tile
};

class Index {
 public:
  /// An index of open segments, documents numbered through in their order. Throws UsageError if
  /// they have too many documents together.
  Index(std::vector<std::shared_ptr<const Segment>> segments, AnalyzerConfig analyzer,
        ScoringDefaults defaults);

  /// Opens the index in directory `path`. Throws IoError, FormatError or VersionError, and nothing
  /// else whatever the files hold. Lists are checked in parallel. An index that a writer replaces
  /// meanwhile stays as it was opened.
  static Index open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  const AnalyzerConfig& analyzer() const { return analyzer_; }
  const ScoringDefaults& defaults() const { return defaults_; }
  const Statistics& statistics() const { return statistics_; }
  /// In the order of their documents.
  const std::vector<std::shared_ptr<const Segment>>& segments() const { return segments_; }

  /// The number that a segment's first document has in the index.
  Docid docid_base(std::size_t segment) const { return docid_bases_[segment]; }
  /// Segment::document_id() and stored_text() of a document of the index (< documents).
  std::string document_id(Docid docid) const;
  std::optional<std::string> stored_text(Docid docid) const;

 private:
  /// The number of the segment that has a document.
  std::size_t segment_of(Docid docid) const;

  std::filesystem::path path_;
  AnalyzerConfig analyzer_;
  ScoringDefaults defaults_;
  Statistics statistics_;
  std::vector<std::shared_ptr<const Segment>> segments_;
  std::vector<Docid> docid_bases_;
};

}  // namespace gannet::index
