// How many thread blocks a launch has. Includes no CUDA header.
#pragma once

#include <cstdint>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {

/// Most thread blocks of a launch, in the first dimension.
inline constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 31) - 1;

/// Most warps of a launch: with a few more, those that the last block has to spare, their numbers
/// must fit 32 bits.
inline constexpr std::uint64_t kMaxWarps = std::uint64_t{1} << 31;

/// Thread blocks of `warps` warps each for `items` items, a warp an item. Throws UsageError if no
/// launch has so many.
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
