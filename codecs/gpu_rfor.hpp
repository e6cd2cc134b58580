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
// Decoding takes no scratch memory. It looks at windows of 128 runs, four a lane, and counts the
// starts of runs up to each position of a tile. Lanes' first runs start at sorted positions that
// are four or more apart, so that one word, with a bit for each four positions, tells which two
// lanes have the starts that matter to four positions. A window from the run in which a tile starts
// covers the tile (next); windows from the block's first run on cover it whole (next_wide).
#pragma once

#include <algorithm>

#include "gannet/codecs/codec.hpp"
#include "gannet/codecs/quads.hpp"
#include "gannet/codecs/unpack.hpp"
#include "gannet/codecs/wide.hpp"

namespace gannet::codecs {

struct GpuRfor {
  static constexpr CodecId id{9};
  static constexpr std::string_view name = "gpu-rfor";
  static constexpr std::uint32_t block = 512;
  static constexpr bool gaps = false;
  static constexpr bool posting = false;
  static constexpr std::uint32_t kTilesPerBlock = block / kTile;
  static constexpr std::uint32_t kHeaderWords = 4;
  static constexpr std::uint32_t kMinis = 4;
  static constexpr std::uint32_t kBlockHeader = 3;
  static constexpr std::uint32_t kMostLengthBits = 9;  ///< lengths are 1 .. 512, less their least

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t first = count > 0 ? values[0] : 0;
    StreamWriter value_stream(words, count, first);
    std::vector<std::uint32_t> length_words;
    StreamWriter length_stream(length_words, count, first);
    std::vector<std::uint32_t> run_values;
    std::vector<std::uint32_t> run_lengths;
    for (std::uint32_t start = 0; start < count; start += std::min(block, count - start)) {
      split_runs(values.subspan(start, std::min(block, count - start)), run_values, run_lengths);
      value_stream.add(run_values);
      length_stream.add(run_lengths);
    }
    value_stream.finish();
    length_stream.finish();
    words.insert(words.end(), length_words.begin(), length_words.end());
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    const std::uint64_t values_end = validate_stream(words, count, "values", 32);
    const auto lengths = words.subspan(values_end);
    const std::uint64_t end = validate_stream(lengths, count, "run lengths", kMostLengthBits);
    for (std::uint32_t j = 0; j < ceil_div(count, block); ++j) {
      const std::uint32_t* runs = lengths.data() + lengths[kHeaderWords + j];
      if (words[words[kHeaderWords + j] + 2] != runs[2]) {
        fail_block(name, j, "it has more values than run lengths, or fewer");
      }
      validate_lengths(runs, std::min(block, count - j * block), j);
    }
    if (lengths.size() != end) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its blocks take " +
                          std::to_string(values_end + end));
    }
  }

  static constexpr std::uint32_t tile_words = kTile + 1;

  /// The values. Run lengths stand elsewhere, at lengths_extent().
  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {value_start(list, first / kTilesPerBlock),
            value_start(list, ceil_div(last, kTilesPerBlock))};
  }

  /// 9 bits each of 512 runs and a header, for four tiles.
  static constexpr std::uint32_t tile_lengths_words = 37;

  /// Where the run lengths of tiles [first, last) stand, for who wants to stage these as well.
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

  struct Cursor {
    std::uint32_t values;   ///< word at which the block's values start (its header)
    std::uint32_t lengths;  ///< word at which its run lengths start
    std::uint32_t runs;     ///< these from `runs` on are unknown at the start of a block
    std::uint32_t value_reference;
    std::uint32_t value_width;
    std::uint32_t length_reference;
    std::uint32_t length_width;
    std::uint32_t run;   ///< the block's run in which the next tile starts
    std::uint32_t done;  ///< values of that run in tiles before
  };

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
    for (std::uint32_t t = 0; t < before; ++t) locate(lanes, all, true, cursor, ignored);
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
      locate(lanes, lengths, sub + 1 < kTilesPerBlock && size == kTile, cursor, out);
      fetch(lanes, packed, size, cursor, out);
    }
    clear_beyond(lanes, size, out);
    if (sub + 1 == kTilesPerBlock) close_block(cursor);
  }

  /// A whole block. Its run lengths are read from the list.
  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, ListView list, Payload payload,
                                  const std::uint32_t* boundaries, std::uint32_t,
                                  typename Lanes::template Var<WideQuads>& out) {
    static_assert(kTilesPerBlock == kWideTiles);
    Cursor cursor{boundaries[0], boundaries[1], 0, 0, 0, 0, 0, 0, 0};
    open_block(payload, Payload{list.words, 0}, cursor);
    const std::uint32_t* packed = payload.at(cursor.values + kBlockHeader);
    const WidthClass kind = width_class(cursor.value_width);
    if (cursor.runs == block) {
      with_width_class(kind, [&]<WidthClass kClass>() {
        lanes.each([&](std::uint32_t lane) {
          for (std::uint32_t t = 0; t < kWideTiles; ++t) {
            Quad& quad = out[lane].tile[t];
            quad = unpack_quad<kClass>(packed, t * kLanes + lane, cursor.value_width);
            for (std::uint32_t& value : quad.value) value += cursor.value_reference;
          }
        });
      });
      return;
    }
    locate_wide(lanes, list.words + cursor.lengths + kBlockHeader, cursor, out);
    if (kind == WidthClass::kUpTo8) {
      fetch_wide<WidthClass::kUpTo8>(lanes, packed, cursor, out);
    } else {
      fetch_wide<WidthClass::kUpTo32>(lanes, packed, cursor, out);
    }
  }

  /// Two blocks. Runs are not written out: each adds its value times its length.
  template <class Lanes>
  GANNET_HD static void sum_group(Lanes lanes, ListView list, Payload payload,
                                  const std::uint32_t* boundaries, bool is_signed,
                                  typename Lanes::template Var<std::uint64_t>& sums) {
    static_assert(kGroupTiles == 2 * kTilesPerBlock);
    if (payload.at(boundaries[0])[2] == block &&
        payload.at(boundaries[kTilesPerBlock])[2] == block) {
      sum_values(lanes, payload, boundaries, is_signed, sums);
      return;
    }
    for (std::uint32_t t = 0; t < kGroupTiles; t += kTilesPerBlock) {
      Cursor cursor{boundaries[t], boundaries[t + 1], 0, 0, 0, 0, 0, 0, 0};
      open_block(payload, Payload{list.words, 0}, cursor);
      const std::uint32_t* values = payload.at(cursor.values + kBlockHeader);
      const std::uint32_t* lengths = list.words + cursor.lengths + kBlockHeader;
      with_width_class(width_class(cursor.value_width), [&]<WidthClass kClass>() {
        lanes.each([&](std::uint32_t lane) {
          for (std::uint32_t q = lane; 4 * q < cursor.runs; q += kLanes) {
            const Quad value = unpack_quad<kClass>(values, q, cursor.value_width);
            const Quad length = unpack_quad<WidthClass::kUpTo16>(lengths, q, cursor.length_width);
            for (std::uint32_t i = 0; i < 4; ++i) {
              const std::uint32_t number = cursor.value_reference + value.value[i];
              const std::uint32_t times =
                  4 * q + i < cursor.runs ? cursor.length_reference + length.value[i] : 0;
              const auto high = is_signed && number >> 31 != 0 ? 0xffffffffu : 0u;
              sums[lane] += join(number, high) * times;
            }
          }
        });
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

  /// The lengths of four runs from `run` on, added up: value[i] is where run + i + 1 starts, if
  /// `run` starts at 0. Words behind packed[last] are not read; runs whose lengths they would hold
  /// have any length from 1 on.
  GANNET_HD static Quad ends_of(const std::uint32_t* packed, std::uint32_t run, std::int32_t last,
                                const Cursor& cursor) {
    const std::uint32_t width = cursor.length_width;
    const std::uint32_t mask = (1u << width) - 1;
    const std::uint32_t bit = run * width;
    const auto word = static_cast<std::int32_t>(bit / 32);
    std::uint32_t words[3];
    for (std::int32_t i = 0; i < 3; ++i) words[i] = packed[word + i < last ? word + i : last];
    const std::uint32_t near = funnel(words[0], words[1], bit % 32);
    const std::uint32_t far = funnel(words[1], words[2], bit % 32);
    Quad ends;
    ends.value[0] = cursor.length_reference + (near & mask);
    ends.value[1] = ends.value[0] + cursor.length_reference + (near >> width & mask);
    ends.value[2] = ends.value[1] + cursor.length_reference + (near >> (2 * width) & mask);
    ends.value[3] = ends.value[2] + cursor.length_reference + (funnel(near, far, 3 * width) & mask);
    return ends;
  }

  /// 128 runs, four a lane.
  template <class Lanes>
  struct Window {
    typename Lanes::template Var<std::uint32_t>
        start;                                ///< of a lane's first run, from the window's
    typename Lanes::template Var<Quad> ends;  ///< of a lane's runs, from its first one's
    std::uint32_t size;                       ///< values of all its runs
  };

  /// Opens the window of the runs from `run` on; `last` as in ends_of().
  template <class Lanes>
  GANNET_HD static void open_window(Lanes lanes, const std::uint32_t* packed, std::uint32_t run,
                                    std::int32_t last, const Cursor& cursor,
                                    Window<Lanes>& window) {
    lanes.each([&](std::uint32_t lane) {
      // Runs far behind the block's last one need not be told from those just behind it.
      const std::uint32_t mine = run + 4 * lane;
      window.ends[lane] = ends_of(packed, mine < cursor.runs ? mine : cursor.runs, last, cursor);
      window.start[lane] = window.ends[lane].value[3];
    });
    window.size = lanes.exclusive_scan(window.start);
  }

  /// Where a lane's four runs start inside of a tile: a byte each, 128 if behind it, 0 if before.
  /// `start` is where the first one starts.
  GANNET_HD static std::uint32_t pack_starts(std::int32_t start, const Quad& ends) {
    constexpr auto kEnd = static_cast<std::int32_t>(kTile);
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::int32_t at = i == 0 ? start : start + static_cast<std::int32_t>(ends.value[i - 1]);
      at = at < kEnd ? at : kEnd;
      at = at > 0 ? at : 0;
      bytes |= static_cast<std::uint32_t>(at) << (8 * i);
    }
    return bytes;
  }

  /// Adds to every position's number of `quad_of(lane)` how many of the window's runs start at or
  /// before it. The tile starts `offset` values behind the window's start (before it, if negative).
  template <class Lanes, class QuadOf>
  GANNET_HD static void count_starts(Lanes lanes, const Window<Lanes>& window, std::int32_t offset,
                                     QuadOf quad_of) {
    typename Lanes::template Var<std::uint32_t> starts;
    typename Lanes::template Var<std::uint32_t> cell;
    typename Lanes::template Var<std::uint32_t> before;
    lanes.each([&](std::uint32_t lane) {
      starts[lane] =
          pack_starts(static_cast<std::int32_t>(window.start[lane]) - offset, window.ends[lane]);
      // The first four positions that lie at or behind the start of the lane's first run: bit
      // ceil(start / 4), none for starts of 0 and for those behind the tile's last four.
      const std::uint32_t start = starts[lane] & 0xff;
      cell[lane] = 2u << ((start - 1) / 4 % 32);
      before[lane] = start == 0 ? 1 : 0;
    });
    const std::uint32_t cells = lanes.any_bits(cell);
    const std::uint32_t lanes_before = popcount(lanes.ballot(before));
    // The last lane that starts at or before the first of the four positions, and the one behind.
    typename Lanes::template Var<std::uint32_t> from;
    typename Lanes::template Var<std::uint32_t> after;
    lanes.each([&](std::uint32_t lane) {
      after[lane] = lanes_before + popcount(cells & ((2u << lane) - 1));
      from[lane] = (after[lane] - 1) % kLanes;
    });
    const auto first = lanes.gather(starts, from);
    lanes.each([&](std::uint32_t lane) { from[lane] = after[lane] % kLanes; });
    const auto second = lanes.gather(starts, from);
    lanes.each([&](std::uint32_t lane) {
      count_quad(lane, after[lane], first[lane], second[lane], quad_of(lane));
    });
  }

  /// count_starts() for one lane: `after` lanes start at or before its first position, the last of
  /// which has the starts `first`, the next one `second`.
  GANNET_HD static void count_quad(std::uint32_t lane, std::uint32_t after, std::uint32_t first,
                                   std::uint32_t second, Quad& quad) {
    constexpr std::uint32_t kBytes = 0x01010101u;
    constexpr std::uint32_t kHigh = 0x80808080u;
    // No lane before: as if one more lane had all its runs before the tile.
    if (after == 0) first = 0;
    if (after == kLanes) second = kTile * kBytes;
    // A byte of `high` - starts keeps its highest bit if the start is not behind the position.
    std::uint32_t high = (4 * lane + 128) * kBytes;
    const std::uint32_t own = popcount((high - first) & kHigh);
    const std::uint32_t count = 4 * after - 4 + own;
    // All that start at the next three positions are among the next four starts.
    const std::uint32_t next = own == 4 ? second : funnel(first, second, 8 * own);
    quad.value[0] += count;
    for (std::uint32_t i = 1; i < 4; ++i) {
      high += kBytes;
      quad.value[i] += count + popcount((high - next) & kHigh);
    }
  }

  /// Finds the run of every value of the tile. With `advance`, the cursor moves behind the tile,
  /// which must not be the last one of its block.
  template <class Lanes>
  GANNET_HD static void locate(Lanes lanes, Payload lengths, bool advance, Cursor& cursor,
                               typename Lanes::template Var<Quad>& runs) {
    Window<Lanes> window;
    open_window(lanes, lengths.at(cursor.lengths + kBlockHeader), cursor.run,
                static_cast<std::int32_t>(ceil_div(cursor.runs * cursor.length_width, 32)) - 1,
                cursor, window);
    const std::uint32_t before = cursor.run - 1;
    lanes.each([&](std::uint32_t lane) { runs[lane] = {{before, before, before, before}}; });
    count_starts(lanes, window, static_cast<std::int32_t>(cursor.done),
                 [&](std::uint32_t lane) -> Quad& { return runs[lane]; });
    if (advance) move_on(lanes, window, cursor);
  }

  /// Finds the run of every value of the block. What lies behind the lengths may be read.
  template <class Lanes>
  GANNET_HD static void locate_wide(Lanes lanes, const std::uint32_t* packed, const Cursor& cursor,
                                    typename Lanes::template Var<WideQuads>& runs) {
    Marks<Lanes> marks;
    if (cursor.runs <= kLanes) {
      mark_one(lanes, packed, cursor, marks);
      count_marks<false>(lanes, marks, runs);
    } else if (cursor.runs > block / 2 && cursor.length_width <= kMostSixteenBits &&
               mark_sixteen(lanes, packed, cursor, marks)) {
      count_marks<true>(lanes, marks, runs);
    } else {
      count_windows(lanes, packed, cursor, runs);
    }
  }

  /// Where a lane's runs start: bits of two consecutive words of a map of the block's 512
  /// positions.
  template <class Lanes>
  struct Marks {
    typename Lanes::template Var<std::uint32_t> word;  ///< which word `low` is; 16 is none
    typename Lanes::template Var<std::uint32_t> low;
    typename Lanes::template Var<std::uint32_t> high;
  };

  /// Marks the start of one run a lane.
  template <class Lanes>
  GANNET_HD static void mark_one(Lanes lanes, const std::uint32_t* packed, const Cursor& cursor,
                                 Marks<Lanes>& marks) {
    typename Lanes::template Var<std::uint32_t> start;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t bit = (lane < cursor.runs ? lane : cursor.runs) * cursor.length_width;
      const std::uint32_t bits = funnel(packed[bit / 32], packed[bit / 32 + 1], bit % 32);
      start[lane] = cursor.length_reference + (bits & low_mask(cursor.length_width));
    });
    lanes.exclusive_scan(start);
    lanes.each([&](std::uint32_t lane) {
      marks.word[lane] = start[lane] / 32;
      marks.low[lane] = 1u << start[lane] % 32;
      marks.high[lane] = 0;
    });
  }

  /// Widest lengths of which 16 fit two words.
  static constexpr std::uint32_t kMostSixteenBits = 4;

  /// Marks the starts of 16 runs a lane, of a block with more than 256: their lengths are 1 to 16.
  /// False if a lane's runs start 32 positions or more apart.
  template <class Lanes>
  GANNET_HD static bool mark_sixteen(Lanes lanes, const std::uint32_t* packed, const Cursor& cursor,
                                     Marks<Lanes>& marks) {
    const std::uint32_t width = cursor.length_width;
    const std::uint32_t mask = low_mask(width);
    typename Lanes::template Var<std::uint32_t> start;
    typename Lanes::template Var<std::uint32_t> span;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t bit = (16 * lane < cursor.runs ? 16 * lane : cursor.runs) * width;
      const std::uint32_t* words = packed + bit / 32;
      const std::uint32_t low = funnel(words[0], words[1], bit % 32);
      const std::uint32_t high = funnel(words[1], words[2], bit % 32);
      const std::uint32_t halves[2] = {low,
                                       static_cast<std::uint32_t>(join(low, high) >> (8 * width))};
      std::uint32_t bits = 1;  // from the last run to the first: each moves those behind it on
      start[lane] = cursor.length_reference + (halves[1] >> (7 * width) & mask);
      span[lane] = 0;
      for (std::uint32_t r = 15; r-- > 0;) {
        const std::uint32_t length =
            cursor.length_reference + (halves[r / 8] >> (r % 8 * width) & mask);
        bits = bits << length | 1;
        span[lane] += length;
      }
      start[lane] += span[lane];
      marks.low[lane] = bits;
    });
    lanes.exclusive_scan(start);
    lanes.each([&](std::uint32_t lane) {
      // Starts that got lost do not matter behind the block.
      span[lane] = span[lane] >= 32 && start[lane] + 32 < block ? 1 : 0;
      const std::uint64_t bits = std::uint64_t{marks.low[lane]} << start[lane] % 32;
      marks.word[lane] = start[lane] / 32;
      marks.low[lane] = static_cast<std::uint32_t>(bits);
      marks.high[lane] = static_cast<std::uint32_t>(bits >> 32);
    });
    return lanes.ballot(span) == 0;
  }

  /// Sets every value's number to that of its run, by counting the marks up to it.
  template <bool kHigh, class Lanes>
  GANNET_HD static void count_marks(Lanes lanes, const Marks<Lanes>& marks,
                                    typename Lanes::template Var<WideQuads>& runs) {
    std::uint32_t before = ~0u;  // runs that start before the word, less one
    const auto count_tile = [&](std::uint32_t t) {
      std::uint32_t map[4];
      std::uint32_t first[4];
      for (std::uint32_t i = 0; i < 4; ++i) {
        typename Lanes::template Var<std::uint32_t> mine;
        lanes.each([&](std::uint32_t lane) {
          const std::uint32_t word = 4 * t + i;
          mine[lane] = marks.word[lane] == word ? marks.low[lane] : 0;
          if (kHigh && marks.word[lane] + 1 == word) mine[lane] = marks.high[lane];
        });
        map[i] = lanes.any_bits(mine);
        first[i] = before;
        before += popcount(map[i]);
      }
      lanes.each([&](std::uint32_t lane) {
        const std::uint32_t i = lane / 8;  // 8 lanes have 32 positions
        const std::uint32_t word = i < 2 ? (i == 0 ? map[0] : map[1]) : i == 2 ? map[2] : map[3];
        const std::uint32_t base = i < 2    ? (i == 0 ? first[0] : first[1])
                                   : i == 2 ? first[2]
                                            : first[3];
        const std::uint32_t shift = lane % 8 * 4;
        const std::uint32_t own = word >> shift;
        Quad& quad = runs[lane].tile[t];
        quad.value[0] = base + popcount(word & ((1u << shift) - 1)) + (own & 1);
        quad.value[1] = quad.value[0] + (own >> 1 & 1);
        quad.value[2] = quad.value[1] + (own >> 2 & 1);
        quad.value[3] = quad.value[2] + (own >> 3 & 1);
      });
    };
    count_tile(0);
    count_tile(1);
    count_tile(2);
    count_tile(3);
  }

  /// locate_wide() for any run lengths, window by window.
  template <class Lanes>
  GANNET_HD static void count_windows(Lanes lanes, const std::uint32_t* packed,
                                      const Cursor& cursor,
                                      typename Lanes::template Var<WideQuads>& runs) {
    constexpr std::int32_t kAnyWord = 1 << 30;
    constexpr auto kSize = static_cast<std::int32_t>(kTile);
    lanes.each([&](std::uint32_t lane) {
      for (Quad& quad : runs[lane].tile) quad = {{~0u, ~0u, ~0u, ~0u}};
    });
    std::int32_t start = 0;  // of the window
    std::uint32_t run = 0;
    do {
      Window<Lanes> window;
      open_window(lanes, packed, run, kAnyWord, cursor, window);
      const std::int32_t end = start + static_cast<std::int32_t>(window.size);
      const auto count_tile = [&](std::uint32_t t) {
        const auto tile = static_cast<std::int32_t>(t * kTile);
        if (start < tile + kSize && tile < end) {
          count_starts(lanes, window, tile - start,
                       [&](std::uint32_t lane) -> Quad& { return runs[lane].tile[t]; });
        } else if (end <= tile) {
          lanes.each([&](std::uint32_t lane) {
            for (std::uint32_t& number : runs[lane].tile[t].value) number += 4 * kLanes;
          });
        }
      };
      count_tile(0);
      count_tile(1);
      count_tile(2);
      count_tile(3);
      start = end;
      run += 4 * kLanes;
    } while (run < cursor.runs);
  }

  /// Moves the cursor 128 positions on: to the last run that starts at or before position 128.
  template <class Lanes>
  GANNET_HD static void move_on(Lanes lanes, const Window<Lanes>& window, Cursor& cursor) {
    typename Lanes::template Var<std::uint32_t> reached;
    typename Lanes::template Var<std::uint32_t> last;  // run of the lane << 16 | values of it
    lanes.each([&](std::uint32_t lane) {
      const auto left = static_cast<std::int32_t>(kTile + cursor.done - window.start[lane]);
      reached[lane] = left >= 0 ? 1 : 0;
      last[lane] = static_cast<std::uint32_t>(left);
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::int32_t rest = left - static_cast<std::int32_t>(window.ends[lane].value[i]);
        if (rest >= 0) last[lane] = (i + 1) << 16 | static_cast<std::uint32_t>(rest);
      }
    });
    const std::uint32_t lane = popcount(lanes.ballot(reached)) - 1;
    const std::uint32_t found = lanes.broadcast(last, lane);
    cursor.run += 4 * lane + (found >> 16);
    cursor.done = found & 0xffff;
  }

  /// Replaces the runs by their values.
  template <class Lanes>
  GANNET_HD static void fetch(Lanes lanes, const std::uint32_t* base, std::uint32_t size,
                              const Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t width = cursor.value_width;
    const std::uint32_t mask = low_mask(width);
    lanes.each([&](std::uint32_t lane) {
      Quad runs = out[lane];
      if (size < kTile) {
        for (std::uint32_t& run : runs.value) run = run < cursor.runs ? run : cursor.runs - 1;
      }
      if (width <= 8) {
        const std::uint32_t first = runs.value[0] * width;
        const std::uint32_t bits = window(base, first, runs.value[3] * width + width);
        for (std::uint32_t i = 0; i < 4; ++i) {
          const std::uint32_t shift = runs.value[i] * width - first;
          out[lane].value[i] = cursor.value_reference + (bits >> shift & mask);
        }
        return;
      }
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t bit = runs.value[i] * width;
        out[lane].value[i] = cursor.value_reference + (window(base, bit, bit + width) & mask);
      }
    });
  }

  /// The same for a block. Values are of class kUpTo8, or of any if kUpTo32.
  template <WidthClass kClass, class Lanes>
  GANNET_HD static void fetch_wide(Lanes lanes, const std::uint32_t* packed, const Cursor& cursor,
                                   typename Lanes::template Var<WideQuads>& out) {
    const std::uint32_t width = cursor.value_width;
    const std::uint32_t mask = low_mask(width);
    const auto bits_at = [&](std::uint32_t bit) {
      return funnel(packed[bit / 32], packed[bit / 32 + 1], bit % 32);
    };
    lanes.each([&](std::uint32_t lane) {
      for (Quad& quad : out[lane].tile) {
        const std::uint32_t first = quad.value[0] * width;
        const std::uint32_t bits = bits_at(first);
        quad.value[0] = cursor.value_reference + (bits & mask);
        for (std::uint32_t i = 1; i < 4; ++i) {
          const std::uint32_t bit = quad.value[i] * width;
          const std::uint32_t own =
              kClass == WidthClass::kUpTo8 ? bits >> (bit - first) : bits_at(bit);
          quad.value[i] = cursor.value_reference + (own & mask);
        }
      }
    });
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

  /// sum_group() of two blocks without runs: 32 values a lane.
  template <class Lanes>
  GANNET_HD static void sum_values(Lanes lanes, Payload payload, const std::uint32_t* boundaries,
                                   bool is_signed,
                                   typename Lanes::template Var<std::uint64_t>& sums) {
    constexpr std::uint32_t kLanesPerBlock = block / 32;
    typename Lanes::template Var<Mini> minis;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t* start = payload.at(boundaries[lane / kLanesPerBlock * kTilesPerBlock]);
      const std::uint32_t width = start[1] & 0xff;
      // Lanes whose miniblocks start at the same bank take their words in different orders.
      minis[lane] = {start + kBlockHeader + lane % kLanesPerBlock * width, width, start[0],
                     lane % kLanesPerBlock};
    });
    sum_minis(lanes, minis, is_signed, sums);
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

  static void split_runs(std::span<const std::uint32_t> values,
                         std::vector<std::uint32_t>& run_values,
                         std::vector<std::uint32_t>& run_lengths) {
    run_values.clear();
    run_lengths.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == 0 || values[i] != values[i - 1]) {
        run_values.push_back(values[i]);
        run_lengths.push_back(0);
      }
      ++run_lengths.back();
    }
  }

  /// Appends one stream, block by block.
  class StreamWriter {
   public:
    StreamWriter(std::vector<std::uint32_t>& words, std::uint32_t count, std::uint32_t first)
        : words_(words), base_(words.size()) {
      words.resize(base_ + kHeaderWords + ceil_div(count, block) + 1);
      words[base_] = block;
      words[base_ + 1] = kMinis;
      words[base_ + 2] = count;
      words[base_ + 3] = first;
    }

    void add(const std::vector<std::uint32_t>& numbers) {
      finish();
      auto reference = static_cast<std::int32_t>(numbers[0]);
      for (const std::uint32_t number : numbers) {
        reference = std::min(reference, static_cast<std::int32_t>(number));
      }
      std::vector<std::uint32_t> offsets(numbers);
      for (std::uint32_t& offset : offsets) offset -= static_cast<std::uint32_t>(reference);
      const std::uint32_t width = max_width(offsets);
      words_.push_back(static_cast<std::uint32_t>(reference));
      words_.push_back(width * 0x01010101u);
      words_.push_back(static_cast<std::uint32_t>(offsets.size()));
      pack(offsets, width, words_);
    }

    /// Notes where the next block, or the end, is.
    void finish() {
      words_[base_ + kHeaderWords + blocks_++] = static_cast<std::uint32_t>(words_.size() - base_);
    }

   private:
    std::vector<std::uint32_t>& words_;
    std::size_t base_;
    std::size_t blocks_ = 0;
  };

  /// Checks the stream at the beginning of `words`, except for what its numbers are; returns its
  /// length.
  static std::uint64_t validate_stream(std::span<const std::uint32_t> words, std::uint32_t count,
                                       const std::string& what, std::uint32_t most_bits) {
    const std::uint32_t blocks = ceil_div(count, block);
    if (words.size() < std::size_t{kHeaderWords} + blocks + 1) {
      fail_list(name, "the stream of " + what + " is cut off");
    }
    if (words[0] != block || words[1] != kMinis) {
      fail_list(name, "the header of the " + what + " is not gpu-rfor's");
    }
    if (words[2] != count) {
      fail_list(name, "the header of the " + what + " says " + std::to_string(words[2]) +
                          " values, not " + std::to_string(count));
    }
    std::uint64_t expected = std::uint64_t{kHeaderWords} + blocks + 1;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      if (words[kHeaderWords + j] != expected) {
        fail_block(name, j, "its " + what + " do not start where those before them end");
      }
      if (expected + kBlockHeader > words.size()) {
        fail_block(name, j, "its " + what + " are cut off");
      }
      const std::uint32_t width = words[expected + 1] & 0xff;
      if (words[expected + 1] != width * 0x01010101u || width > most_bits) {
        fail_block(name, j, "its " + what + " cannot have this width");
      }
      const std::uint32_t runs = words[expected + 2];
      if (runs == 0 || runs > std::min(block, count - j * block)) {
        fail_block(name, j, "it cannot have " + std::to_string(runs) + " runs");
      }
      expected += kBlockHeader + ceil_div(runs * width, 32);
    }
    if (words[kHeaderWords + blocks] != expected || words.size() < expected) {
      fail_list(name, "the stream of " + what + " is cut off, or does not end where it says");
    }
    return expected;
  }

  static void validate_lengths(const std::uint32_t* start, std::uint32_t size, std::uint32_t j) {
    const std::uint32_t reference = start[0];
    const std::uint32_t width = start[1] & 0xff;
    if (reference == 0 || reference > block) fail_block(name, j, "it has impossible run lengths");
    std::uint64_t total = 0;
    for (std::uint32_t run = 0; run < start[2]; ++run) {
      total += reference + extract(start + kBlockHeader, run * width, width);
    }
    if (total != size) {
      fail_block(name, j,
                 "its runs have " + std::to_string(total) + " values, not " + std::to_string(size));
    }
  }
};

}  // namespace gannet::codecs
