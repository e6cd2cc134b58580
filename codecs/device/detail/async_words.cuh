// Stretches of words, and groups of tiles, that travel from global to shared memory while their
// warp does something else: by the copy engine of sm_90 (one instruction a stretch), by the warp
// itself, at once, on devices without one.
//
// A stretch lies in its room as it lies in global memory, modulo lines of 128 bytes: 5 to 14
// percent fewer sectors are then read from the L2 cache (ncu, lts__t_sectors_op_read), and plain
// columns are summed at the memory's read ceiling, 12 percent faster
// (bench/history/2026-11-22-tree-after-the-move.md).
#pragma once

#include <cstdint>
#include <nv/target>

#include "codecs/core/staged_tiles.hpp"
#include "codecs/device/detail/group.cuh"
#include "codecs/device/detail/stage.cuh"

namespace gannet::codecs::cuda {

/// In shared memory: one stretch of words that travels. The room that it travels to is given by the
/// caller, always the same one, so that the compiler can tell that it is in shared memory (loads
/// that could go anywhere take twice the instructions). All functions are called by all lanes of a
/// warp, converged.
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

  /// Once, after everything else, when all copies have arrived: the memory may then be used for
  /// something else, another AsyncWords included.
  __device__ void end() {
    __syncwarp();
    NV_IF_TARGET(
        NV_PROVIDES_SM_90, (if (WarpLanes::id() == 0) {
          asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address(&arrival_)) : "memory");
        }))
    __syncwarp();
  }

  /// Starts to copy words [extent.begin, extent.end) of a list to `room`, of
  /// room_units(most, kInBackground) units. Reads whole 16-byte units, as stage() does. Nothing
  /// else is on its way to this room, and the lanes have read what they wanted of what is in it. A
  /// longer extent than `most` words is left where it is: see staged().
  __device__ void start(const std::uint32_t* list, Extent extent, uint4* room, std::uint32_t most) {
    const std::uint32_t words = extent.end - extent.begin;
    const bool fits = words <= most;
    const auto from = reinterpret_cast<std::uintptr_t>(list + extent.begin);
    // Bytes of the extent's first unit that are before it, and of the room.
    const auto skew = static_cast<std::uint32_t>(from % sizeof(uint4));
    const std::uint32_t lead = (static_cast<std::uint32_t>(from) - address(room)) % kLineBytes;
    const std::uint32_t bytes = fits ? (words * 4 + skew + 15) / 16 * 16 : 0;
    const auto* units = reinterpret_cast<const uint4*>(from - skew);
    // The copy engine is sure to see what the lanes did to the barrier and the room after this
    // fence alone (PTX, asynchronous proxy).
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
                      (asm volatile("fence.proxy.async.shared::cta;" ::
                                        : "memory");
                       __syncwarp(); if (WarpLanes::id() == 0)
                           copy_in_background(units, address(room) + lead - skew, bytes);),
                      (__syncwarp(); uint4* to = room + (lead - skew) / 16;
                       for (std::uint32_t i = WarpLanes::id(); i < bytes / 16;
                            i += kLanes) { to[i] = __ldcs(units + i); }))
    if (WarpLanes::id() == 0) {
      first_ = extent.begin - lead / 4;
      staged_ = fits ? 1 : 0;
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

  /// Whether the extent fitted.
  __device__ bool staged() const { return staged_ != 0; }

  /// The extent, if staged().
  __device__ Payload payload(const uint4* room) const {
    return {reinterpret_cast<const std::uint32_t*>(room), first_};
  }

 private:
  __device__ static std::uint32_t address(const void* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  }

  __device__ void copy_in_background(const uint4* from, std::uint32_t to, std::uint32_t bytes) {
    const std::uint32_t arrival = address(&arrival_);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(arrival), "r"(bytes)
                 : "memory");
    if (bytes == 0) return;
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(to),
        "l"(from), "r"(bytes), "r"(arrival)
        : "memory");
  }

  std::uint64_t arrival_;
  std::uint32_t first_;   ///< the word that would be at the beginning of the room; may wrap
  std::uint32_t staged_;  ///< bool
};

/// In shared memory: what controls one group that travels to a slot, always the same one. Functions
/// as those of AsyncWords.
template <class Codec>
class AsyncGroup {
 public:
  __device__ void init() {
    for (AsyncWords& stream : streams_) stream.init();
  }
  __device__ void end() {
    for (AsyncWords& stream : streams_) stream.end();
  }

  /// `at` is where the group of up to `tiles` tiles is; `extent` that of its payload.
  __device__ void start(const std::uint32_t* list, const Located& at, Extent extent,
                        std::uint32_t tiles, const GroupMemory& memory, const StageLayout& layout) {
    streams_[0].start(list, extent, memory.words, layout.most_words);
    if constexpr (LengthsTileCodec<Codec>) {
      streams_[1].start(list, at.lengths, memory.lengths, layout.most_lengths);
    }
    if (WarpLanes::id() <= tiles) memory.boundaries[WarpLanes::id()] = at.boundary;
  }

  __device__ void wait(std::uint32_t parity) {
    for (AsyncWords& stream : streams_) stream.wait(parity);
  }

  __device__ bool staged() const {
    bool staged = streams_[0].staged();
    if constexpr (LengthsTileCodec<Codec>) staged = staged && streams_[1].staged();
    return staged;
  }

  /// What has arrived, if staged().
  __device__ StagedTiles tiles(ListView list, const GroupMemory& memory) const {
    StagedTiles tiles = memory.tiles(list);
    tiles.payload = streams_[0].payload(memory.words);
    if constexpr (LengthsTileCodec<Codec>) tiles.lengths = streams_[1].payload(memory.lengths);
    return tiles;
  }

 private:
  AsyncWords streams_[LengthsTileCodec<Codec> ? 2 : 1];
};

}  // namespace gannet::codecs::cuda
