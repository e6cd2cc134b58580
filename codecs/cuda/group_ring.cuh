// How a warp goes through groups of tiles: while it decodes one, the words of the next ones arrive.
//
// A group is up to kGroupTiles tiles of one list. Its payload is copied to shared memory
// asynchronously, kStages groups ahead; so are the nine boundaries of its tiles. Where the
// groups are is a Source's business:
//
//   struct MySource {
//     std::uint32_t groups;                              how many there are
//     __device__ Group group(std::uint32_t i) const;     where group i is
//   };
#pragma once

#include <cuda_pipeline.h>

#include <concepts>
#include <cstdint>

#include "gannet/codecs/cuda/stage.cuh"
#include "gannet/codecs/docids.hpp"
#include "gannet/codecs/lists.hpp"
#include "gannet/codecs/wide.hpp"

namespace gannet::codecs::cuda {

/// Tiles [first, last) of a list: a whole group, or what the end of the list leaves of one.
struct Group {
  ListView list;
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t previous;  ///< docid before tile `first`, for docids of gap-coding codecs
  std::uint64_t output;    ///< place of the list's first value in the output

  __device__ bool full() const {
    return last - first == kGroupTiles && std::uint64_t{last} * kTile <= list.count;
  }
};

/// The groups of one list.
struct ColumnSource {
  ListView list;
  std::uint32_t groups;

  ColumnSource(ListView column)
      : list(column), groups(ceil_div(tile_count(column.count), kGroupTiles)) {}

  __device__ Group group(std::uint32_t i) const {
    const std::uint32_t first = i * kGroupTiles;
    return {list, first, min(first + kGroupTiles, tile_count(list.count)), kBeforeFirst, 0};
  }
};

template <class Codec>
concept HasBoundaries = requires(ListView list) {
  Codec::boundary(list, 0u);
  Codec::extent_between(list, 0u, 0u, 0u);
};

template <class Codec>
concept HasWide = HasBoundaries<Codec> &&
    requires(ListView list, const std::uint32_t* boundaries, WarpLanes::Var<WideQuads>& out) {
  Codec::next_wide(WarpLanes{}, list, Payload{}, boundaries, 0u, out);
};

/// Whether next_wide decodes this group.
template <class Codec>
__device__ __forceinline__ bool is_wide(const Group& group) {
  if constexpr (requires { Codec::is_wide(group.list, group.first); }) {
    return group.full() && Codec::is_wide(group.list, group.first);
  } else {
    return group.full();
  }
}

/// A group's words in shared memory, with what is needed to decode them.
template <class Codec>
struct StagedGroup {
  uint4 words[staged_words(kGroupTiles * Codec::tile_words) / 4 + kOverread / 4];
  std::uint32_t boundaries[kGroupTiles + 4];  ///< kGroupTiles + 1, if the group is full
  Group group;
  std::uint32_t first_word;  ///< which word of the list is words[0]
};

/// A warp's ring of groups. All lanes call all functions, converged.
template <class Codec, class Source, std::uint32_t kStages>
class GroupRing {
 public:
  using Shared = StagedGroup<Codec>[kStages];

  /// Starts the copies of the warp's first groups: `first`, first + stride, first + 2 stride, ...
  __device__ GroupRing(const Source& source, Shared& shared, std::uint32_t first,
                       std::uint32_t stride)
      : source_(source), shared_(shared), next_(first), stride_(stride) {
    for (std::uint32_t slot = 0; slot < kStages; ++slot)
      refill(slot, locate(first + slot * stride));
  }

  /// Moves on to the next group and waits until its words have arrived; false if there is none.
  __device__ bool next() {
    if (started_) {
      refill(slot_, ahead_);
      slot_ = slot_ + 1 == kStages ? 0 : slot_ + 1;
      next_ += stride_;
    }
    started_ = true;
    if (next_ >= source_.groups) {
      __pipeline_wait_prior(0);
      return false;
    }
    ahead_ = locate(next_ + kStages * stride_);
    __pipeline_wait_prior(kStages - 1);
    __syncwarp();
    return true;
  }

  /// The group that next() moved to. Valid until it is called again, as are its words.
  __device__ const Group& group() const { return shared_[slot_].group; }
  __device__ const std::uint32_t* boundaries() const { return shared_[slot_].boundaries; }
  __device__ Payload payload() const {
    return {reinterpret_cast<const std::uint32_t*>(shared_[slot_].words),
            shared_[slot_].first_word};
  }

 private:
  /// A group whose copy is about to be started.
  struct Located {
    bool any;
    Group group;
    Extent extent;
    std::uint32_t boundary;  ///< lane i has that of tile first + i
  };

  __device__ Located locate(std::uint32_t i) const {
    Located at{};
    at.any = i < source_.groups;
    if (!at.any) return at;
    at.group = source_.group(i);
    if constexpr (HasBoundaries<Codec>) {
      if (at.group.full()) {
        const std::uint32_t tile = at.group.first + min(WarpLanes::id(), kGroupTiles);
        at.boundary = Codec::boundary(at.group.list, tile);
        return at;
      }
    }
    at.extent = Codec::extent(at.group.list, at.group.first, at.group.last);
    return at;
  }

  __device__ void refill(std::uint32_t slot, Located at) {
    __syncwarp();
    if (at.any) {
      StagedGroup<Codec>& stage = shared_[slot];
      const std::uint32_t lane = WarpLanes::id();
      if constexpr (HasBoundaries<Codec>) {
        if (at.group.full()) {
          const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, at.boundary, 0);
          const std::uint32_t end = __shfl_sync(WarpLanes::kAll, at.boundary, kGroupTiles);
          at.extent = Codec::extent_between(at.group.list, at.group.first, begin, end);
          if (lane <= kGroupTiles) stage.boundaries[lane] = at.boundary;
        }
      }
      const auto address = reinterpret_cast<std::uintptr_t>(at.group.list.words + at.extent.begin);
      const auto skew = static_cast<std::uint32_t>(address % 16 / 4);
      const auto* from = reinterpret_cast<const uint4*>(address - skew * 4);
      const std::uint32_t units = (at.extent.end - at.extent.begin + skew + 3) / 4;
      for (std::uint32_t i = lane; i < units; i += kLanes) {
        __pipeline_memcpy_async(stage.words + i, from + i, sizeof(uint4));
      }
      if (lane == 0) {
        stage.group = at.group;
        stage.first_word = at.extent.begin - skew;
      }
    }
    __pipeline_commit();
  }

  const Source& source_;
  Shared& shared_;
  std::uint32_t next_;
  std::uint32_t stride_;
  std::uint32_t slot_ = 0;
  bool started_ = false;
  Located ahead_{};
};

/// Adds up the gaps of kWideTiles full tiles to docids; `previous` is the docid before them.
__device__ __forceinline__ void sum_gaps_wide(WideQuads& quads, std::uint32_t& previous) {
  const WarpLanes lanes;
  WarpLanes::Var<std::uint32_t> before[kWideTiles];
  std::uint32_t any = 0;
#pragma unroll
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
    Quad& quad = quads.tile[t];
    quad.value[0] += 1;
#pragma unroll
    for (std::uint32_t i = 1; i < 4; ++i) quad.value[i] += quad.value[i - 1] + 1;
    before[t].value = quad.value[3];
    any |= quad.value[3];
  }
  const bool small = !__any_sync(WarpLanes::kAll, any >= (1u << 16) / kLanes);
  std::uint32_t totals[kWideTiles];
  scan_wide(lanes, small, before, totals);
#pragma unroll
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      quads.tile[t].value[i] += previous + before[t].value;
    }
    previous += totals[t];
  }
}

/// Decodes a group whose words are staged, to values or (kDocids) docids. Calls
/// f(tile, quad, size) for its tiles in order, with the lane's quad and the tile's size.
template <class Codec, Content kContent, class F>
__device__ __forceinline__ void decode_group(const Group& group, Payload payload,
                                             [[maybe_unused]] const std::uint32_t* boundaries,
                                             F f) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::gaps;
  const WarpLanes lanes;
  std::uint32_t previous = group.previous;
  if constexpr (HasWide<Codec>) {
    if (is_wide<Codec>(group)) {
#pragma unroll 1
      for (std::uint32_t t = 0; t < kGroupTiles; t += kWideTiles) {
        WarpLanes::Var<WideQuads> quads;
        Codec::next_wide(lanes, group.list, payload, boundaries + t, group.first + t, quads);
        if constexpr (kGaps) sum_gaps_wide(quads.value, previous);
#pragma unroll
        for (std::uint32_t i = 0; i < kWideTiles; ++i) {
          f(group.first + t + i, quads.value.tile[i], kTile);
        }
      }
      return;
    }
  }
  using Tiles = std::conditional_t<kGaps, DocidTiles<Codec>, Codec>;
  auto cursor = [&] {
    if constexpr (kContent == Content::kDocids) {
      return Tiles::seek(lanes, group.list, group.first, previous);
    } else {
      return Tiles::seek(lanes, group.list, group.first);
    }
  }();
  WarpLanes::Var<Quad> quad;
#pragma unroll 1
  for (std::uint32_t tile = group.first; tile < group.last; ++tile) {
    Tiles::next(lanes, group.list, payload, tile, cursor, quad);
    f(tile, quad.value, tile_size(group.list.count, tile));
  }
}

}  // namespace gannet::codecs::cuda
