// How a warp of a fused kernel goes through groups of tiles: while it consumes one, the words of
// the next ones arrive.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/device/detail/async_words.cuh"
#include "codecs/device/detail/group.cuh"

namespace gannet::codecs::cuda {

/// Most tiles of a group of a ring.
inline constexpr std::uint32_t kRingTiles = 24;

/// Groups that are consumed or on their way at a time.
inline constexpr std::uint32_t kRingStages = 2;

/// The groups of a column, as rings go through them, and how they stage them.
struct RingPlan {
  ListView list;
  std::uint32_t tiles;          ///< of a group: a multiple of 8
  std::uint32_t groups;         ///< of the column
  std::uint32_t full;           ///< groups that have all their tiles, full ones
  std::uint32_t words;          ///< most words of a group's payload; larger ones are not staged
  std::uint32_t lengths;        ///< the same for its lengths
  std::uint32_t lengths_units;  ///< of shared memory before a stage's lengths
  std::uint32_t stage_units;    ///< of shared memory for a stage

  /// Any group; slower than it need be for full ones.
  __device__ Group group(std::uint32_t i) const {
    const std::uint32_t first = i * tiles;
    return {list, first, min(first + tiles, tile_count(list.count)), kBeforeFirst, 0};
  }
};

/// The rest of the shared memory of a warp's ring.
template <class Codec>
struct RingControl {
  uint4 scratch[Codec::traits.scratch_words > 0 ? (Codec::traits.scratch_words + 3) / 4 : 1];
  AsyncGroup<Codec, kRingTiles> groups[kRingStages];
};

/// Plans rings for a column with `average` words a tile: many tiles at a time where they take few
/// words. Groups that take much more than the average are not staged.
template <class Codec>
RingPlan ring_plan(ListView list, std::uint32_t average) {
  constexpr std::uint32_t kNarrow = 36;  // words a tile: 8 bits a value, and headers
  constexpr std::uint32_t kMiddle = 60;  // 14 bits
  RingPlan plan{};
  plan.list = list;
  // `next` may take it that a group is eight tiles: extents are only right inside of large blocks.
  plan.tiles = kGroupTiles;
  if (WideTileCodec<Codec> && average <= kMiddle) plan.tiles = 2 * kGroupTiles;
  if (WideTileCodec<Codec> && average <= kNarrow) plan.tiles = kRingTiles;
  plan.groups = ceil_div(tile_count(list.count), plan.tiles);
  plan.full = list.count / (plan.tiles * kTile);
  plan.words =
      std::min(plan.tiles * Codec::tile_words, plan.tiles * (average + average / 16 + 1) + 16);
  plan.lengths = std::min(lengths_words<Codec>(plan.tiles), plan.words);
  plan.lengths_units = room_units(plan.words);
  plan.stage_units = plan.lengths_units + (plan.lengths > 0 ? room_units(plan.lengths) : 0);
  return plan;
}

/// Units of shared memory that a warp's ring takes.
template <class Codec>
__host__ __device__ constexpr std::uint32_t ring_units(const RingPlan& plan) {
  static_assert(sizeof(RingControl<Codec>) % sizeof(uint4) == 0);
  return kRingStages * plan.stage_units +
         static_cast<std::uint32_t>(sizeof(RingControl<Codec>) / sizeof(uint4));
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
        stages_(memory + sizeof(RingControl<Codec>) / sizeof(uint4)),
        control_(*reinterpret_cast<RingControl<Codec>*>(memory)),
        next_(first - stride),
        stride_(stride),
        end_(min(end, plan.groups)),
        ahead_(first),
        slot_(kRingStages - 1),
        parity_(1) {
#pragma unroll 1
    for (std::uint32_t slot = 0; slot < kRingStages; ++slot) {
      control_.groups[slot].init();
      look();
      refill(slot);
    }
    look();
  }

  /// Moves on to the next group and waits until its words have arrived; false if there is none.
  __device__ bool next() {
    next_ += stride_;
    if (++slot_ == kRingStages) {
      slot_ = 0;
      parity_ ^= 1;
    }
    if (next_ >= end_) return false;
    control_.groups[slot_].wait(parity_);
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
  __device__ bool staged() const { return control_.groups[slot_].staged(); }
  __device__ StagedTiles tiles() const {
    return control_.groups[slot_].tiles(plan_.list, room(slot_), control_.scratch);
  }

 private:
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
      control_.groups[slot].start(plan_.list.words, located_, extent, room(slot));
    }
    ahead_ += stride_;
  }

  __device__ AsyncRoom room(std::uint32_t slot) const {
    uint4* words = stages_ + slot * plan_.stage_units;
    return {words, words + plan_.lengths_units, plan_.words, plan_.lengths};
  }

  const RingPlan& plan_;
  uint4* stages_;
  RingControl<Codec>& control_;
  std::uint32_t next_;
  std::uint32_t stride_;
  std::uint32_t end_;
  std::uint32_t ahead_;  ///< the group that look() found
  std::uint32_t slot_;
  std::uint32_t parity_;
  Located located_{};
};

}  // namespace gannet::codecs::cuda
