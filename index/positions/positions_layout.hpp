// The layout of a segment's file of positions, for its writer and its reader. FORMAT.md describes
// the bytes ("The positions").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"
#include "index/fields/text_terms.hpp"
#include "index/files/format.hpp"

namespace gannet::index::positions_sections {

inline constexpr Tag kTileBits{"TBIT"};     ///< bytes: codes of the lists that are not short
inline constexpr Tag kTileOffsets{"TOFF"};  ///< u32: where tiles start, less their base
inline constexpr Tag kTileBases{"TBAS"};    ///< u64: where each kTilesOfBase-th tile starts
inline constexpr Tag kShortBits{"SBIT"};    ///< bytes: codes of short lists
inline constexpr Tag kShortSizes{"SLEN"};   ///< varints: bits of each list in SBIT
inline constexpr Tag kShortBlocks{"SBLK"};  ///< ShortBlock of each kListsOfBlock lists
/// Words of gpu-for: of each document, how many places of the main text are no term's.
inline constexpr Tag kMainSpans{"SPAN"};

/// Snnn: the same of a text field (< 1000).
constexpr Tag spans_of_text(std::uint32_t text) {
  if (text == kMainText) return kMainSpans;
  const auto digit = [](std::uint32_t value) { return std::uint32_t{'0'} + value % 10; };
  return Tag(std::uint32_t{'S'} | digit(text / 100) << 8 | digit(text / 10) << 16 |
             digit(text) << 24);
}

inline std::vector<Tag> known(const Schema& schema) {
  std::vector<Tag> tags{kTileBits,   kTileOffsets, kTileBases, kShortBits,
                        kShortSizes, kShortBlocks, kMainSpans};
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    if (schema.fields()[i].is_text()) tags.push_back(spans_of_text(i));
  }
  return tags;
}

}  // namespace gannet::index::positions_sections

namespace gannet::index {

/// Tiles that share a base.
inline constexpr std::uint64_t kTilesOfBase = 64;
/// Lists, short or not, that share a ShortBlock.
inline constexpr std::uint64_t kListsOfBlock = 128;
/// The codec of differences between spans and lengths.
inline constexpr std::string_view kSpanCodec = "gpu-for";

/// Where a block of lists starts.
struct ShortBlock {
  std::uint64_t bits;   ///< in section SBIT, in bytes
  std::uint64_t sizes;  ///< in section SLEN
  bool operator==(const ShortBlock&) const = default;
};
static_assert(sizeof(ShortBlock) == 16);

}  // namespace gannet::index
