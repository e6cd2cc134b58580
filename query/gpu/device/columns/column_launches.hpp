// The launches of columns and bitmaps. Includes no CUDA header. All queue their work on a stream
// and wait for nothing; pointers are of device memory, bitmaps have bitmap_room() words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/core/codec.hpp"
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

/// counts[c] += documents of `matches` that have the field with code c. For fields with at most one
/// value per document.
void launch_count_codes(const FieldView& field, const std::uint64_t* matches, std::uint32_t limit,
                        std::uint32_t* counts, CUstream_st* stream);

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

}  // namespace gannet::query::cuda
