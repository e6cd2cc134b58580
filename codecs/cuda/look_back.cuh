// A prefix sum over thread blocks within one launch.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002.
#pragma once

#include <cstdint>

#include "gannet/codecs/lanes.hpp"

namespace gannet::codecs::cuda {

/// What the thread blocks of a launch tell one another. All zero before the launch.
struct LookBack {
  std::uint32_t* ticket;
  std::uint64_t* status;  ///< one for each thread block

  static constexpr std::uint64_t kOwn = std::uint64_t{1} << 62;  ///< its own sum is known
  static constexpr std::uint64_t kAll = std::uint64_t{2} << 62;  ///< and all before it
  static constexpr std::uint64_t kFlags = kOwn | kAll;

  /// The number of this block among those that have started: a block waits only for blocks that
  /// run already, in whatever order they are started. Called by one thread.
  __device__ std::uint32_t take_number() const { return atomicAdd(ticket, 1); }

  /// The sum of `own` over all blocks before `number`, in a launch after the one that called
  /// sum_before().
  __device__ std::uint64_t known_before(std::uint32_t number) const {
    return number == 0 ? 0 : status[number - 1] & ~kFlags;
  }

  /// The sum of `own` over all blocks with smaller numbers; all sums are below 2^62. Called by one
  /// whole warp of each block. A status is one 64-bit word, so its flag and its sum arrive
  /// together, and nothing else is handed over.
  __device__ std::uint64_t sum_before(std::uint32_t number, std::uint64_t own) const {
    publish(number, own | (number == 0 ? kAll : kOwn));
    std::uint64_t before = 0;
    for (std::int64_t nearest = std::int64_t{number} - 1; nearest >= 0; nearest -= kLanes) {
      const std::uint64_t seen = wait_for(nearest - WarpLanes::id());
      const std::uint32_t complete = __ballot_sync(WarpLanes::kAll, (seen & kAll) != 0);
      const std::uint32_t needed = complete != 0 ? __ffs(static_cast<int>(complete)) : kLanes;
      before += warp_sum(WarpLanes::id() < needed ? seen & ~kFlags : 0);
      if (complete != 0) break;
    }
    if (number > 0) publish(number, (before + own) | kAll);
    return before;
  }

 private:
  __device__ void publish(std::uint32_t number, std::uint64_t word) const {
    if (WarpLanes::id() == 0) {
      asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(status + number), "l"(word) : "memory");
    }
  }

  /// The status of block `number`, one a lane, once it has one; before the first block all is 0.
  __device__ std::uint64_t wait_for(std::int64_t number) const {
    std::uint64_t seen = number < 0 ? kAll : 0;
    do {
      if (number >= 0) {
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(seen) : "l"(status + number) : "memory");
      }
    } while (__any_sync(WarpLanes::kAll, (seen & kFlags) == 0));
    return seen;
  }

  __device__ static std::uint64_t warp_sum(std::uint64_t x) {
#pragma unroll
    for (int step = 1; step < static_cast<int>(kLanes); step *= 2) {
      x += __shfl_xor_sync(WarpLanes::kAll, x, step);
    }
    return x;
  }
};

}  // namespace gannet::codecs::cuda
