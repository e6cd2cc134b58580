// One step of radix selection: from a histogram of digits to the digit of the wanted key.
#pragma once

#include "codecs/core/lanes.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kDigits = 256;

/// The digit that the wanted-th largest (1 = the largest) of the counted keys has; `wanted` becomes
/// its rank among the keys with that digit, and `exact` says whether all keys with that digit are
/// wanted. Called by one converged warp; `histogram` (shared memory) has kDigits counts, of at
/// least `wanted` keys, and is left all 0.
__device__ inline std::uint32_t pick_digit(std::uint32_t* histogram, std::uint32_t& wanted,
                                           bool& exact) {
  using codecs::WarpLanes;
  constexpr std::uint32_t kEach = kDigits / codecs::kLanes;
  // Lane i owns the digits 255 - 8i .. 248 - 8i, so that lanes go from high to low.
  std::uint32_t* const highest = histogram + (kDigits - 1 - kEach * WarpLanes::id());
  std::uint32_t mine[kEach];
  WarpLanes::Var<std::uint32_t> above;
  above.value = 0;
#pragma unroll
  for (std::uint32_t j = 0; j < kEach; ++j) {
    mine[j] = *(highest - j);
    *(highest - j) = 0;
    above.value += mine[j];
  }
  __syncwarp();
  WarpLanes{}.exclusive_scan(above);
  std::uint32_t digit = kDigits;
  std::uint32_t rank = 0;
  std::uint32_t sharing = 0;
#pragma unroll
  for (std::uint32_t j = 0; j < kEach; ++j) {
    if (above.value < wanted && above.value + mine[j] >= wanted) {
      digit = kDigits - 1 - kEach * WarpLanes::id() - j;
      rank = wanted - above.value;
      sharing = mine[j];
    }
    above.value += mine[j];
  }
  const int owner = __ffs(static_cast<int>(__ballot_sync(WarpLanes::kAll, digit < kDigits))) - 1;
  wanted = __shfl_sync(WarpLanes::kAll, rank, owner);
  exact = wanted == __shfl_sync(WarpLanes::kAll, sharing, owner);
  return __shfl_sync(WarpLanes::kAll, digit, owner);
}

}  // namespace gannet::query::cuda
