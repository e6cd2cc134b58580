// A segment: documents that were indexed together, with a lexicon and posting lists of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/registry.hpp"
#include "index/fields/text_terms.hpp"
#include "index/segment/short_list.hpp"
#include "index/segment/term_walk.hpp"

namespace gannet::index {

/// The number of a document in its segment, or in the index, where the segments follow one another:
/// 0 .. documents - 1.
using Docid = std::uint32_t;
/// The number of a term in its segment, 0 .. terms - 1: its rank among all keys of the lexicon
/// (fields/text_terms.hpp) in bytewise order.
using TermId = std::uint32_t;

/// Statistics of a segment or an index. Deleted documents, and all they contain, are counted until
/// their segment is merged.
struct Statistics {
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;     ///< with those of text fields; for an index see Index::statistics()
  std::uint64_t postings = 0;  ///< sum of document frequencies, with those of text fields
  std::uint64_t tokens = 0;    ///< sum of the lengths of the main text
  /// Mean length of the main text in tokens; 0 if there are no documents.
  double average_length() const {
    return documents == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(documents);
  }
};

/// One posting list as the segment stores it: a view of the mapped files, valid as long as the
/// segment is open.
///
/// A tile is a run of 128 postings, whatever the codec's block. A list of fewer than 128 postings
/// is short: it is packed (short_list.hpp) and has no words, skips or bounds. A longer list is
/// encoded by its two codecs, and the last docid of tile i is skips[i].
struct PostingList {
  std::uint32_t count = 0;  ///< document frequency, >= 1
  ShortList packed;         ///< only for short lists

  // Only for lists that are not short:
  const codecs::ListCodec* docid_codec = nullptr;
  const codecs::ListCodec* freq_codec = nullptr;
  std::span<const std::uint32_t> docid_words;  ///< encoded docids
  std::span<const std::uint32_t> freq_words;   ///< encoded frequencies (or impacts), each less 1
  std::span<const std::uint32_t> skips;        ///< last docid of each tile
  /// Bounds of each tile as 16-bit codes (lists/bound_code.hpp): max_freqs[i] is at least the
  /// largest term frequency, min_lengths[i] at most the length of the shortest document in tokens.
  /// Values below 2,048 are exact; greater ones are off by less than 1/1,024.
  std::span<const std::uint16_t> max_freqs, min_lengths;

  bool is_short() const { return is_short_list(count); }
  std::uint32_t tiles() const { return codecs::tile_count(count); }
  codecs::ListView docids() const { return {docid_words.data(), count}; }
  codecs::ListView freqs() const { return {freq_words.data(), count}; }

  /// Decodes all docids, in ascending order, to `out[0 .. count - 1]`.
  void decode_docids(std::uint32_t* out) const;
  /// Decodes all term frequencies or impacts (>= 1) to `out[0 .. count - 1]`.
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
class Positions;

/// Where the positions of a list are in a file of positions.
struct PlaceOfPositions {
  const Positions* positions = nullptr;  ///< null: the list has none
  TermId list = 0;                       ///< its number among the lists of the file
  std::uint64_t first_tile = 0;          ///< its first one in the file; of a list that is not short
};

/// An open segment. Immutable and thread-safe.
///
/// Files are checked at their first use. Each function may therefore throw FormatError, which names
/// the file, when it reads bytes that are damaged. Term numbers passed to a function must be less
/// than statistics().terms.
class Segment {
 public:
  virtual ~Segment() = default;

  virtual const Statistics& statistics() const = 0;
  /// A number that tells segments apart by what they hold: of equal segments docids mean the same
  /// documents. Deletions do not change it, nor does copying. O(1). Of segments that are not on
  /// disk it is made of their statistics.
  virtual std::uint64_t identity() const;
  /// The segment's codecs. A single list may have others: PostingList names them.
  virtual const codecs::ListCodec& docid_codec() const = 0;
  virtual const codecs::ListCodec& freq_codec() const = 0;

  /// The number of a term, given as its key in the lexicon; nothing if no document has the term.
  /// O(log terms).
  virtual std::optional<TermId> find(std::string_view term) const = 0;
  /// The numbers of the keys that start with `prefix`. O(log terms).
  virtual TermRange terms_with_prefix(std::string_view prefix) const = 0;
  /// The key of term `id`.
  virtual std::string term(TermId id) const = 0;
  /// A walk through all keys, before the first one. The segment must outlive it.
  virtual std::unique_ptr<TermWalk> walk_terms() const;
  /// The number of documents of the segment that have the term, deleted documents included.
  virtual std::uint32_t document_frequency(TermId id) const = 0;
  /// The sum of the term's frequencies (or impacts) in the segment, deleted documents included.
  /// Calls list(), so that the first call for a term checks its list.
  virtual std::uint64_t collection_frequency(TermId id) const = 0;
  /// The posting list of a term. The first call for a term checks all values of the list, in
  /// O(count) time; later calls are O(1). Throws FormatError, which names the term, if the list is
  /// damaged. A list that this function returned can be decoded without further checks.
  virtual PostingList list(TermId id) const = 0;

  /// The length of the main text of every document in tokens, by docid; size = documents.
  virtual std::span<const std::uint32_t> document_lengths() const = 0;
  /// The length of one text of every document in tokens, by docid; size = documents. `text` is
  /// kMainText or the number of a text field in the schema. The first call for a field decodes its
  /// lengths, which then take 4 bytes per document. Throws UsageError if there is no such text.
  virtual std::span<const std::uint32_t> text_lengths(std::uint32_t text) const;
  /// The span of one text of every document, by docid; size = documents. A span is the number of
  /// places of a text: every raw token of the analyzer takes one, also one that is dropped, and 100
  /// stay empty between two values. Without positions, or where no span differs from the length,
  /// these are text_lengths(). The first call for a text decodes its
  /// spans, which then take 4 bytes per document. Throws UsageError if
  /// there is no such text.
  virtual std::span<const std::uint32_t> text_spans(std::uint32_t text) const;
  /// The positions of all postings, which PositionCursor reads (positions/position_cursor.hpp);
  /// nullptr if the index was built without.
  virtual const Positions* positions() const { return nullptr; }
  /// Where those of a list are. `list` is list(id).
  virtual PlaceOfPositions place_of_positions(TermId id, const PostingList& list) const;
  /// The text that a term is of, as text_lengths() takes it. O(number of text fields).
  virtual std::uint32_t text_of(TermId id) const;
  /// The numbers of the schema's text fields, ascending.
  virtual std::vector<std::uint32_t> text_fields() const;
  /// The statistics of a text field. For the number of another field the function throws UsageError
  /// or returns zeros.
  virtual TextStatistics text_statistics(std::uint32_t field) const;
  /// The external id of a document; the docid in the segment, in decimal, if the documents have no
  /// ids. Throws UsageError if the segment has no such document.
  virtual std::string document_id(Docid docid) const = 0;
  /// Appends the docids of all documents with this id in ascending order, deleted documents
  /// included; appends nothing if the documents have no ids.
  virtual void find_documents(std::string_view id, std::vector<Docid>& found) const;
  /// Whether the documents have external ids.
  virtual bool has_ids() const { return true; }
  /// The stored text of a document; nothing if the index was built without stored text
  /// (WriteOptions::store_text). Throws UsageError if the segment has no such document.
  virtual std::optional<std::string> stored_text(Docid docid) const = 0;

  /// The column of field `number` of the index's schema, valid as long as the segment is open. The
  /// first call for a field checks the tables of its column, in a time that grows with them. Throws
  /// UsageError if the schema has no such field.
  virtual const FieldColumn& field(std::size_t number) const;

  // The arrays from which list() makes its views, for back ends that copy them to a device. Only
  // list() checks their contents. They are for parts of the library: ListTable is not public.
  virtual const ListTable& list_table() const = 0;
  virtual std::span<const std::uint32_t> words() const = 0;        ///< streams of all lists
  virtual std::span<const std::uint32_t> skips() const = 0;        ///< PostingList::skips of all
  virtual std::span<const std::uint16_t> max_freqs() const = 0;    ///< as many as skips()
  virtual std::span<const std::uint16_t> min_lengths() const = 0;  ///< as many as skips()
};

}  // namespace gannet::index
