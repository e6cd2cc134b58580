// How a warp of a fused kernel goes through groups of tiles: while it consumes one, the words of
// the next ones arrive.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/device/detail/async_words.cuh"
#include "codecs/device/detail/group.cuh"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::cuda {

/// The groups of a column, as rings go through them, and how they stage them.
struct RingPlan {
  ListView list;
  std::uint32_t tiles;   ///< of a group: a multiple of 8
  std::uint32_t groups;  ///< of the column
  std::uint32_t full;    ///< groups that have all their tiles, full ones
  StageLayout stage;

  /// Any group; slower than it need be for full ones.
  __device__ Group group(std::uint32_t i) const {
    const std::uint32_t first = i * tiles;
    return {list, first, min(first + tiles, tile_count(list.count)), kBeforeFirst, 0};
  }
};

/// Plans rings for a column with `average` words per tile: many tiles at a time where they take few
/// words. Groups that take much more than the average are not staged.
template <class Codec>
RingPlan ring_plan(ListView list, std::uint32_t average) {
  RingPlan plan{};
  plan.list = list;
  // `next` may take it that a group is eight tiles: extents are only right inside of large blocks.
  plan.tiles = kGroupTiles;
  if (WideTileCodec<Codec> && average <= kScanPolicy.middle_words)
    plan.tiles = kScanPolicy.middle_tiles;
  if (WideTileCodec<Codec> && average <= kScanPolicy.narrow_words)
    plan.tiles = kScanPolicy.narrow_tiles;
  plan.groups = ceil_div(tile_count(list.count), plan.tiles);
  plan.full = list.count / (plan.tiles * kTile);
  std::uint32_t words = plan.tiles * (average + average / 16);
  if (average <= kScanPolicy.middle_words) words += plan.tiles + kScanPolicy.narrow_slack;
  words = std::min(plan.tiles * Codec::tile_words, words);
  plan.stage = stage_layout<Codec>(
      plan.tiles, words, std::min(lengths_words<Codec>(plan.tiles), words), Copy::kInBackground);
  return plan;
}

/// Units of shared memory that a warp's ring takes.
template <class Codec>
__host__ __device__ constexpr std::uint32_t ring_units(const RingPlan& plan) {
  static_assert(sizeof(AsyncGroup<Codec>) % sizeof(uint4) == 0);
  return stage_units<Codec>(plan.stage, kScanPolicy.stages) +
         kScanPolicy.stages * static_cast<std::uint32_t>(sizeof(AsyncGroup<Codec>) / sizeof(uint4));
}

/// A warp's ring. All lanes call all functions, converged.
template <class Codec>
class GroupRing {
 public:
  /// Starts the copies of the warp's first groups: `first`, first + stride, ..., those below `end`.
  /// `memory` is shared memory of ring_units().
  __device__ GroupRing(const RingPlan& plan, uint4* memory, std::uint32_t first,
                       std::uint32_t stride, std::uint32_t end)
      : plan_(plan),
        stages_(memory + kStages * sizeof(AsyncGroup<Codec>) / sizeof(uint4)),
        control_(reinterpret_cast<AsyncGroup<Codec>*>(memory)),
        next_(first - stride),
        stride_(stride),
        end_(min(end, plan.groups)),
        ahead_(first),
        slot_(kStages - 1),
        parity_(1) {
#pragma unroll 1
    for (std::uint32_t slot = 0; slot < kStages; ++slot) {
      control_[slot].init();
      look();
      refill(slot);
    }
    look();
  }

  /// Moves on to the next group and waits until its words have arrived; false if there is none.
  __device__ bool next() {
    next_ += stride_;
    if (++slot_ == kStages) {
      slot_ = 0;
      parity_ ^= 1;
    }
    if (next_ >= end_) return false;
    control_[slot_].wait(parity_);
    return true;
  }

  /// To be called when the group has been consumed: its room is used for another one.
  __device__ void release() {
    refill(slot_);
    look();
  }

  /// The group that next() moved to.
  __device__ Group group() const { return plan_.group(next_); }
  __device__ std::uint32_t first_tile() const { return next_ * plan_.tiles; }

  /// Whether all its tiles are there, and full.
  __device__ bool full() const { return next_ < plan_.full; }

  /// Its words, if they are staged.
  __device__ bool staged() const { return control_[slot_].staged(); }
  __device__ StagedTiles tiles() const { return control_[slot_].tiles(plan_.list, memory(slot_)); }

 private:
  static constexpr std::uint32_t kStages = kScanPolicy.stages;

  /// Finds the group that will be copied next. What it loads is not looked at before refill(), so
  /// that the warp need not wait for it.
  __device__ void look() {
    if (ahead_ >= end_) return;
    if (ahead_ < plan_.full) {
      located_ = locate_full<Codec>(plan_.list, ahead_ * plan_.tiles, plan_.tiles);
    } else {
      located_ = locate_any<Codec>(plan_.group(ahead_));
    }
  }

  /// Starts to copy the group that look() found.
  __device__ void refill(std::uint32_t slot) {
    if (ahead_ < end_) {
      const Extent extent = payload_extent<Codec>(plan_.list, ahead_ * plan_.tiles, located_,
                                                  plan_.tiles, ahead_ < plan_.full);
      control_[slot].start(plan_.list.words, located_, extent, plan_.tiles, memory(slot),
                           plan_.stage);
    }
    ahead_ += stride_;
  }

  __device__ GroupMemory memory(std::uint32_t slot) const {
    return GroupMemory(stages_, plan_.stage, slot, kStages);
  }

  const RingPlan& plan_;
  uint4* stages_;
  AsyncGroup<Codec>* control_;
  std::uint32_t next_;
  std::uint32_t stride_;
  std::uint32_t end_;
  std::uint32_t ahead_;  ///< the group that look() found
  std::uint32_t slot_;
  std::uint32_t parity_;
  Located located_{};
};

}  // namespace gannet::codecs::cuda
