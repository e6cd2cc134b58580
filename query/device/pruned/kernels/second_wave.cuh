// What is left after the first wave: the superblocks that can still reach the threshold, in the
// order of their documents over all queries, so that warps that run at the same time read the same
// stretch of document lengths.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/device/pruned/kernels/limits.cuh"
#include "query/device/pruned/kernels/tiles.cuh"

namespace gannet::query::cuda {

/// A block looks at as many superblocks of as many queries: a warp a query, eight a lane.
inline constexpr std::uint32_t kSecondWaveThreads = 256;
inline constexpr std::uint32_t kSecondWaveQueries = kSecondWaveThreads / kLanes;
static_assert(kStretchSuperblocks == 8 * kLanes);

/// Bit j: superblock `first` + j of the query is still to be searched.
__device__ inline std::uint32_t left_of_eight(const PrunedView& view, std::uint32_t query,
                                              std::uint32_t first) {
  const std::uint32_t limit =
      limit_of(__uint_as_float(view.thresholds[query]), view.queries[query].scale);
  const std::uint32_t cut = view.cuts[query];
  const uint4 eight =
      *reinterpret_cast<const uint4*>(view.maxima + std::size_t{query} * view.superblocks + first);
  const std::uint32_t words[4] = {eight.x, eight.y, eight.z, eight.w};
  std::uint32_t left = 0;
#pragma unroll
  for (std::uint32_t j = 0; j < 8; ++j) {
    const std::uint32_t maximum = words[j / 2] >> (16 * (j % 2)) & 0xffff;
    if (maximum >= limit && maximum < cut) left |= 1u << j;
  }
  return left;
}

static __global__ void __launch_bounds__(kSecondWaveThreads)
    second_wave_kernel(const __grid_constant__ PrunedView view) {
  __shared__ std::uint32_t counts[kSecondWaveQueries];
  __shared__ std::uint32_t base;
  codecs::cuda::follow_previous_kernel();
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t query = blockIdx.x * kSecondWaveQueries + warp;
  const std::uint32_t first = blockIdx.y * kStretchSuperblocks + 8 * WarpLanes::id();
  const bool there = query < view.queries_count && first < view.superblocks;
  std::uint32_t left = there ? left_of_eight(view, query, first) : 0;
  WarpLanes::Var<std::uint32_t> position;
  position.value = codecs::popcount(left);
  const std::uint32_t count = WarpLanes{}.exclusive_scan(position);
  const std::uint32_t filled =
      codecs::ceil_div(count, view.later_superblocks) * view.later_superblocks;
  if (WarpLanes::id() == 0) counts[warp] = filled;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t sum = 0;
    for (std::uint32_t& each : counts) {
      const std::uint32_t before = sum;
      sum += each;
      each = before;
    }
    base = sum > 0 ? atomicAdd(view.unit_count, sum) : 0;
  }
  __syncthreads();
  std::uint32_t* const units = view.units + base + counts[warp];
  for (std::uint32_t at = position.value; left != 0; left &= left - 1) {
    units[at++] = query * view.superblocks + first + static_cast<std::uint32_t>(__ffs(left)) - 1;
  }
  if (WarpLanes::id() < filled - count) units[count + WarpLanes::id()] = kNone;
}

}  // namespace gannet::query::cuda
