// Adding up over a whole launch without a hot address: lanes, then warps, then blocks, which add to
// one of many slots. A second, tiny launch adds the slots up and leaves them 0. (To let the last
// block do that took 10 to 20 us: every block had to wait until its sum was visible to all.)
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/device/scan.hpp"

namespace gannet::codecs::cuda {

/// Device memory that a scan needs: 0 between scans.
struct ScanScratch {
  static constexpr std::uint32_t kSlots = 64;
  ScanResult slots[kSlots];
  std::uint32_t damaged;  ///< bool: a chunk's bytes proved to be damaged
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

__device__ __forceinline__ void add_atomically(const ScanResult& part, ScanResult& to) {
  atomicAdd(reinterpret_cast<unsigned long long*>(&to.count),
            static_cast<unsigned long long>(part.count));
  atomicAdd(reinterpret_cast<unsigned long long*>(&to.sum),
            static_cast<unsigned long long>(part.sum));
}

/// Adds the parts of a block's threads to a slot. Every thread of the block calls it, once.
template <std::uint32_t kWarps>
__device__ __forceinline__ void sum_to_slot(ScanResult part, ScanScratch* scratch) {
  part = sum_block<kWarps>(part);
  if (threadIdx.x == 0) add_atomically(part, scratch->slots[blockIdx.x % ScanScratch::kSlots]);
}

}  // namespace gannet::codecs::cuda
