// Statistics that need no decoding: contributions at the ranks kKnownRanks, from the counts by
// size, and where the groups of superblocks begin.
#pragma once

#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/plan/pruned/facts.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kPointerThreads = 256;

/// Contributions at the ranks kKnownRanks: one warp per list.
static __global__ void __launch_bounds__(kLanes)
    known_ranks_kernel(const __grid_constant__ FactsView view) {
  const std::uint32_t* const all = view.sizes + std::size_t{blockIdx.x} * kSizeBuckets;
  ListFacts& facts = view.facts[blockIdx.x];
  std::uint32_t seen = 0;
  for (std::uint32_t end = kSizeBuckets; end > 0; end -= kLanes) {
    // Lane i has bucket end - 1 - i, so that lanes go from large to small.
    const std::uint32_t bucket = end - 1 - WarpLanes::id();
    WarpLanes::Var<std::uint32_t> above;
    above.value = all[bucket];
    const std::uint32_t mine = above.value;
    const std::uint32_t total = WarpLanes{}.exclusive_scan(above);
    for (std::uint32_t r = 0; r < kKnownRankCount; ++r) {
      const std::uint32_t before = seen + above.value;
      if (before < view.ranks[r] && before + mine >= view.ranks[r]) {
        facts.at_rank[r] = bucket << kSizeShift;
      }
    }
    seen += total;
  }
}

/// Where the groups of superblocks begin: one thread per superblock, and one for the end.
static __global__ void __launch_bounds__(kPointerThreads)
    point_superblocks_kernel(const __grid_constant__ FactsView view) {
  const FactList& list = view.lists[blockIdx.y];
  const std::uint32_t superblock = blockIdx.x * kPointerThreads + threadIdx.x;
  if (list.row.steps == nullptr || superblock > view.superblocks) return;
  const auto first_group = [&](std::uint32_t s) {
    const std::uint32_t* const lasts =
        list.row.groups != nullptr ? list.row.groups + 1 : list.skips;
    std::uint32_t low = 0;
    std::uint32_t high = list.row.groups != nullptr ? codecs::ceil_div(list.count, kSmallGroup)
                                                    : codecs::tile_count(list.count);
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (__ldg(lasts + middle) / kSuperblock < s) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const std::uint32_t group = superblock / kPointerGroup;
  const std::uint32_t base = first_group(group * kPointerGroup);
  if (superblock % kPointerGroup == 0) list.row.bases[group] = base;
  list.row.steps[superblock] = static_cast<std::uint16_t>(first_group(superblock) - base);
}

}  // namespace gannet::query::cuda
