// gpu-simdbp128: bit-packing in the vertical layout, as SIMD-BP128 has it for the CPU.
// Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer Compression in GPU",
// SIGMOD 2022, section 4.3: a lane is a thread instead of a part of a SIMD register; a thread block
// has 128 of them, each with 32 values, so that lanes end on words: 4096 values per block. The
// paper says no more; the arrays of starts and widths and the short last block are ours.
//
// Format, in 32-bit words:
//   starts    blocks + 1 words: where each block starts, counted from the beginning; the last one
//   is
//             the length of all
//   widths    a byte a block, the first one's in the lowest byte, up to a whole word
//   padding   zeros up to a multiple of four words
//   blocks    a block's values have `width` bits each, the fewest in which the largest fits. Value
//   i
//             belongs to lane i % 128, as the lane's number i / 128; a lane's values are packed low
//             bits first, and row r holds word r of all lanes, one behind the other.
// A full block has `width` rows of 128 words. The last block has as many rows as its values reach,
// and as many lanes as values, if these are fewer than 128.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/quads.hpp"

namespace gannet::codecs::papers {

struct GpuSimdBp128 {
  static constexpr std::string_view name = "gpu-simdbp128";
  static constexpr CodecId id{kFirstPrivateId};
  static constexpr std::uint32_t block = 4096;
  static constexpr TileTraits traits{.posting = false, .full_tiles = true};
  static constexpr std::uint32_t kRow = 128;  ///< lanes of a block, words of a row
  static constexpr std::uint32_t kTilesPerBlock = block / kTile;
  static_assert(kRow == kTile, "row and tile are the same thing: tile t is value t of every lane");

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t blocks = ceil_div(count, block);
    const std::size_t base = words.size();
    words.resize(base + first_start(blocks));
    for (std::uint32_t j = 0; j < blocks; ++j) {
      const auto part = values.subspan(std::size_t{j} * block, std::min(block, count - j * block));
      const std::uint32_t width = max_width(part);
      words[base + j] = static_cast<std::uint32_t>(words.size() - base);
      words[base + blocks + 1 + j / 4] |= width << (8 * (j % 4));
      encode_block(part, width, words);
    }
    words[base + blocks] = static_cast<std::uint32_t>(words.size() - base);
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuSimdBp128>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint32_t blocks = ceil_div(count, block);
    if (!words.has(0, first_start(blocks))) return "the starts and widths are cut off";
    if (words[blocks] != words.size || (blocks == 0 && words.size != first_start(0))) {
      return "it has not as many words as its blocks take";
    }
    return nullptr;
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    const ListView list{words.words, count};
    const std::uint32_t blocks = ceil_div(count, block);
    const std::uint64_t before = j == 0 ? first_start(blocks) : end_of_block(list, j - 1);
    if (words[j] != before) return kWrongStart;
    if (width_of(list, j) > 32) return kTooWide;
    const std::uint64_t end = end_of_block(list, j);
    if (end > words.size || (j + 1 == blocks && end != words.size)) return kCutOff;
    return nullptr;
  }

  /// Eight tiles reach into nine rows at most: at 31 bits, into half a row, seven and half a row.
  static constexpr std::uint32_t tile_words = 9 * kRow / kGroupTiles;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t j = first / kTilesPerBlock;
    const std::uint32_t width = width_of(list, j);
    const std::uint32_t before = first % kTilesPerBlock * width / 32;
    const std::uint32_t rows = ceil_div((last - j * kTilesPerBlock) * width, 32);
    const std::uint32_t lanes = lanes_of(list.count - j * block);
    return {list.words[j] + before * lanes, list.words[j] + rows * lanes};
  }

  struct Cursor {
    std::uint32_t start;  ///< word at which the tile's block starts
    std::uint32_t width;
  };

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView list, std::uint32_t tile) {
    const std::uint32_t j = tile / kTilesPerBlock;
    return {list.words[j], width_of(list, j)};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    if (tile % kTilesPerBlock == 0) cursor = seek(lanes, list, tile);
    const std::uint32_t count = list.count - tile / kTilesPerBlock * block;
    const std::uint32_t bit = tile % kTilesPerBlock * cursor.width;
    if (cursor.width == 0) {
      lanes.each([&](std::uint32_t lane) { out[lane] = Quad{}; });
    } else if (count < kRow) {
      unpack_short(lanes, payload.at(cursor.start), count, cursor.width, out);
    } else {
      const std::uint32_t* row = payload.at(cursor.start + bit / 32 * kRow);
      const std::uint32_t end = bit % 32 + cursor.width;
      unpack(lanes, row, bit % 32, end > 32 ? row + kRow : row, low_mask(cursor.width), out);
      clear_beyond(lanes, tile_size(list.count, tile), out);
    }
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    if (tile % kTilesPerBlock == 0) cursor = seek(SerialLanes{}, list, tile);
    if (cursor.width == 0) {
      std::fill_n(out, kTile, 0);
      return;
    }
    const std::uint32_t bit = tile % kTilesPerBlock * cursor.width;
    const std::uint32_t* low = list.words + cursor.start + bit / 32 * kRow;
    const std::uint32_t* high = bit % 32 + cursor.width > 32 ? low + kRow : low;
    const std::uint32_t shift = bit % 32;
    const std::uint32_t mask = low_mask(cursor.width);
    for (std::uint32_t i = 0; i < kTile; ++i) {
      // In two steps, for 32 bits at a shift of 0.
      out[i] = (low[i] >> shift | high[i] << 1 << (31 - shift)) & mask;
    }
  }

 private:
  /// Words before the first block.
  GANNET_HD static std::uint32_t first_start(std::uint32_t blocks) {
    return ceil_div(blocks + 1 + ceil_div(blocks, 4), 4) * 4;
  }

  GANNET_HD static std::uint32_t width_of(ListView list, std::uint32_t j) {
    const std::uint32_t widths = ceil_div(list.count, block) + 1;
    return list.words[widths + j / 4] >> (8 * (j % 4)) & 0xff;
  }

  /// Where block `j` ends, by its start and width.
  GANNET_HD static std::uint64_t end_of_block(ListView list, std::uint32_t j) {
    const std::uint32_t left = list.count - j * block;
    return std::uint64_t{list.words[j]} +
           block_words(left < block ? left : block, width_of(list, j));
  }

  /// Lanes of a block with so many values, or more.
  GANNET_HD static std::uint32_t lanes_of(std::uint32_t count) {
    return count < kRow ? count : kRow;
  }

  GANNET_HD static std::uint32_t block_words(std::uint32_t size, std::uint32_t width) {
    return ceil_div(ceil_div(size, kRow) * width, 32) * lanes_of(size);
  }

  static void encode_block(std::span<const std::uint32_t> values, std::uint32_t width,
                           std::vector<std::uint32_t>& words) {
    const auto size = static_cast<std::uint32_t>(values.size());
    const std::size_t start = words.size();
    words.resize(start + block_words(size, width));
    for (std::uint32_t i = 0; i < size && width > 0; ++i) {
      const std::uint32_t bit = i / kRow * width;
      std::uint32_t* word = &words[start + bit / 32 * lanes_of(size) + i % kRow];
      const std::uint64_t bits = std::uint64_t{values[i]} << (bit % 32);
      *word |= static_cast<std::uint32_t>(bits);
      if (bit % 32 + width > 32) word[lanes_of(size)] = static_cast<std::uint32_t>(bits >> 32);
    }
  }

  /// Values of all lanes from the rows `low` and `high`.
  template <class Lanes>
  GANNET_HD static void unpack(Lanes lanes, const std::uint32_t* low, std::uint32_t shift,
                               const std::uint32_t* high, std::uint32_t mask,
                               typename Lanes::template Var<Quad>& out) {
    lanes.each([&](std::uint32_t lane) {
      const Quad first = load_quad(low + 4 * lane);
      const Quad second = low == high ? first : load_quad(high + 4 * lane);
      for (std::uint32_t i = 0; i < 4; ++i) {
        out[lane].value[i] = funnel(first.value[i], second.value[i], shift) & mask;
      }
    });
  }

  /// The one tile of a block with fewer lanes: its only row.
  template <class Lanes>
  GANNET_HD static void unpack_short(Lanes lanes, const std::uint32_t* row, std::uint32_t size,
                                     std::uint32_t width, typename Lanes::template Var<Quad>& out) {
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t index = 4 * lane + i;
        out[lane].value[i] = index < size ? row[index] & low_mask(width) : 0;
      }
    });
  }
};
static_assert(is_tile_codec<GpuSimdBp128>());

}  // namespace gannet::codecs::papers
