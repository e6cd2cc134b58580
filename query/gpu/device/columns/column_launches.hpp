// The launches of columns and bitmaps. Includes no CUDA header. All queue their work on a stream
// and wait for nothing; pointers are of device memory, bitmaps have bitmap_room() words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/core/codec.hpp"
#include "query/gpu/plan/code_sets.hpp"
#include "query/gpu/plan/views.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// A bit for each code of the column that the set has, in blocks that are not decided, and that
/// `present` (or null: all) has.
struct CodeSearch {
  CodesView codes;
  const BlockDecision* decisions;  ///< by block
  const std::uint64_t* present;
  std::uint64_t* words;
};
void launch_find_codes(const CodeSearch& search, const FewIntervals& set, CUstream_st* stream);
void launch_find_codes(const CodeSearch& search, const CodeTable& set, CUstream_st* stream);
void launch_find_codes(const CodeSearch& search, const ManyIntervals& set, CUstream_st* stream);

/// Documents one of whose values has its bit set in `values`.
void launch_fold_values(const std::uint32_t* starts, const std::uint64_t* values,
                        std::uint32_t documents, std::uint64_t* words, CUstream_st* stream);

enum class BitmapOperation : std::uint32_t { kAnd, kOr, kNot, kFill };
/// `to` becomes `to` and, or `with`; or all documents but `to`; or all.
void launch_combine(BitmapOperation operation, std::uint64_t* to, const std::uint64_t* with,
                    std::uint32_t documents, CUstream_st* stream);

/// FilterView::ranges (or null: not wanted), and the number of documents, added to *count.
void launch_count_bits(const std::uint64_t* words, std::uint32_t documents, std::uint16_t* ranges,
                       unsigned long long* count, CUstream_st* stream);

/// A posting list on the device.
struct MarkedList {
  codecs::CodecId codec;
  codecs::ListView list;
  const std::uint32_t* skips;  ///< the last docid of each tile
};
/// Sets the bits of its documents, leaves others alone.
void launch_mark_list(const MarkedList& list, std::uint64_t* words, CUstream_st* stream);

/// counts[c] += documents of `matches` that have the field with code c. Not for several values a
/// document.
void launch_count_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t limit,
                        std::uint32_t* counts, CUstream_st* stream);

/// How documents are ordered by a column: the smallest code first, or the largest; then by docid.
/// The k first of a sample of them, best first, say what others must reach.
struct CodeOrder {
  bool descending;
  std::uint32_t k;
  const std::uint64_t* sample;        ///< null: there is none
  const std::uint32_t* sample_count;  ///< k if the sample has k
};
/// Where keys are appended: the largest comes first. What is beyond the capacity is counted only.
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
/// Appends the keys of documents of `matches` that have the field, in every stride-th group of it,
/// and that may be among the k first. Not for several values per document.
void launch_first_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t stride,
                        const CodeOrder& order, const KeyList& list, CUstream_st* stream);

}  // namespace gannet::query::cuda
