// The number of thread blocks of a launch. Includes no CUDA header.
#pragma once

#include <cstdint>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {

/// Largest number of thread blocks of a launch, in the first dimension.
inline constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 31) - 1;

/// Largest number of items of a launch, one item a warp. The limit leaves room below 2^32 for the
/// idle warps of the last block, whose numbers are computed in 32 bits too.
inline constexpr std::uint64_t kMaxWarps = std::uint64_t{1} << 31;

/// The number of thread blocks of `warps` (> 0) warps that have one warp for each of `items` items.
/// Throws UsageError if `items` exceeds kMaxWarps or the result exceeds kMaxBlocks. Thread-safe.
inline std::uint32_t blocks_for_warps(std::uint64_t items, std::uint32_t warps) {
  const std::uint64_t blocks = (items + warps - 1) / warps;
  if (items > kMaxWarps || blocks > kMaxBlocks) {
    throw UsageError(std::to_string(items) +
                     " groups of values are too many for one launch (at most 2^31 for blocks of "
                     "two warps and more; launch several)");
  }
  return static_cast<std::uint32_t>(blocks);
}

}  // namespace gannet::codecs::cuda
