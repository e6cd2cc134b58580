// Random numbers of the programs that write synthetic collections.
#pragma once

#include <cmath>
#include <cstdint>

#include "corpora/synthetic/random.hpp"

namespace gannet::bench {

/// SplitMix64. It begins anywhere at no cost: every list and document has one of its own.
struct CollectionRandom {
  std::uint64_t state;

  std::uint64_t next() {
    const std::uint64_t result = corpora::mix64(state);
    state += 0x9e3779b97f4a7c15u;
    return result;
  }
  /// In (0, 1).
  double unit() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(unit()));
    return radius * std::cos(kTwoPi * unit());
  }
};

}  // namespace gannet::bench
