// Stretches of words that travel from global to shared memory while their warp does something else:
// by the copy engine of sm_90 (one instruction a stretch), by the warp itself, at once, on devices
// without one.
#pragma once

#include <cstdint>
#include <nv/target>

#include "gannet/codecs/cuda/stage.cuh"
#include "gannet/codecs/wide.hpp"

namespace gannet::codecs::cuda {

/// Room in shared memory for a stretch of up to kWords words of a list, with room to read over.
/// All functions are called by all lanes of a warp, converged.
template <std::uint32_t kWords>
class AsyncWords {
 public:
  /// Once, before everything else.
  __device__ void init() {
    NV_IF_TARGET(
        NV_PROVIDES_SM_90, (if (WarpLanes::id() == 0) {
          asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&arrival_)) : "memory");
          asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }))
    __syncwarp();
  }

  /// Starts to copy words [extent.begin, extent.end) of a list. Reads whole 16-byte units, as
  /// stage() does. Nothing else is on its way to this room, and the lanes have read what they
  /// wanted of what is in it. A longer extent than kWords is left where it is.
  __device__ void start(const std::uint32_t* list, Extent extent) {
    const bool fits = extent.end - extent.begin <= kWords;
    const auto at = reinterpret_cast<std::uintptr_t>(list + extent.begin);
    const auto skew = static_cast<std::uint32_t>(at % 16 / 4);
    const auto* from = reinterpret_cast<const uint4*>(at - skew * 4);
    const std::uint32_t units = fits ? (extent.end - extent.begin + skew + 3) / 4 : 0;
    NV_IF_ELSE_TARGET(
        NV_PROVIDES_SM_90,
        (asm volatile("fence.proxy.async.shared::cta;" ::
                          : "memory");
         __syncwarp(); if (WarpLanes::id() == 0) copy_in_background(from, units * 16);),
        (__syncwarp(); for (std::uint32_t i = WarpLanes::id(); i < units;
                            i += kLanes) { words_[i] = __ldcs(from + i); }))
    if (WarpLanes::id() == 0) {
      payload_.base = fits ? reinterpret_cast<const std::uint32_t*>(words_) : list;
      payload_.first = fits ? extent.begin - skew : 0;
    }
  }

  /// Waits until the copy that was started as the n-th one (from 0) has arrived; parity is n % 2.
  __device__ void wait([[maybe_unused]] std::uint32_t parity) {
    NV_IF_TARGET(
        NV_PROVIDES_SM_90,
        (asm volatile("{ .reg .pred arrived; again: mbarrier.try_wait.parity.shared.b64 arrived, "
                      "[%0], %1; @arrived bra done; bra again; done: }" ::"r"(address(&arrival_)),
                      "r"(parity)
                      : "memory");))
    __syncwarp();
  }

  __device__ Payload payload() const { return payload_; }

 private:
  __device__ static std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }

  __device__ void copy_in_background(const uint4* from, std::uint32_t bytes) {
    const std::uint32_t arrival = address(&arrival_);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(arrival), "r"(bytes)
                 : "memory");
    if (bytes == 0) return;
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(address(words_)),
        "l"(from), "r"(bytes), "r"(arrival)
        : "memory");
  }

  uint4 words_[(staged_words(kWords) + kOverread) / 4];
  std::uint64_t arrival_;
  Payload payload_;
};

}  // namespace gannet::codecs::cuda
