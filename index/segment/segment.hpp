// A segment: a contiguous part of a collection with its own posting lists, and what it consists of.
//
// Opened segments are immutable and safe to use from any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/registry.hpp"
#include "index/fields/text_terms.hpp"
#include "index/segment/short_list.hpp"

namespace gannet::index {

/// Internal document number: position in the collection, 0 .. documents - 1.
using Docid = std::uint32_t;
/// Internal term number: rank of the term in bytewise order, 0 .. terms - 1.
using TermId = std::uint32_t;

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
  /// Length in tokens of every document's text `text`: kMainText, or the number of a text field in
  /// the schema. Lengths of a field are decoded the first time. Throws FormatError if they are
  /// damaged, UsageError if there is no such text.
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
  virtual std::span<const std::uint32_t> skips() const = 0;        ///< last docid of each tile
  virtual std::span<const std::uint16_t> max_freqs() const = 0;    ///< bound of each tile
  virtual std::span<const std::uint16_t> min_lengths() const = 0;  ///< bound of each tile
};

}  // namespace gannet::index
