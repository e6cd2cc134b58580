// What is left after the first wave: the superblocks that can still reach the threshold, in the
// order of their documents over all queries, so that warps that run at the same time read document
// lengths that lie close together.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/device/kernels/pruned/segments.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/plan/pruned/steps.hpp"

namespace gannet::query::cuda {

/// A thread block looks at one stretch of superblocks for several queries, one warp per query. A
/// lane has 32 superblocks, in four steps of eight.
inline constexpr std::uint32_t kSecondWaveThreads = 256;
inline constexpr std::uint32_t kSecondWaveQueries = kSecondWaveThreads / kLanes;
inline constexpr std::uint32_t kEightsOfLane = kStretchSuperblocks / kLanes / 8;
static_assert(kEightsOfLane == 4);

/// Superblocks of a query that are still to be searched.
class Left {
 public:
  __device__ Left(const PrunedView& view, const SegmentView& segment, std::uint32_t query)
      : maxima_(view.maxima + std::size_t{query} * view.superblocks + segment.first_superblock),
        superblocks_(segment.superblocks),
        limit_(limit_now(view, query)),
        cut_(view.cuts[query]) {}

  /// Bit 8 * i + j: superblock `first` + 8 * kLanes * i + j of the segment.
  __device__ std::uint32_t of_lane(std::uint32_t first) const {
    std::uint32_t left = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kEightsOfLane; ++i) {
      const std::uint32_t at = first + 8 * kLanes * i;
      if (at < superblocks_) left |= of_eight(at) << (8 * i);
    }
    return left;
  }

 private:
  __device__ static std::uint32_t limit_now(const PrunedView& view, std::uint32_t query) {
    if (!has(Step::kSuperblockMaxima)) return 1;
    return limit_of(__uint_as_float(view.thresholds[query]), view.queries[query].scale);
  }

  __device__ std::uint32_t of_eight(std::uint32_t first) const {
    const uint4 eight = *reinterpret_cast<const uint4*>(maxima_ + first);
    const std::uint32_t words[4] = {eight.x, eight.y, eight.z, eight.w};
    std::uint32_t left = 0;
#pragma unroll
    for (std::uint32_t j = 0; j < 8; ++j) {
      const std::uint32_t maximum = words[j / 2] >> (16 * (j % 2)) & 0xffff;
      if (maximum >= limit_ && maximum < cut_) left |= 1u << j;
    }
    return left;
  }

  const std::uint16_t* maxima_;
  const std::uint32_t superblocks_, limit_, cut_;
};

static __global__ void __launch_bounds__(kSecondWaveThreads)
    second_wave_kernel(const __grid_constant__ PrunedView view) {
  __shared__ std::uint32_t counts[kSecondWaveQueries];
  __shared__ std::uint32_t base;
  codecs::cuda::follow_previous_kernel();
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t query = blockIdx.x * kSecondWaveQueries + warp;
  const SegmentView& segment = view.segments[segment_of_stretch(view, blockIdx.y)];
  const std::uint32_t first =
      (blockIdx.y - segment.first_stretch) * kStretchSuperblocks + 8 * WarpLanes::id();
  std::uint32_t left = query < view.queries_count ? Left(view, segment, query).of_lane(first) : 0;
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
    const std::uint32_t bit = static_cast<std::uint32_t>(__ffs(static_cast<int>(left))) - 1;
    const std::uint32_t superblock = first + bit / 8 * (8 * kLanes) + bit % 8;
    units[at++] = query * view.superblocks + segment.first_superblock + superblock;
  }
  if (WarpLanes::id() < filled - count) units[count + WarpLanes::id()] = kNone;
}

}  // namespace gannet::query::cuda
