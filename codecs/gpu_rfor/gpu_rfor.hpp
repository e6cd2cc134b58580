// gpu-rfor: run lengths, then frame of reference and bit-packing over values and run lengths.
// Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer Compression in GPU",
// SIGMOD 2022, section 6; order of the fields as the authors' program writes them.
//
// Format: two streams, first that of the values of the runs, then that of their lengths. Each, in
// 32-bit words:
//   header        512 (block size), 4 (miniblocks a block; there are none), total count, first
//                 value of the column (0 if none; the same in both streams)
//   block starts  blocks + 1 words, counted from the beginning of the stream's header; the last one
//                 is the length of the stream
//   blocks        reference   the smallest number, signed
//                 widths      the one width, in each of the four bytes
//                 runs        how many
//                 payload     number - reference of each run, low bits first, up to a whole word
// Runs end where a block of 512 values ends. Width 0 takes no payload (the authors' program writes
// a word), and the last block ends with the column (theirs fills it up with the last value).
//
// A tile by itself (next) is decoded without scratch memory, a whole block (next_wide) with it:
// window.hpp, block.hpp.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/packed_sums.hpp"
#include "codecs/core/quads.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/gpu_rfor/block.hpp"
#include "codecs/gpu_rfor/streams.hpp"
#include "codecs/gpu_rfor/window.hpp"

namespace gannet::codecs {

struct GpuRfor {
  static constexpr std::string_view name = rfor::kName;
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = rfor::kBlock;
  /// 9 bits each of 512 runs and a header, for four tiles.
  static constexpr std::uint32_t kTileLengthsWords = 37;
  /// A word for every run, its value, and a byte for every position: 1 where a run starts. The last
  /// word is for what would start behind the block.
  static constexpr std::uint32_t kScratchWords = block + block / 4 + 4;
  static constexpr TileTraits traits{.posting = false,
                                     .full_tiles = true,
                                     .boundaries = true,
                                     .wide = true,
                                     .sums = true,
                                     .lengths_words = kTileLengthsWords,
                                     .scratch_words = kScratchWords};
  static constexpr std::uint32_t kTilesPerBlock = block / kTile;
  static constexpr std::uint32_t kHeaderWords = rfor::kHeaderWords;
  static constexpr std::uint32_t kMinis = rfor::kMinis;
  static constexpr std::uint32_t kBlockHeader = rfor::kBlockHeader;
  static constexpr std::uint32_t kMaxLengthBits = rfor::kMaxLengthBits;
  using Cursor = rfor::Cursor;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t first = count > 0 ? values[0] : 0;
    rfor::StreamWriter value_stream(words, count, first);
    std::vector<std::uint32_t> length_words;
    rfor::StreamWriter length_stream(length_words, count, first);
    std::vector<std::uint32_t> run_values;
    std::vector<std::uint32_t> run_lengths;
    StopCheck check_stop;
    for (std::uint32_t start = 0; start < count; start += std::min(block, count - start)) {
      check_stop();
      rfor::split_runs(values.subspan(start, std::min(block, count - start)), run_values,
                       run_lengths);
      value_stream.add(run_values);
      length_stream.add(run_lengths);
    }
    value_stream.finish();
    length_stream.finish();
    words.insert(words.end(), length_words.begin(), length_words.end());
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuRfor>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (const Fault fault = rfor::stream_frame_fault(words, count)) return fault;
    const WordView lengths = lengths_of(words, count);
    if (const Fault fault = rfor::stream_frame_fault(lengths, count)) return fault;
    if (rfor::stream_end(lengths, count) != lengths.size) {
      return "it has not as many words as its blocks take";
    }
    return nullptr;
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    if (const Fault fault = rfor::stream_block_fault(words, count, j, 32)) return fault;
    const WordView lengths = lengths_of(words, count);
    if (const Fault fault = rfor::stream_block_fault(lengths, count, j, kMaxLengthBits)) {
      return fault;
    }
    const std::uint32_t* runs = lengths.words + lengths[kHeaderWords + j];
    if (words[std::uint64_t{words[kHeaderWords + j]} + 2] != runs[2]) {
      return "it has more values than run lengths, or fewer";
    }
    const std::uint32_t left = count - j * block;
    return rfor::lengths_fault(runs, left < block ? left : block);
  }

  static constexpr std::uint32_t tile_words = kTile + 1;

  /// The values. Run lengths stand elsewhere, at lengths_extent().
  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {value_start(list, first / kTilesPerBlock),
            value_start(list, ceil_div(last, kTilesPerBlock))};
  }

  /// Where the run lengths of tiles [first, last) stand, for callers that stage these as well.
  GANNET_HD static Extent lengths_extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {length_start(list, first / kTilesPerBlock),
            length_start(list, ceil_div(last, kTilesPerBlock))};
  }

  /// A tile's boundary is where its block's values start; the second tile of a block tells where
  /// the run lengths are.
  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    const std::uint32_t j = tile / kTilesPerBlock;
    return tile % kTilesPerBlock == 1 ? length_start(list, j) : value_start(list, j);
  }

  GANNET_HD static Extent extent_between(ListView, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    return {begin, end};
  }

  /// Inside of a block, the run lengths of the tiles before `tile` are added up.
  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile) {
    const std::uint32_t j = tile / kTilesPerBlock;
    Cursor cursor{value_start(list, j), length_start(list, j), 0, 0, 0, 0, 0, 0, 0};
    const std::uint32_t before = tile % kTilesPerBlock;
    if (before == 0) return cursor;
    const Payload all{list.words, 0};
    open_block(all, all, cursor);
    typename Lanes::template Var<Quad> ignored;
    for (std::uint32_t t = 0; t < before; ++t) rfor::locate(lanes, all, true, cursor, ignored);
    return cursor;
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    next(lanes, list, payload, Payload{list.words, 0}, tile, cursor, out);
  }

  /// The same with the run lengths read from a payload of their own.
  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, Payload lengths,
                             std::uint32_t tile, Cursor& cursor,
                             typename Lanes::template Var<Quad>& out) {
    const std::uint32_t sub = tile % kTilesPerBlock;
    const std::uint32_t size = tile_size(list.count, tile);
    if (sub == 0) open_block(payload, lengths, cursor);
    const std::uint32_t* packed =
        base_of(payload.at(cursor.values + kBlockHeader), cursor.value_width);
    if (cursor.runs == block) {
      unpack_tile(lanes, packed, sub, cursor, out);
    } else {
      rfor::locate(lanes, lengths, sub + 1 < kTilesPerBlock && size == kTile, cursor, out);
      rfor::fetch(lanes, packed, size, cursor, out);
    }
    clear_beyond(lanes, size, out);
    if (sub + 1 == kTilesPerBlock) close_block(cursor);
  }

  /// A whole block.
  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t,
                                  typename Lanes::template Var<WideQuads>& out) {
    static_assert(kTilesPerBlock == kWideTiles);
    Cursor cursor{tiles.boundaries[0], tiles.boundaries[1], 0, 0, 0, 0, 0, 0, 0};
    open_block(tiles.payload, tiles.lengths, cursor);
    const std::uint32_t* values = tiles.payload.at(cursor.values + kBlockHeader);
    const std::uint32_t* lengths = tiles.lengths.at(cursor.lengths + kBlockHeader);
    with_width_class(width_class(cursor.value_width), [&]<WidthClass kClass>() {
      if (cursor.runs == block) {
        rfor::unpack_block<kClass>(lanes, values, cursor, out);
      } else if (cursor.runs <= 3 * 4 * kLanes) {
        rfor::spread_runs<kClass, 1>(lanes, values, lengths, cursor, tiles.scratch);
      } else {
        rfor::spread_runs<kClass, 2>(lanes, values, lengths, cursor, tiles.scratch);
      }
    });
    if (cursor.runs < block) rfor::look_up_runs(lanes, tiles.scratch, out);
  }

  /// Two blocks per group. Runs are not written out: each adds its value times its length.
  template <class Lanes>
  GANNET_HD static void sum_groups(Lanes lanes, const StagedTiles& tiles, std::uint32_t groups,
                                   bool is_signed,
                                   typename Lanes::template Var<std::uint64_t>& sums) {
    static_assert(kGroupTiles == 2 * kTilesPerBlock);
    const std::uint32_t* boundaries = tiles.boundaries;
    const auto no_runs = [&](std::uint32_t tile) {
      return tiles.payload.at(boundaries[tile])[2] == block;
    };
    for (std::uint32_t t = 0; t < groups * kGroupTiles; t += kTilesPerBlock) {
      if (t % kGroupTiles == 0 && no_runs(t) && no_runs(t + kTilesPerBlock)) {
        sum_values(lanes, tiles.payload, boundaries + t, is_signed, sums);
        t += kTilesPerBlock;
        continue;
      }
      Cursor cursor{boundaries[t], boundaries[t + 1], 0, 0, 0, 0, 0, 0, 0};
      open_block(tiles.payload, tiles.lengths, cursor);
      const std::uint32_t* values = tiles.payload.at(cursor.values + kBlockHeader);
      const std::uint32_t* lengths = tiles.lengths.at(cursor.lengths + kBlockHeader);
      with_width_class(width_class(cursor.value_width), [&]<WidthClass kClass>() {
        rfor::sum_runs<kClass>(lanes, values, lengths, cursor, is_signed, sums);
      });
    }
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    const std::uint32_t sub = tile % kTilesPerBlock;
    const Payload all{list.words, 0};
    if (sub == 0) open_block(all, all, cursor);
    const std::uint32_t* packed = list.words + cursor.values + kBlockHeader;
    if (cursor.runs == block) {
      unpack128(packed + sub * (kTile / 32) * cursor.value_width, cursor.value_width, out);
      for (std::uint32_t i = 0; i < kTile; ++i) out[i] += cursor.value_reference;
    } else {
      write_runs(packed, list.words + cursor.lengths + kBlockHeader, cursor, out);
    }
    if (sub + 1 == kTilesPerBlock) close_block(cursor);
  }

 private:
  /// The second stream of words whose first one has a frame without faults.
  GANNET_HD static WordView lengths_of(WordView words, std::uint32_t count) {
    const std::uint64_t end = rfor::stream_end(words, count);
    return {words.words + end, words.size - end};
  }

  GANNET_HD static std::uint32_t value_start(ListView list, std::uint32_t j) {
    return list.words[kHeaderWords + j];
  }

  GANNET_HD static std::uint32_t length_start(ListView list, std::uint32_t j) {
    const std::uint32_t stream = value_start(list, ceil_div(list.count, block));
    return stream + list.words[stream + kHeaderWords + j];
  }

  /// Reads the headers of the block whose start the cursor knows.
  GANNET_HD static void open_block(Payload values, Payload lengths, Cursor& cursor) {
    const std::uint32_t* value = values.at(cursor.values);
    const std::uint32_t* length = lengths.at(cursor.lengths);
    cursor.value_reference = value[0];
    cursor.value_width = value[1] & 0xff;
    cursor.runs = value[2];
    cursor.length_reference = length[0];
    cursor.length_width = length[1] & 0xff;
    cursor.run = 0;
    cursor.done = 0;
  }

  GANNET_HD static void close_block(Cursor& cursor) {
    cursor.values += kBlockHeader + ceil_div(cursor.runs * cursor.value_width, 32);
    cursor.lengths += kBlockHeader + ceil_div(cursor.runs * cursor.length_width, 32);
  }

  /// A tile of a block in which every run has one value.
  template <class Lanes>
  GANNET_HD static void unpack_tile(Lanes lanes, const std::uint32_t* base, std::uint32_t sub,
                                    const Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t width = cursor.value_width;
      const std::uint32_t bit = (sub * kTile + 4 * lane) * width;
      if (width <= 8) {
        unpack_four<4>(base, bit, width, cursor.value_reference, out[lane]);
      } else {
        unpack_four<1>(base, bit, width, cursor.value_reference, out[lane]);
      }
    });
  }

  /// sum_groups() of two blocks without runs: 32 values per lane.
  template <class Lanes>
  GANNET_HD static void sum_values(Lanes lanes, Payload payload, const std::uint32_t* boundaries,
                                   bool is_signed,
                                   typename Lanes::template Var<std::uint64_t>& sums) {
    constexpr std::uint32_t kLanesPerBlock = block / 32;
    const auto mini = [&](std::uint32_t, std::uint32_t lane) -> MiniblockView {
      const std::uint32_t* start = payload.at(boundaries[lane / kLanesPerBlock * kTilesPerBlock]);
      const std::uint32_t width = start[1] & 0xff;
      return {start + kBlockHeader + lane % kLanesPerBlock * width, width, start[0],
              swizzle_of(2 * (lane % kLanesPerBlock))};
    };
    sum_minis<kLanes>(lanes, 1, mini, is_signed, sums);
  }

  /// Writes 128 values, run by run, and moves the cursor behind them. Short runs are written as
  /// eight values, of which the next runs overwrite those that are theirs.
  static void write_runs(const std::uint32_t* values, const std::uint32_t* lengths, Cursor& cursor,
                         std::uint32_t* out) {
    constexpr std::uint32_t kAtOnce = 8;
    std::uint32_t left = kTile;
    while (left > 0) {
      const std::uint32_t length =
          cursor.length_reference +
          extract(lengths, cursor.run * cursor.length_width, cursor.length_width);
      const std::uint32_t value =
          cursor.value_reference +
          extract(values, cursor.run * cursor.value_width, cursor.value_width);
      const std::uint32_t size = std::min(left, length - cursor.done);
      if (left >= kAtOnce) std::fill_n(out, kAtOnce, value);
      if (left < kAtOnce || size > kAtOnce) std::fill_n(out, size, value);
      out += size;
      left -= size;
      cursor.done += size;
      if (cursor.done == length) {
        ++cursor.run;
        cursor.done = 0;
      }
    }
  }
};

}  // namespace gannet::codecs
