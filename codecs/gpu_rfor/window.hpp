// How a tile of gpu-rfor is decoded by itself: without scratch memory, from a window of 128 runs.
//
// The window holds four runs a lane, and begins with the run in which the tile starts. Lanes' first
// runs start at sorted positions that are four or more apart, so that one word, with a bit for each
// four positions, tells which two lanes have the starts that matter to four positions.
//
// An example. The tile starts with a run; the runs have 3, 5, 1, 10 values (lane 0), 2, 20, 4, 6
// (lane 1), 70, ... (lane 2). So they start at
//     lane 0: 0 3 8 9       pack_starts: 0x09080300, a byte a run, the first one's lowest
//     lane 1: 19 21 41 45                0x2d291513
//     lane 2: 51 121 128 128             0x80807933, 128 being behind the tile
// Which run has position 20, the first of lane 5's four? count_starts() sets bit ceil(19 / 4) = 5
// for lane 1 and bit ceil(51 / 4) = 13 for lane 2; lane 0 starts at 0 and is counted apart. Up to
// bit 5 that is 1 + 1 lanes: lane 1 is the last that starts at or before position 20, and the lanes
// before it have 4 runs. count_quad() compares lane 1's four bytes with 20 at once:
//     0x94949494 (20 + 128 in each byte) - 0x2d291513 = 0x676b7f81
// No byte borrows from the next, since starts are at most 128; a byte keeps its highest bit where
// the start is not behind the position. One does: 4 + 1 = 5 runs start up to position 20, so it
// belongs to the fifth, of values 19 and 20. The next positions look at the four bytes behind that
// one, 0x332d2915, shifted together from both lanes: 0x95959595 less that keeps the bit of 0x15, so
// position 21 belongs to the sixth run.
#pragma once

#include "codecs/core/quads.hpp"
#include "codecs/gpu_rfor/streams.hpp"

namespace gannet::codecs::rfor {

/// The lengths of four runs from `run` on, added up: value[i] is where run + i + 1 starts, if
/// `run` starts at 0. Words behind packed[last] are not read; runs whose lengths they would hold
/// have any length from 1 on.
GANNET_HD Quad ends_of(const std::uint32_t* packed, std::uint32_t run, std::int32_t last,
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
  typename Lanes::template Var<std::uint32_t> start;  ///< of a lane's first run, from the window's
  typename Lanes::template Var<Quad> ends;            ///< of a lane's runs, from its first one's
};

/// Opens the window of the runs from `run` on; `last` as in ends_of().
template <class Lanes>
GANNET_HD void open_window(Lanes lanes, const std::uint32_t* packed, std::uint32_t run,
                           std::int32_t last, const Cursor& cursor, Window<Lanes>& window) {
  lanes.each([&](std::uint32_t lane) {
    // Runs far behind the block's last one need not be told from those just behind it.
    const std::uint32_t mine = run + 4 * lane;
    window.ends[lane] = ends_of(packed, mine < cursor.runs ? mine : cursor.runs, last, cursor);
    window.start[lane] = window.ends[lane].value[3];
  });
  lanes.exclusive_scan(window.start);
}

/// Where a lane's four runs start inside of a tile: a byte each, 128 if behind it, 0 if before.
/// `start` is where the first one starts.
GANNET_HD std::uint32_t pack_starts(std::int32_t start, const Quad& ends) {
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

/// count_starts() for one lane: `after` lanes start at or before its first position, the last of
/// which has the starts `first`, the next one `second`.
GANNET_HD void count_quad(std::uint32_t lane, std::uint32_t after, std::uint32_t first,
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

/// Adds to every position's number of `quad_of(lane)` how many of the window's runs start at or
/// before it. The tile starts `offset` values behind the window's start (before it, if negative).
template <class Lanes, class QuadOf>
GANNET_HD void count_starts(Lanes lanes, const Window<Lanes>& window, std::int32_t offset,
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

/// Finds the run of every value of the tile. With `advance`, the cursor moves behind the tile,
/// which must not be the last one of its block.
template <class Lanes>
GANNET_HD void locate(Lanes lanes, Payload lengths, bool advance, Cursor& cursor,
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

/// Moves the cursor 128 positions on: to the last run that starts at or before position 128.
template <class Lanes>
GANNET_HD void move_on(Lanes lanes, const Window<Lanes>& window, Cursor& cursor) {
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
GANNET_HD void fetch(Lanes lanes, const std::uint32_t* base, std::uint32_t size,
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

}  // namespace gannet::codecs::rfor
