// The documents of a chunk that pass a filter: columns are decoded block by block, and blocks whose
// least and greatest codes decide are not decoded at all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/filter/segment_filter.hpp"

namespace gannet::query {

/// Documents that are decided together: those of one block of a field with one value.
inline constexpr std::uint32_t kFilterChunk = index::kFieldBlock;
inline constexpr std::uint32_t kFilterChunkWords = kFilterChunk / 64;

/// Memory that the scans of a thread reuse.
class FilterScan {
 public:
  /// Writes the words of the documents [chunk * kFilterChunk, ...) to `words`: one for each 64
  /// documents that are left, at most kFilterChunkWords. Bits behind the last document are 0.
  /// Throws FormatError for a damaged block.
  void run(const SegmentFilter& filter, std::uint32_t chunk, std::uint32_t documents,
           std::span<std::uint64_t> words);

  /// Blocks that were decoded since it was made.
  std::uint64_t blocks_decoded() const { return blocks_decoded_; }

 private:
  struct Place {
    std::uint32_t begin;  ///< the chunk's first document, and the end
    std::uint32_t end;
  };
  void evaluate(const SegmentFilter& filter, Place place, std::span<std::uint64_t> words);
  void evaluate_chain(const SegmentFilter& filter, Place place, std::span<std::uint64_t> words);
  void scan(const SegmentFilter& filter, Place place, std::span<std::uint64_t> words);
  void scan_values(const SegmentFilter& filter, Place place, std::span<std::uint64_t> words);
  /// The bits of a block's codes, in bits_; whether any is set.
  bool find_in_block(const SegmentFilter& filter, std::size_t block);
  /// From the block's bitmaps, without its codes.
  void find_rows(const SegmentFilter& filter, std::size_t block, std::size_t words);
  template <class Code>
  void find_codes(const SegmentFilter& filter, std::size_t block, std::vector<Code>& codes);

  /// The block that codes32_ or codes64_ has, by the width of the column's codes: predicates on one
  /// field often stand side by side.
  struct Decoded {
    const index::FieldColumn* column = nullptr;
    std::size_t block = 0;
  };
  Decoded decoded_;
  std::vector<std::uint32_t> codes32_;
  std::vector<std::uint64_t> codes64_;
  std::vector<std::uint64_t> bits_;
  std::uint64_t blocks_decoded_ = 0;
};

}  // namespace gannet::query
