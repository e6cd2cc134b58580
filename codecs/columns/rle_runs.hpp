// From the lengths of runs to the run in which a position lies: what decoding run lengths takes.
//
// Every run sets the bit of the position at which it begins, and every 32 positions get the number
// of runs that begin before them. The run of a position is then a count of bits:
//   run(p) = before[p / 32] + number of marks at positions p / 32 * 32 .. p, minus 1
#pragma once

#include <cstdint>

#include "codecs/columns/rle_four.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// Sets `bits` of a word of which other lanes may be setting other bits.
GANNET_HD void set_bits(SerialLanes, std::uint32_t* word, std::uint32_t bits) { *word |= bits; }
#if defined(__CUDACC__)
__device__ __forceinline__ void set_bits(WarpLanes, std::uint32_t* word, std::uint32_t bits) {
  atomicOr(word, bits);
}
#endif

/// The first of four consecutive positions' runs, and which of the other three begin one.
struct RunsOfFour {
  std::uint32_t run;     ///< of the first position
  std::uint32_t starts;  ///< bit i: position i (0..3) begins a run
  /// The run of the position after position i - 1, whose run is `run_before`.
  GANNET_HD std::uint32_t next(std::uint32_t run_before, std::uint32_t i) const {
    return run_before + (starts >> i & 1);
  }
};

/// Marks of the runs of up to `positions` positions, in memory that the lanes share.
class RunMarks {
 public:
  /// Words of memory for `positions` positions, a multiple of 128.
  static constexpr std::uint32_t words(std::uint32_t positions) { return positions / 32 * 2; }

  GANNET_HD RunMarks(std::uint32_t* memory, std::uint32_t positions)
      : marks_(memory), before_(memory + positions / 32) {}

  /// Marks `runs` runs. `length_of(first)` gives the lengths of runs first .. first + 3, anything
  /// for those beyond the last. Position `shift` is where run 0 begins; positions before it count
  /// as run 0 too, as all do if there is no run. The runs end at `positions` or before it.
  template <class Lanes, class LengthOf>
  GANNET_HD void mark(Lanes lanes, std::uint32_t positions, std::uint32_t shift, std::uint32_t runs,
                      LengthOf length_of) {
    const std::uint32_t marks = ceil_div(positions, kTile) * (kTile / 32);
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < marks; i += kLanes) marks_[i] = i == 0 ? 1 : 0;
    });
    lanes.sync();
    std::uint32_t begin = shift;
    for (std::uint32_t first = 0; first < runs; first += kTile) {
      typename Lanes::template Var<Four<std::uint32_t>> lengths;
      typename Lanes::template Var<std::uint32_t> starts;
      lanes.each([&](std::uint32_t lane) {
        lengths[lane] = length_of(first + 4 * lane);
        starts[lane] = 0;
        for (std::uint32_t i = 0; i < 4; ++i) starts[lane] += lengths[lane].value[i];
      });
      const std::uint32_t total = lanes.exclusive_scan(starts);
      lanes.each([&](std::uint32_t lane) {
        std::uint32_t start = begin + starts[lane];
        for (std::uint32_t i = 0; i < 4; ++i) {
          const std::uint32_t run = first + 4 * lane + i;
          if (run - 1 < runs - 1) set_bits(lanes, marks_ + start / 32, 1u << start % 32);
          start += lengths[lane].value[i];
        }
      });
      begin += total;
    }
    lanes.sync();
    count(lanes, marks);
    lanes.sync();
  }

  /// The runs of positions `first` .. `first` + 3; `first` is a multiple of 4.
  GANNET_HD RunsOfFour at(std::uint32_t first) const {
    const std::uint32_t marks = marks_[first / 32];
    const std::uint32_t shift = first % 32;
    return {before_[first / 32] + popcount(marks & ((2u << shift) - 1)), marks >> shift};
  }

 private:
  /// Writes the number of runs before every word of marks, less 1.
  template <class Lanes>
  GANNET_HD void count(Lanes lanes, std::uint32_t marks) {
    std::uint32_t before = 0xffffffffu;
    for (std::uint32_t first = 0; first < marks; first += kLanes) {
      typename Lanes::template Var<std::uint32_t> runs;
      lanes.each([&](std::uint32_t lane) {
        runs[lane] = first + lane < marks ? popcount(marks_[first + lane]) : 0;
      });
      const std::uint32_t total = lanes.exclusive_scan(runs);
      lanes.each([&](std::uint32_t lane) {
        if (first + lane < marks) before_[first + lane] = before + runs[lane];
      });
      before += total;
    }
  }

  std::uint32_t* marks_;
  std::uint32_t* before_;
};

}  // namespace gannet::codecs
