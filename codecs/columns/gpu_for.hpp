// gpu-for: frame of reference and bit-packing.
// Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer Compression in GPU",
// SIGMOD 2022, section 4.1, figures 3 and 4; order of the fields as the authors' program writes
// them.
//
// Format, in 32-bit words:
//   header        128 (block size), 4 (miniblocks a block), total count, first value (0 if none)
//   block starts  blocks + 1 words, counted from the beginning of the header; the last one is the
//                 length of all
//   blocks        reference   the smallest value, signed
//                 widths      four 8-bit widths, the first miniblock's in the lowest byte
//                 payload     four miniblocks of 32 values (value - reference), low bits first
// Values missing in the last block are coded as the reference, that is as 0. All arithmetic is
// modulo 2^32. Every miniblock has the smallest width that it needs (the authors' program gives all
// four the largest of them): b + 0.75 bits per integer at most for values in [0, 2^b).
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/miniblocks.hpp"
#include "codecs/core/packed_sums.hpp"
#include "codecs/core/quads.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

struct GpuFor : MiniblockFormat {
  static constexpr std::string_view name = "gpu-for";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = kTile;
  static constexpr TileTraits traits{
      .posting = false, .full_tiles = true, .boundaries = true, .wide = true, .sums = true};

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
      words[base + kHeaderWords + j] = static_cast<std::uint32_t>(words.size() - base);
      encode_block(values.subspan(std::size_t{j} * block, std::min(block, count - j * block)),
                   words);
    }
    words[base + kHeaderWords + blocks] = static_cast<std::uint32_t>(words.size() - base);
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuFor>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    return list_fault(words, count, "the header is not gpu-for's");
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    return miniblock_fault(words, count, j, 0);
  }

  static constexpr std::uint32_t tile_words = kTile + kBlockHeader;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {list.words[kHeaderWords + first], list.words[kHeaderWords + last]};
  }

  struct Cursor {
    std::uint32_t start;  ///< word at which the next tile's block starts
  };

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView list, std::uint32_t tile) {
    return {list.words[kHeaderWords + tile]};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t* start = payload.at(cursor.start);
    const std::uint32_t widths = start[1];
    if (none_above<8>(widths)) {
      unpack<4>(lanes, start, widths, out);
    } else if (none_above<16>(widths)) {
      unpack<2>(lanes, start, widths, out);
    } else {
      unpack<1>(lanes, start, widths, out);
    }
    clear_beyond(lanes, tile_size(list.count, tile), out);
    cursor.start += kBlockHeader + payload_words(widths);
  }

  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[kHeaderWords + tile];
  }

  GANNET_HD static Extent extent_between(ListView, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    return {begin, end};
  }

  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t,
                                  typename Lanes::template Var<WideQuads>& out) {
    const auto start_of = [&](std::uint32_t t) { return tiles.payload.at(tiles.boundaries[t]); };
    std::uint32_t widths[kWideTiles];
    for (std::uint32_t t = 0; t < kWideTiles; ++t) widths[t] = start_of(t)[1];
    with_width_class(width_class_of(widths), [&]<WidthClass kClass>() {
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t t = 0; t < kWideTiles; ++t) {
          const std::uint32_t* start = start_of(t);
          Quad& quad = out[lane].tile[t];
          quad = unpack_mini_quad<kClass>(start + kBlockHeader, widths[t], lane);
          for (std::uint32_t& value : quad.value) value += start[0];
        }
      });
    });
  }

  /// A miniblock a lane.
  template <class Lanes>
  GANNET_HD static void sum_groups(Lanes lanes, const StagedTiles& tiles, std::uint32_t groups,
                                   bool is_signed,
                                   typename Lanes::template Var<std::uint64_t>& sums) {
    static_assert(kGroupTiles * kMinis == kLanes);
    const auto mini_of = [&](std::uint32_t group, std::uint32_t lane) -> MiniblockView {
      const std::uint32_t tile = group * kGroupTiles + lane / kMinis;
      const std::uint32_t* start = tiles.payload.at(tiles.boundaries[tile]);
      const std::uint32_t mini = lane % kMinis;
      // Of even widths, all miniblocks start at banks of shared memory of one parity: half of the
      // lanes change to the other one.
      return {start + kBlockHeader + mini_start(start[1], mini), width_of(start[1], mini), start[0],
              lane / 2 % 2};
    };
    sum_minis<2>(lanes, groups, mini_of, is_signed, sums);
  }

  static void next_full(ListView list, std::uint32_t, Cursor& cursor, std::uint32_t* out) {
    const std::uint32_t* start = list.words + cursor.start;
    const std::uint32_t* packed = start + kBlockHeader;
    for (std::uint32_t m = 0; m < kMinis; ++m) {
      const std::uint32_t width = width_of(start[1], m);
      unpack32(packed, width, out + m * kMiniSize);
      packed += width;
    }
    for (std::uint32_t i = 0; i < kTile; ++i) out[i] += start[0];
    cursor.start = static_cast<std::uint32_t>(packed - list.words);
  }

 private:
  /// Whether all four widths are at most `Most`.
  template <std::uint32_t Most>
  GANNET_HD static bool none_above(std::uint32_t widths) {
    return ((widths + (0x7f - Most) * 0x01010101u) & 0x80808080u) == 0;
  }

  template <std::uint32_t Together, class Lanes>
  GANNET_HD static void unpack(Lanes lanes, const std::uint32_t* start, std::uint32_t widths,
                               typename Lanes::template Var<Quad>& out) {
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t mini = lane / (kMiniSize / 4);
      const std::uint32_t width = width_of(widths, mini);
      const std::uint32_t* packed = start + kBlockHeader + mini_start(widths, mini);
      unpack_four<Together>(base_of(packed, width), lane % (kMiniSize / 4) * 4 * width, width,
                            start[0], out[lane]);
    });
  }
};

}  // namespace gannet::codecs
