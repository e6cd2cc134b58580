// gpu-dfor: frame of reference over the deltas of a chain of D blocks.
// Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer Compression in GPU",
// SIGMOD 2022, sections 4.1 and 5.1, figures 3, 4 and 6; order of the fields as the authors'
// program writes them.
//
// Format, in 32-bit words:
//   header        128 (block size), 4 (miniblocks a block), total count, first value of the list
//   block starts  blocks + 1 words, counted from the beginning of the header; the last one is
//                 the length of all
//   chains        of D blocks each: the chain's first value, then its blocks. A block is
//                   reference   the smallest delta, signed
//                   widths      four 8-bit widths, the first miniblock's in the lowest byte
//                   payload     four miniblocks of 32 values (delta - reference), low bits first
// The first delta of a chain is 0; deltas missing in the last block are 0. A block start points at
// the reference, so a chain's first value stands one word before its first block. All arithmetic is
// modulo 2^32. Every miniblock has the smallest width that it needs (the authors' program gives all
// four the largest of them).
#pragma once

#include <algorithm>
#include <array>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/miniblocks.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/core/wide_scan.hpp"

namespace gannet::codecs {

template <std::uint32_t D>
struct GpuDforOf : MiniblockFormat {
  static constexpr std::string_view name = "gpu-dfor";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = kTile;
  static constexpr TileTraits traits{
      .prefix_sums = true, .full_tiles = true, .boundaries = true, .wide = D == kWideTiles};
  static constexpr std::uint32_t chain = D;  ///< blocks that share one first value

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t blocks = ceil_div(count, block);
    const std::size_t base = words.size();
    words.insert(words.end(), {block, kMinis, count, count > 0 ? values[0] : 0});
    words.resize(words.size() + blocks + 1);
    StopCheck check_stop;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      check_stop();
      if (j % D == 0) words.push_back(values[std::size_t{j} * block]);
      words[base + kHeaderWords + j] = static_cast<std::uint32_t>(words.size() - base);
      encode_block(deltas_of(values, j), words);
    }
    words[base + kHeaderWords + blocks] = static_cast<std::uint32_t>(words.size() - base);
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuDforOf>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    return list_fault(words, count, "the header is not gpu-dfor's");
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    // The first block of a chain has the chain's first value before it.
    return miniblock_fault(words, count, j, j % D == 0 ? 1 : 0);
  }

  /// A block's reference, widths and values, and the first value of a chain.
  static constexpr std::uint32_t tile_words = kTile + 3;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {list.words[kHeaderWords + first] - 1, list.words[kHeaderWords + last]};
  }

  struct Cursor {
    std::uint32_t previous;  ///< the value before the next tile (unused at the start of a chain)
  };

  /// Without a hint, the blocks of the chain before `tile` are decoded.
  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile) {
    Cursor cursor{0};
    typename Lanes::template Var<Quad> ignored;
    for (std::uint32_t before = tile / D * D; before < tile; ++before) {
      next(lanes, list, Payload{list.words, 0}, before, cursor, ignored);
    }
    return cursor;
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView, std::uint32_t, std::uint32_t previous) {
    return {previous};
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t* start = payload.at(list.words[kHeaderWords + tile]);
    if (tile % D == 0) cursor.previous = start[-1];
    typename Lanes::template Var<std::uint32_t> before;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t mini = lane / (kMiniSize / 4);
      const std::uint32_t width = width_of(start[1], mini);
      const std::uint32_t* packed = start + 2 + mini_offset(start[1], mini);
      std::uint32_t total = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t index = lane % (kMiniSize / 4) * 4 + i;
        total += start[0] + extract(packed, index * width, width);
        out[lane].value[i] = total;
      }
      before[lane] = total;
    });
    const std::uint32_t total = lanes.exclusive_scan(before);
    const std::uint32_t size = tile_size(list.count, tile);
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t value = cursor.previous + before[lane] + out[lane].value[i];
        out[lane].value[i] = 4 * lane + i < size ? value : 0;
      }
    });
    cursor.previous += total;
  }

  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[kHeaderWords + tile];
  }

  GANNET_HD static Extent extent_between(ListView, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    return {begin - 1, end};
  }

  /// Four tiles are a chain: they need no value from before, and their sums do not wait for each
  /// other.
  template <class Lanes>
  GANNET_HD static void next_wide(
      Lanes lanes, const StagedTiles& tiles, std::uint32_t,
      typename Lanes::template Var<WideQuads>& out) requires(D == kWideTiles) {
    const auto start_of = [&](std::uint32_t t) { return tiles.payload.at(tiles.boundaries[t]); };
    std::uint32_t references[D];
    std::uint32_t widths[D];
    for (std::uint32_t t = 0; t < D; ++t) {
      const std::uint32_t* start = start_of(t);
      references[t] = start[0];
      widths[t] = start[1];
    }
    const WidthClass kind = width_class_of(widths);
    typename Lanes::template Var<std::uint32_t> before[D];
    with_width_class(kind, [&]<WidthClass kClass>() {
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t t = 0; t < D; ++t) {
          Quad& quad = out[lane].tile[t];
          quad = unpack_mini_quad<kClass>(start_of(t) + 2, widths[t], lane);
          for (std::uint32_t i = 1; i < 4; ++i) quad.value[i] += quad.value[i - 1];
          before[t][lane] = quad.value[3];
        }
      });
    });
    std::uint32_t totals[D];
    scan_wide(lanes, kind == WidthClass::kUpTo8, before, totals);  // 128 * 255 < 2^16
    std::uint32_t base = start_of(0)[-1];
    for (std::uint32_t t = 0; t < D; ++t) {
      lanes.each([&](std::uint32_t lane) {
        std::uint32_t add = base + before[t][lane] + 4 * lane * references[t];
        for (std::uint32_t i = 0; i < 4; ++i) {
          add += references[t];
          out[lane].tile[t].value[i] += add;
        }
      });
      base += totals[t] + kTile * references[t];
    }
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    const std::uint32_t* start = list.words + list.words[kHeaderWords + tile];
    if (tile % D == 0) cursor.previous = start[-1];
    const std::uint32_t* packed = start + 2;
    for (std::uint32_t m = 0; m < kMinis; ++m) {
      const std::uint32_t width = width_of(start[1], m);
      unpack32(packed, width, out + m * kMiniSize);
      packed += width;
    }
    cursor.previous = sum128(out, start[0], cursor.previous);
  }

  /// Words of the payload before miniblock `mini`: a miniblock of 32 values takes `width` words.
  GANNET_HD static std::uint32_t mini_offset(std::uint32_t widths, std::uint32_t mini) {
    std::uint32_t words = 0;
    for (std::uint32_t m = 0; m < mini; ++m) words += width_of(widths, m);
    return words;
  }

 private:
  static std::array<std::uint32_t, kTile> deltas_of(std::span<const std::uint32_t> values,
                                                    std::uint32_t j) {
    std::array<std::uint32_t, kTile> deltas{};
    const std::size_t first = std::size_t{j} * block;
    for (std::size_t i = 0; i < block && first + i < values.size(); ++i) {
      const bool starts_chain = i == 0 && j % D == 0;
      deltas[i] = starts_chain ? 0 : values[first + i] - values[first + i - 1];
    }
    return deltas;
  }
};

using GpuDfor = GpuDforOf<4>;

}  // namespace gannet::codecs
