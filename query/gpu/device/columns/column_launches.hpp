// The launches of columns and bitmaps. Includes no CUDA header. All queue their work on a stream
// and wait for nothing; pointers are of device memory, bitmaps have bitmap_room() words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/base/host_device.hpp"
#include "codecs/core/codec.hpp"
#include "query/gpu/plan/code_slots.hpp"
#include "query/gpu/plan/columns/row_order.hpp"
#include "query/gpu/plan/filter_steps.hpp"
#include "query/gpu/plan/views.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Writes the bitmaps and ranges of many filters of one segment. `search`: its arrays are in device
/// memory.
void launch_find_filters(const FilterSearch& search, CUstream_st* stream);

enum class BitmapOperation : std::uint32_t { kAnd, kOr, kNot, kFill };
/// `to` becomes `to` AND `with`, `to` OR `with`, NOT `to`, or all documents.
void launch_combine(BitmapOperation operation, std::uint64_t* to, const std::uint64_t* with,
                    std::uint32_t documents, CUstream_st* stream);

/// Writes FilterView::ranges, unless that is null, and adds the number of documents to *count.
void launch_count_bits(const std::uint64_t* words, std::uint32_t documents, std::uint16_t* ranges,
                       unsigned long long* count, CUstream_st* stream);

/// A posting list on the device.
struct MarkedList {
  codecs::CodecId codec;
  codecs::ListView list;
  const std::uint32_t* skips;  ///< the last docid of each tile
};
/// Sets the bits of the list's documents and keeps the others.
void launch_mark_list(const MarkedList& list, std::uint64_t* words, CUstream_st* stream);

/// The documents of `matches` and a field: what kernels go through.
struct FieldMatches {
  FieldView field;
  const std::uint64_t* matches;
};
/// counts[slot] += documents that have a code of the slot, of `limit` slots (of a hash table, the
/// one behind it included); a document counts once in each. Adds to sums->documents. The codes of
/// `slots` go to the slots in ascending order, or are in a table.
void launch_count_codes(const FieldMatches& of, const DirectSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream);
void launch_count_codes(const FieldMatches& of, const BinSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream);
void launch_count_codes(const FieldMatches& of, const HashSlots& slots, std::uint32_t limit,
                        std::uint32_t* counts, FieldSums* sums, CUstream_st* stream);

/// Puts the codes into a table and adds to sums->documents and sums->distinct.
void launch_distinct_codes(const FieldMatches& of, const HashSlots& slots, FieldSums* sums,
                           CUstream_st* stream);

/// Of a field with one value per document: sets the bits, and clears the others, of the documents
/// whose code has a counter above 1 in a table of all codes of the column. Adds to *repeated.
void launch_repeated_codes(const FieldView& field, const HashSlots& slots,
                           const std::uint32_t* counts, std::uint64_t* words,
                           unsigned long long* repeated, CUstream_st* stream);

/// Adds the number of matches that have a field with one value per document, which not all
/// documents have, to *documents.
void launch_count_present(const FieldMatches& of, unsigned long long* documents,
                          CUstream_st* stream);

/// Adds to sums->documents, values, codes (or, of floats, parts and unusual), and raises greatest
/// and least_below.
void launch_code_totals(const FieldMatches& of, FieldSums* sums, CUstream_st* stream);
void launch_float_totals(const FieldMatches& of, const FloatSums& floats, FieldSums* sums,
                         CUstream_st* stream);

/// How documents are ordered by a column: the smallest code first, or the largest; then by docid.
/// Documents that do not reach the k-th of a sample are ruled out.
struct CodeOrder {
  bool descending;
  std::uint32_t k;
  const std::uint64_t* sample;        ///< the k first, best first; null: there is no sample
  const std::uint32_t* sample_count;  ///< k if the sample has k
};
/// Where keys are appended, in any order; the largest key is that of the first document. Keys
/// beyond the capacity are only counted.
struct KeyList {
  std::uint64_t* keys;
  std::uint32_t* count;
  std::uint32_t capacity;
};
/// The document of a key, and its code.
constexpr std::uint32_t document_of_key(std::uint64_t key) {
  return ~static_cast<std::uint32_t>(key);
}
constexpr std::uint32_t code_of_key(std::uint64_t key, bool descending) {
  const auto place = static_cast<std::uint32_t>(key >> 32);
  return descending ? place : ~place;
}
/// Appends the keys of documents of `matches` that have the field, are in every stride-th group of
/// codes, and may be among the k first. For fields with at most one value per document.
void launch_first_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t stride,
                        const CodeOrder& order, const KeyList& list, CUstream_st* stream);
/// Appends the keys of documents of `matches` that may be among the threshold.k first in an order
/// by several fields, and are in every stride-th group; `threshold.descending` does not matter.
void launch_first_rows(const RowOrder& order, const std::uint64_t* matches, std::uint32_t stride,
                       const CodeOrder& threshold, const KeyList& list, CUstream_st* stream);

/// Counters of codes on the device.
struct CodeCounters {
  const std::uint32_t* counts;
  const std::uint32_t* codes;  ///< of each counter; null: counter i is of code i
  std::uint32_t size;

  GANNET_HD std::uint32_t code(std::uint32_t i) const { return codes == nullptr ? i : codes[i]; }
};
inline constexpr std::uint32_t kCounterGroup = 32;
/// Appends the keys, count << 32 | ~code, of counters above 0 that may be among the order.k with
/// the largest keys, of every stride-th group of kCounterGroup; of equal counts the smaller code
/// has the larger key. `order.descending` does not matter. Unless null, adds to sums->distinct and
/// sums->total.
void launch_top_counts(const CodeCounters& counters, std::uint32_t stride, const CodeOrder& order,
                       const KeyList& list, FieldSums* sums, CUstream_st* stream);

}  // namespace gannet::query::cuda
