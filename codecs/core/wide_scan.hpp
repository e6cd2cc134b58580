// Prefix sums of four tiles together, so that their steps overlap.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/staged_tiles.hpp"

namespace gannet::codecs {

/// Replaces each x[t] by its exclusive prefix sums over the lanes, and sets totals[t] to the sum of
/// all lanes, for t from 0 to kWideTiles - 1. Sums are modulo 2^32. `small` promises that every
/// total is below 2^16: then one scan computes the sums of two tiles.
template <class Lanes>
GANNET_HD void scan_wide(Lanes lanes, bool small,
                         typename Lanes::template Var<std::uint32_t> (&x)[kWideTiles],
                         std::uint32_t (&totals)[kWideTiles]) {
  if (small) {
    typename Lanes::template Var<std::uint32_t> both[kWideTiles / 2];
    std::uint32_t all[kWideTiles / 2];
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) {
      lanes.each(
          [&](std::uint32_t lane) { both[h][lane] = x[2 * h][lane] | x[2 * h + 1][lane] << 16; });
    }
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) all[h] = lanes.exclusive_scan(both[h]);
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) {
      totals[2 * h] = all[h] & 0xffff;
      totals[2 * h + 1] = all[h] >> 16;
      lanes.each([&](std::uint32_t lane) {
        x[2 * h][lane] = both[h][lane] & 0xffff;
        x[2 * h + 1][lane] = both[h][lane] >> 16;
      });
    }
  } else {
    for (std::uint32_t t = 0; t < kWideTiles; ++t) totals[t] = lanes.exclusive_scan(x[t]);
  }
}

}  // namespace gannet::codecs
