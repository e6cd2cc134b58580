// Finding tiles of a list by the docids that they end with.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::query::cuda {

/// The first tile of a list that ends at `docid` or behind it; the number of tiles if none does.
/// Called by a converged warp.
__device__ inline std::uint32_t first_tile_from(const std::uint32_t* skips, std::uint32_t tiles,
                                                std::uint32_t docid) {
  using codecs::kLanes;
  using codecs::WarpLanes;
  std::uint32_t low = 0;
  std::uint32_t high = tiles;
  while (low < high) {
    const std::uint32_t step = codecs::ceil_div(high - low, kLanes);
    const std::uint32_t probe = min(low + (WarpLanes::id() + 1) * step, high) - 1;
    const std::uint32_t reach = __ballot_sync(WarpLanes::kAll, __ldg(skips + probe) >= docid);
    if (reach == 0) return high;
    low += static_cast<std::uint32_t>(__ffs(static_cast<int>(reach)) - 1) * step;
    if (step == 1) return low;
    high = min(low + step, high);
  }
  return low;
}

/// As first_tile_from(), but looks among the 32 tiles from `guess` on first, where a list whose
/// documents are spread evenly has the tile. `guess` is any tile.
__device__ inline std::uint32_t first_tile_near(const std::uint32_t* skips, std::uint32_t tiles,
                                                std::uint32_t docid, std::uint32_t guess) {
  using codecs::kLanes;
  using codecs::WarpLanes;
  if (tiles <= kLanes) return first_tile_from(skips, tiles, docid);
  guess = min(guess, tiles - kLanes);
  const std::uint32_t reach =
      __ballot_sync(WarpLanes::kAll, __ldg(skips + guess + WarpLanes::id()) >= docid);
  if (reach == 0) {
    guess += kLanes;
    return guess + first_tile_from(skips + guess, tiles - guess, docid);
  }
  if ((reach & 1) != 0) return first_tile_from(skips, guess + 1, docid);
  return guess + static_cast<std::uint32_t>(__ffs(static_cast<int>(reach)) - 1);
}

}  // namespace gannet::query::cuda
