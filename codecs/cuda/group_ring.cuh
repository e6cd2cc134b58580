// How a warp of a fused kernel goes through groups of tiles: while it consumes one, the words of
// the next ones arrive.
#pragma once

#include <cstdint>

#include "gannet/codecs/cuda/async_words.cuh"
#include "gannet/codecs/cuda/group.cuh"

namespace gannet::codecs::cuda {

/// One group on its way or arrived, in shared memory.
template <std::uint32_t kTiles, std::uint32_t kWords>
struct RingStage {
  AsyncWords<kWords> words;
  std::uint32_t boundaries[kTiles + 4];  ///< kTiles + 1 are used, if the group is full
  Group group;
};

/// A warp's ring of kStages groups of kTiles tiles. Payloads of more than kWords words are
/// decoded from global memory. All lanes call all functions, converged.
template <class Codec, class Source, std::uint32_t kTiles, std::uint32_t kStages,
          std::uint32_t kWords>
class GroupRing {
 public:
  using Shared = RingStage<kTiles, kWords>[kStages];

  /// Starts the copies of the warp's first groups: `first`, first + stride, first + 2 stride, ...
  __device__ GroupRing(const Source& source, Shared& shared, std::uint32_t first,
                       std::uint32_t stride)
      : source_(source), shared_(shared), next_(first), stride_(stride) {
    for (std::uint32_t slot = 0; slot < kStages; ++slot) {
      shared_[slot].words.init();
      look(first + slot * stride);
      refill(slot);
    }
  }

  /// Moves on to the next group and waits until its words have arrived; false if there is none.
  __device__ bool next() {
    if (started_) {
      refill(slot_);
      if (++slot_ == kStages) {
        slot_ = 0;
        parity_ ^= 1;
      }
      next_ += stride_;
    }
    started_ = true;
    if (next_ >= source_.groups) return false;
    look(next_ + kStages * stride_);
    shared_[slot_].words.wait(parity_);
    return true;
  }

  /// The group that next() moved to, and what decode_group() needs of it. Valid until next() is
  /// called again.
  __device__ const Group& group() const { return shared_[slot_].group; }
  __device__ const std::uint32_t* boundaries() const { return shared_[slot_].boundaries; }
  __device__ Payload payload() const { return shared_[slot_].words.payload(); }

 private:
  /// Finds the group that will be copied next.
  __device__ void look(std::uint32_t i) {
    any_ = i < source_.groups;
    if (!any_) return;
    ahead_ = source_.group(i);
    located_ = locate<Codec, kTiles>(ahead_);
  }

  /// Starts to copy the group that look() found.
  __device__ void refill(std::uint32_t slot) {
    __syncwarp();
    if (!any_) return;
    auto& stage = shared_[slot];
    stage.words.start(ahead_.list.words, located_.extent);
    if (WarpLanes::id() <= kTiles) stage.boundaries[WarpLanes::id()] = located_.boundary;
    if (WarpLanes::id() == 0) stage.group = ahead_;
  }

  const Source& source_;
  Shared& shared_;
  std::uint32_t next_;
  std::uint32_t stride_;
  std::uint32_t slot_ = 0;
  std::uint32_t parity_ = 0;
  bool started_ = false;
  bool any_ = false;
  Group ahead_{};
  Located located_{};
};

}  // namespace gannet::codecs::cuda
