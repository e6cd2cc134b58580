// Sets of codes that kernels test: each has bool has(code).
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::query::cuda {

/// The codes first .. first + span.
struct CodeInterval {
  std::uint32_t first;
  std::uint32_t span;

  GANNET_HD bool has(std::uint32_t code) const { return code - first <= span; }
};

/// Up to four intervals; unused ones repeat the first one.
struct FewIntervals {
  static constexpr std::uint32_t kMax = 4;
  CodeInterval intervals[kMax];

  GANNET_HD bool has(std::uint32_t code) const {
    bool found = false;
    for (std::uint32_t i = 0; i < kMax; ++i) found = found || intervals[i].has(code);
    return found;
  }
};

/// A bit for each code first .. first + span.
struct CodeTable {
  const std::uint32_t* bits;
  CodeInterval within;

  GANNET_HD bool has(std::uint32_t code) const {
    const std::uint32_t at = code - within.first;
    return at <= within.span && (bits[at / 32] >> at % 32 & 1) != 0;
  }
};

/// Any number (>= 1) of intervals, ascending, apart from each other.
struct ManyIntervals {
  const CodeInterval* intervals;
  std::uint32_t count;

  GANNET_HD bool has(std::uint32_t code) const {
    std::uint32_t low = 0;
    std::uint32_t high = count;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      (intervals[middle].first <= code ? low : high) = middle;
    }
    return intervals[low].has(code);
  }
};

}  // namespace gannet::query::cuda
