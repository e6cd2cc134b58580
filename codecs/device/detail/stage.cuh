// Copying a stretch of words from global to shared memory by one warp, 16 bytes per lane at a time.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs::cuda {

/// Words of shared memory that staging `words` words may take: they keep their alignment modulo 16
/// bytes.
constexpr std::uint32_t staged_words(std::uint32_t words) { return (words + 3 + 3) / 4 * 4; }

/// The 16-byte units that hold a stretch of words of a list.
struct Units {
  const uint4* from;
  std::uint32_t skew;  ///< words before the stretch
  std::uint32_t count;

  __device__ Units(const std::uint32_t* list, Extent extent) {
    const auto address = reinterpret_cast<std::uintptr_t>(list + extent.begin);
    skew = static_cast<std::uint32_t>(address % 16 / 4);
    from = reinterpret_cast<const uint4*>(address - skew * 4);
    count = (extent.end - extent.begin + skew + 3) / 4;
  }
};

/// Copies units from `first` on to shared memory, kParts of a lane at a time.
template <std::uint32_t kParts>
__device__ __forceinline__ void copy_units(const Units& units, std::uint32_t first, uint4* stage) {
  for (std::uint32_t i = first + WarpLanes::id(); i < units.count; i += kParts * kLanes) {
    uint4 part[kParts];
#pragma unroll
    for (std::uint32_t p = 0; p < kParts; ++p) {
      if (i + p * kLanes < units.count) part[p] = __ldcs(units.from + i + p * kLanes);
    }
#pragma unroll
    for (std::uint32_t p = 0; p < kParts; ++p) {
      if (i + p * kLanes < units.count) stage[i + p * kLanes] = part[p];
    }
  }
}

/// Copies words [extent.begin, extent.end) of `list` to `stage` (16-byte aligned shared memory of
/// staged_words() words, private to the warp). Reads whole 16-byte units, so up to 3 words before
/// and after the extent: device copies of lists are padded for that.
__device__ __forceinline__ Payload stage(const std::uint32_t* list, Extent extent, uint4* stage) {
  const Units units(list, extent);
  __syncwarp();
  copy_units<4>(units, 0, stage);
  __syncwarp();
  return {reinterpret_cast<const std::uint32_t*>(stage) + units.skew, extent.begin};
}

/// The same past the lanes' registers (sm_80 and later), of which kernels then need fewer: those of
/// lists spilled without it (tuning.hpp, ListPolicy).
__device__ __forceinline__ Payload stage_past_registers(const std::uint32_t* list, Extent extent,
                                                        uint4* stage) {
  const Units units(list, extent);
  __syncwarp();
  for (std::uint32_t i = WarpLanes::id(); i < units.count; i += kLanes) {
    __pipeline_memcpy_async(stage + i, units.from + i, sizeof(uint4));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  return {reinterpret_cast<const std::uint32_t*>(stage) + units.skew, extent.begin};
}

/// Copies two extents at once. The second one is usually short: its beginning is under way while
/// the first one is copied.
__device__ __forceinline__ void stage_both(const std::uint32_t* list, Extent first_extent,
                                           uint4* first_stage, Extent second_extent,
                                           uint4* second_stage, Payload& first, Payload& second) {
  const Units units(list, second_extent);
  uint4 ahead;
  if (WarpLanes::id() < units.count) ahead = __ldcs(units.from + WarpLanes::id());
  first = stage(list, first_extent, first_stage);
  if (WarpLanes::id() < units.count) second_stage[WarpLanes::id()] = ahead;
  copy_units<2>(units, kLanes, second_stage);
  __syncwarp();
  second = {reinterpret_cast<const std::uint32_t*>(second_stage) + units.skew, second_extent.begin};
}

}  // namespace gannet::codecs::cuda
