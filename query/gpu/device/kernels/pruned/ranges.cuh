// Sets of the 16 ranges of a superblock, a bit per range.
#pragma once

#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Ranges of a superblock whose codes are not 0.
__device__ inline std::uint32_t nonzero_codes(const uint4& codes) {
  const auto bits = [](std::uint32_t word) {
    return (nonzero_bytes(word) >> 7) * 0x10204080u >> 28;
  };
  return bits(codes.x) | bits(codes.y) << 4 | bits(codes.z) << 8 | bits(codes.w) << 12;
}

/// Ranges of a superblock that documents from `begin` to `last` may be in; `last` is not before the
/// superblock.
__device__ inline std::uint32_t ranges_between(std::uint32_t begin, std::uint32_t last,
                                               std::uint32_t superblock) {
  const std::uint32_t first = superblock * kSuperblock;
  const std::uint32_t low = begin > first ? (begin - first) / kRange : 0;
  if (low >= kRangesPerSuperblock) return 0;
  const std::uint32_t high = min((last - first) / kRange, kRangesPerSuperblock - 1);
  return (2u << high) - (1u << low);
}

}  // namespace gannet::query::cuda
