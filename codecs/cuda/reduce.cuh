// Adding up over a whole launch without a hot address: lanes, then warps, then blocks, the last of
// which to finish adds up what the others left behind.
#pragma once

#include <cstdint>

#include "gannet/codecs/cuda/scan.hpp"
#include "gannet/codecs/lanes.hpp"

namespace gannet::codecs::cuda {

/// Most blocks that a scan is launched with.
inline constexpr std::uint32_t kMaxScanBlocks = 4096;

/// Device memory that a scan needs. `finished` is 0 between scans.
struct ScanScratch {
  ScanResult parts[kMaxScanBlocks];
  unsigned int finished;
};

__device__ __forceinline__ ScanResult sum_warp(ScanResult part) {
#pragma unroll
  for (unsigned step = kLanes / 2; step > 0; step /= 2) {
    part.count += __shfl_xor_sync(WarpLanes::kAll, part.count, step);
    part.sum += __shfl_xor_sync(WarpLanes::kAll, part.sum, step);
  }
  return part;
}

/// The block's total, for thread 0. All kWarps warps call it, once in a kernel.
template <std::uint32_t kWarps>
__device__ __forceinline__ ScanResult sum_block(ScanResult part) {
  __shared__ ScanResult parts[kWarps];
  part = sum_warp(part);
  if (threadIdx.x % kLanes == 0) parts[threadIdx.x / kLanes] = part;
  __syncthreads();
  for (std::uint32_t warp = 1; threadIdx.x == 0 && warp < kWarps; ++warp) {
    part.count += parts[warp].count;
    part.sum += parts[warp].sum;
  }
  return part;
}

/// Writes the sum of all threads' parts to `result`. Every thread of the launch calls it, once.
template <std::uint32_t kWarps>
__device__ __forceinline__ void sum_grid(ScanResult part, ScanScratch* scratch,
                                         ScanResult* result) {
  __shared__ bool last;
  part = sum_block<kWarps>(part);
  if (threadIdx.x == 0) {
    scratch->parts[blockIdx.x] = part;
    __threadfence();
    // Wraps to 0 at the last block: ready for the next scan.
    last = atomicInc(&scratch->finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  // The whole block takes part, several loads at a time: one warp, one load after the other, took
  // longer than summing up a small column.
  ScanResult total{};
#pragma unroll 8
  for (std::uint32_t block = threadIdx.x; block < gridDim.x; block += kWarps * kLanes) {
    total.count +=
        __ldcg(reinterpret_cast<const unsigned long long*>(&scratch->parts[block].count));
    total.sum += __ldcg(reinterpret_cast<const unsigned long long*>(&scratch->parts[block].sum));
  }
  total = sum_block<kWarps>(total);
  if (threadIdx.x == 0) *result = total;
}

}  // namespace gannet::codecs::cuda
