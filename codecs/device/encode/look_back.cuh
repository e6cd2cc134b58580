// A prefix sum over thread blocks within one launch.
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002. As in their program (CUB), blocks rely on being started in the
// order of their numbers: a block waits for earlier ones only.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"

namespace gannet::codecs::cuda {

/// What the thread blocks of a launch tell one another: a status each, all 0 before the launch.
/// A status is one 64-bit word, so its flag and its sum arrive together; nothing else is handed
/// over. All sums are below 2^62.
template <std::uint32_t kWarps>
class LookBack {
 public:
  /// Shared memory of the block.
  struct Shared {
    std::uint64_t sum[kWarps];
    std::uint32_t complete[kWarps];
  };

  __device__ explicit LookBack(std::uint64_t* status) : status_(status) {}

  /// Tells the other blocks this one's own sum. Called by one thread, before sum_before().
  __device__ void publish_own(std::uint64_t own) const {
    publish(own | (blockIdx.x == 0 ? kComplete : kOwn));
  }

  /// The sum over all blocks before this one, whose own sum is `own`. Called by all threads: each
  /// looks at one block, so that a thousand blocks that run at once are seen in a few turns.
  __device__ std::uint64_t sum_before(std::uint64_t own, Shared& shared) const {
    std::uint64_t before = 0;
    bool complete = blockIdx.x == 0;
    for (std::int64_t nearest = std::int64_t{blockIdx.x} - 1; !complete;
         nearest -= kWarps * kLanes) {
      look(nearest - threadIdx.x, shared);
      __syncthreads();
#pragma unroll
      for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
        before += complete ? 0 : shared.sum[warp];
        complete = complete || shared.complete[warp] != 0;
      }
      __syncthreads();
    }
    if (threadIdx.x == 0 && blockIdx.x > 0) publish((before + own) | kComplete);
    return before;
  }

 private:
  static constexpr std::uint64_t kOwn = std::uint64_t{1} << 62;       ///< the block's own sum
  static constexpr std::uint64_t kComplete = std::uint64_t{2} << 62;  ///< and all before it
  static constexpr std::uint64_t kFlags = kOwn | kComplete;

  __device__ void publish(std::uint64_t word) const {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(status_ + blockIdx.x), "l"(word) : "memory");
  }

  /// Adds up what the warp's blocks have, from the nearest one to the first complete one.
  __device__ void look(std::int64_t block, Shared& shared) const {
    const std::uint64_t seen = wait_for(block);
    const std::uint32_t complete = __ballot_sync(WarpLanes::kAll, (seen & kComplete) != 0);
    const std::uint32_t needed =
        complete != 0 ? static_cast<std::uint32_t>(__ffs(static_cast<int>(complete))) : kLanes;
    const std::uint64_t sum = warp_sum(WarpLanes::id() < needed ? seen & ~kFlags : 0);
    if (WarpLanes::id() == 0) {
      shared.sum[threadIdx.x / kLanes] = sum;
      shared.complete[threadIdx.x / kLanes] = complete;
    }
  }

  /// A block's status, once it has one; before the first block all is 0.
  __device__ std::uint64_t wait_for(std::int64_t block) const {
    std::uint64_t seen = block < 0 ? kComplete : 0;
    do {
      if (block >= 0) {
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(seen) : "l"(status_ + block) : "memory");
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

  std::uint64_t* status_;
};

}  // namespace gannet::codecs::cuda
