// How often each code occurs among the documents of a bitmap.
#pragma once

#include "query/gpu/device/kernels/columns/code_groups.cuh"

namespace gannet::query::cuda {

/// counts[c] += documents of `matches` (and of `present`, unless null) that have code c (< limit).
/// With kShared a thread block counts in its shared memory first, `limit` words. Warps take the
/// groups in turn.
template <bool kShared>
__global__ void __launch_bounds__(kColumnThreads)
    count_codes_kernel(const __grid_constant__ CodesView codes, const std::uint64_t* matches,
                       const std::uint64_t* present, std::uint32_t limit, std::uint32_t* counts) {
  extern __shared__ uint4 shared[];
  std::uint32_t* const bins = kShared ? reinterpret_cast<std::uint32_t*>(shared) : counts;
  if constexpr (kShared) {
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) bins[i] = 0;
    __syncthreads();
  }
  const auto groups = static_cast<std::uint32_t>(groups_of(codes.count));
  std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  const auto advance = [&](GroupBits& next) {
    while (group < groups) {
      next = {group, read_bits(matches, present, group)};
      group += gridDim.x * kColumnWarps;
      if (__ballot_sync(WarpLanes::kAll, next.bits != 0) != 0) return true;
    }
    return false;
  };
  for_groups(codes, advance, [&](const GroupBits& now, const PackedCodes& packed) {
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
      if ((now.bits >> i & 1) != 0) atomicAdd(bins + code, 1u);
    });
  });
  if constexpr (kShared) {
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) {
      if (bins[i] != 0) atomicAdd(counts + i, bins[i]);
    }
  }
}

}  // namespace gannet::query::cuda
