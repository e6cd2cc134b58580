// How often each code occurs among the documents of a bitmap.
#pragma once

#include "query/device/columns/kernels/code_groups.cuh"

namespace gannet::query::cuda {

/// counts[c] += documents of `matches` that have code c (< limit). With kShared a thread block
/// counts in its own memory first: `limit` words behind the warps' groups. Warps go through the
/// groups in turn.
template <class Codec, bool kShared>
__global__ void __launch_bounds__(kColumnThreads)
    count_codes_kernel(const __grid_constant__ CodesView codes, const std::uint64_t* matches,
                       const std::uint64_t* present, std::uint32_t limit, std::uint32_t* counts) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t units = group_units<Codec>(codes);
  std::uint32_t* bins = counts;
  if constexpr (kShared) {
    bins = reinterpret_cast<std::uint32_t*>(shared + kColumnWarps * units);
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) bins[i] = 0;
    __syncthreads();
  }
  const std::uint32_t groups = codecs::cuda::load_count(codes.list);
  for (std::uint32_t group = blockIdx.x * kColumnWarps + warp; group < groups;
       group += gridDim.x * kColumnWarps) {
    const std::uint32_t bits = read_bits(matches, present, group);
    if (__ballot_sync(WarpLanes::kAll, bits != 0) == 0) continue;
    with_group<Codec>(codes, group, shared + warp * units, [&](const auto& loaded) {
      loaded.decode([&](std::uint32_t t, const Quad& quad) {
#pragma unroll
        for (std::uint32_t i = 0; i < 4; ++i) {
          if ((bits >> (4 * t + i) & 1) != 0) atomicAdd(bins + quad.value[i], 1u);
        }
      });
    });
  }
  if constexpr (kShared) {
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < limit; i += kColumnThreads) {
      if (bins[i] != 0) atomicAdd(counts + i, bins[i]);
    }
  }
}

}  // namespace gannet::query::cuda
