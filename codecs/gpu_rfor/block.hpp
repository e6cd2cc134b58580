// How a whole block of gpu-rfor is decoded, with scratch memory: the values of its runs, and marks
// where runs start, which are counted.
//
// A run's value is unpacked once and looked up by each of its positions: that takes a third of the
// instructions of unpacking it for each.
#pragma once

#include <cstddef>

#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/gpu_rfor/streams.hpp"

namespace gannet::codecs::rfor {

/// A block in which every run has one value.
template <WidthClass kClass, class Lanes>
GANNET_HD void unpack_block(Lanes lanes, const std::uint32_t* values, const Cursor& cursor,
                            typename Lanes::template Var<WideQuads>& out) {
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      Quad& quad = out[lane].tile[t];
      quad = unpack_quad<kClass>(values, t * kLanes + lane, cursor.value_width);
      for (std::uint32_t& value : quad.value) value += cursor.value_reference;
    }
  });
}

/// Marks where four runs start, the first of them at `at`. Returns where the next one starts.
GANNET_HD std::uint32_t mark_starts(std::uint32_t* scratch, std::uint32_t at, const Quad& length) {
  auto* starts = reinterpret_cast<unsigned char*>(scratch + kBlock);
  for (const std::uint32_t values : length.value) {
    starts[at < kBlock ? at : kBlock] = 1;
    at += values;
  }
  return at;
}

/// Fills the scratch memory of a block: kQuads times four runs a lane at a time.
template <WidthClass kClass, std::uint32_t kQuads, class Lanes>
GANNET_HD void spread_runs(Lanes lanes, const std::uint32_t* values, const std::uint32_t* lengths,
                           const Cursor& cursor, std::uint32_t* scratch) {
  lanes.sync();  // what was there has been read
  lanes.each(
      [&](std::uint32_t lane) { *reinterpret_cast<Quad*>(scratch + kBlock + 4 * lane) = {}; });
  lanes.sync();
  const std::uint32_t last = (cursor.runs - 1) / 4;  // quad of runs
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first <= last; first += kQuads * kLanes) {
    typename Lanes::template Var<Quad> length[kQuads];
    typename Lanes::template Var<std::uint32_t> start;
    lanes.each([&](std::uint32_t lane) {
      start[lane] = 0;
      for (std::uint32_t j = 0; j < kQuads; ++j) {
        const std::uint32_t q = first + kQuads * lane + j;
        Quad& quad = length[j][lane];
        quad = unpack_quad<WidthClass::kUpTo16>(lengths, q < last ? q : last, cursor.length_width);
        for (std::uint32_t& one : quad.value) {
          one += cursor.length_reference;
          start[lane] += one;
        }
      }
    });
    const std::uint32_t total = lanes.exclusive_scan(start);
    lanes.each([&](std::uint32_t lane) {
      std::uint32_t at = before + start[lane];
      for (std::uint32_t j = 0; j < kQuads; ++j) {
        const std::uint32_t q = first + kQuads * lane + j;
        if (q > last) return;
        Quad value = unpack_quad<kClass>(values, q, cursor.value_width);
        for (std::uint32_t& one : value.value) one += cursor.value_reference;
        *reinterpret_cast<Quad*>(scratch + 4 * q) = value;
        at = mark_starts(scratch, at, length[j][lane]);
      }
    });
    before += total;
  }
  lanes.sync();
}

/// Gives every position of a block the value of its run: the number of starts up to the position
/// is the number of the run, counted from 1.
template <class Lanes>
GANNET_HD void look_up_runs(Lanes lanes, const std::uint32_t* scratch,
                            typename Lanes::template Var<WideQuads>& out) {
  // Byte i: starts up to position i, times four.
  typename Lanes::template Var<std::uint32_t> starts_up_to[kWideTiles];
  typename Lanes::template Var<std::uint32_t> runs;  // byte t: tile t
  lanes.each([&](std::uint32_t lane) {
    runs[lane] = 0;
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      starts_up_to[t][lane] = scratch[kBlock + t * kLanes + lane] * 0x04040404u;
      runs[lane] |= starts_up_to[t][lane] >> 26 << 8 * t;
    }
  });
  const std::uint32_t totals = lanes.exclusive_scan(runs);  // 128 at most: no byte overflows
  std::uint32_t before = 0;
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
    lanes.each([&](std::uint32_t lane) {
      // Run n stands at byte 4n - 4. Before a block's first position n may be 0: only the sum with
      // the starts of the lane, which is 4 or more, is an index.
      const auto before_first =
          static_cast<std::ptrdiff_t>(runs[lane] >> 8 * t & 0xff) + before - 1;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t bytes = starts_up_to[t][lane] >> 8 * i & 0xff;
        out[lane].tile[t].value[i] = *reinterpret_cast<const std::uint32_t*>(
            reinterpret_cast<const unsigned char*>(scratch) + (4 * before_first + bytes));
      }
    });
    before += totals >> 8 * t & 0xff;
  }
}

/// Adds value times length of every run of a block.
template <WidthClass kClass, class Lanes>
GANNET_HD void sum_runs(Lanes lanes, const std::uint32_t* values, const std::uint32_t* lengths,
                        const Cursor& cursor, bool is_signed,
                        typename Lanes::template Var<std::uint64_t>& sums) {
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t q = lane; 4 * q < cursor.runs; q += kLanes) {
      const Quad value = unpack_quad<kClass>(values, q, cursor.value_width);
      const Quad length = unpack_quad<WidthClass::kUpTo16>(lengths, q, cursor.length_width);
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t number = cursor.value_reference + value.value[i];
        const std::uint32_t times =
            4 * q + i < cursor.runs ? cursor.length_reference + length.value[i] : 0;
        sums[lane] +=
            is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(number)} *
                                                   static_cast<std::int32_t>(times))
                      : std::uint64_t{number} * times;
      }
    }
  });
}

}  // namespace gannet::codecs::rfor
