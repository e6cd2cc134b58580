// The bitmaps of many filters of one segment.
#pragma once

#include "query/gpu/device/kernels/columns/group_filter.cuh"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Groups of documents that a warp evaluates one after the other.
inline constexpr std::uint32_t kGroupsEach = 4;

/// Bit j: any of the four lanes from 4 j on has a bit of 64 documents.
__device__ __forceinline__ std::uint32_t ranges_of_lanes(std::uint32_t lanes) {
  std::uint32_t some = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111u;
  some = (some | some >> 3) & 0x03030303u;
  some = (some | some >> 6) & 0x000f000fu;
  return (some | some >> 12) & 0xffu;
}

/// Writes FilterTarget::words and ::ranges of all filters, and adds up what passes. A warp takes a
/// group of 512 documents and evaluates `each` (<= kFiltersAtOnce) filters for it, those of thread
/// block row blockIdx.y: what they read of a column is loaded and unpacked once if filters of one
/// column follow one another. The grid's first dimension covers the groups of
/// padded_superblocks(). A filter of one interval takes three instructions a document.
static __global__ void __launch_bounds__(kColumnThreads)
    find_filters_kernel(const __grid_constant__ FilterSearch search, std::uint32_t each) {
  __shared__ std::uint32_t passing[kFiltersAtOnce];
  const std::uint32_t lane = WarpLanes::id();
  const std::uint32_t first = blockIdx.y * each;
  const std::uint32_t filters = min(each, search.count - first);
  for (std::uint32_t f = threadIdx.x; f < filters; f += kColumnThreads) passing[f] = 0;
  __syncthreads();
  const std::uint32_t groups = padded_superblocks(search.documents) * (kSuperblock / kGroupCodes);
  for (std::uint32_t i = 0; i < kGroupsEach; ++i) {
    const std::uint32_t group =
        (blockIdx.x * kGroupsEach + i) * kColumnWarps + threadIdx.x / kLanes;
    if (group >= groups) break;
    const bool there = group < groups_of(search.documents);
    const std::uint32_t inside = there ? bits_before(group, search.documents) : 0;
    GroupFilter filter(search.documents, group);
    for (std::uint32_t f = 0; f < filters; ++f) {
      const FilterTarget& target = search.targets[first + f];
      const std::uint32_t bits = there ? filter.bits(target.steps, target.count) & inside : 0;
      if (there) write_bits(bits, target.words, group);
      const std::uint32_t some = __ballot_sync(WarpLanes::kAll, bits != 0);
      const std::uint32_t sum = WarpLanes().sum({static_cast<std::uint32_t>(__popc(bits))});
      if (lane != 0) continue;
      reinterpret_cast<std::uint8_t*>(target.ranges)[group] =
          static_cast<std::uint8_t>(ranges_of_lanes(some));
      if (sum != 0) atomicAdd(passing + f, sum);
    }
  }
  __syncthreads();
  for (std::uint32_t f = threadIdx.x; f < filters; f += kColumnThreads) {
    const unsigned long long sum = passing[f];
    if (sum != 0) atomicAdd(search.passing + first + f, sum);
  }
}

}  // namespace gannet::query::cuda
