// Copying a stretch of words from global to shared memory by one warp, 16 bytes a lane at a time.
#pragma once

#include <cstdint>

#include "gannet/codecs/lanes.hpp"
#include "gannet/codecs/tile.hpp"

namespace gannet::codecs::cuda {

/// Words of shared memory that staging `words` words may take: they keep their alignment modulo 16
/// bytes.
constexpr std::uint32_t staged_words(std::uint32_t words) { return (words + 3 + 3) / 4 * 4; }

/// Copies words [extent.begin, extent.end) of `list` to `stage` (16-byte aligned shared memory of
/// staged_words() words, private to the warp). Reads whole 16-byte units, so up to 3 words before
/// and after the extent: device copies of lists are padded for that.
__device__ __forceinline__ Payload stage(const std::uint32_t* list, Extent extent, uint4* stage) {
  const auto address = reinterpret_cast<std::uintptr_t>(list + extent.begin);
  const auto skew = static_cast<std::uint32_t>(address % 16 / 4);
  const auto* source = reinterpret_cast<const uint4*>(address - skew * 4);
  const std::uint32_t units = (extent.end - extent.begin + skew + 3) / 4;
  __syncwarp();
  for (std::uint32_t first = WarpLanes::id(); first < units; first += 4 * kLanes) {
    uint4 part[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i * kLanes < units) part[i] = __ldcs(source + first + i * kLanes);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i * kLanes < units) stage[first + i * kLanes] = part[i];
    }
  }
  __syncwarp();
  return {reinterpret_cast<const std::uint32_t*>(stage) + skew, extent.begin};
}

}  // namespace gannet::codecs::cuda
