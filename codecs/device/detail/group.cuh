// Groups of tiles: what a warp stages in shared memory and decodes from there.
//
// A group is kTiles consecutive tiles of one list, or what the end of the list leaves of them.
// Where the groups of a launch are is a Source's business:
//
//   struct MySource {
//     std::uint32_t groups;                              how many there are
//     __device__ Group group(std::uint32_t i) const;     where group i is
//   };
#pragma once

#include <cstdint>
#include <type_traits>

#include "codecs/core/concepts.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/wide_scan.hpp"
#include "codecs/device/detail/group_memory.cuh"
#include "codecs/docids.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs::cuda {

/// Tiles [first, last) of a list.
struct Group {
  ListView list;
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t previous;  ///< docid before tile `first`, for docids of gap-coding codecs
  std::uint64_t output;    ///< place of the list's first value in the output
  Extent payload = {};     ///< where its words are, if the source knows it; else empty

  /// Whether the source says where the payload is: its words are then asked for at once, without
  /// waiting for what the list says of itself.
  GANNET_HD bool placed() const { return payload.end != 0; }

  /// Whether there are `tiles` tiles, all full.
  GANNET_HD bool full(std::uint32_t tiles) const {
    return last - first == tiles && std::uint64_t{last} * kTile <= list.count;
  }
};

/// The groups of one list.
template <std::uint32_t kTiles>
struct ColumnSource {
  ListView list;
  std::uint32_t groups;

  GANNET_HD explicit ColumnSource(ListView column)
      : list(column), groups(ceil_div(tile_count(column.count), kTiles)) {}

  __device__ Group group(std::uint32_t i) const {
    const std::uint32_t first = i * kTiles;
    return {list, first, min(first + kTiles, tile_count(list.count)), kBeforeFirst, 0};
  }
};

/// Where a group's words are. Of codecs with boundaries, full groups have those of their tiles:
/// that of tile first + i in lane i's register.
struct Located {
  Extent extent{};  ///< of other groups
  std::uint32_t boundary = 0;
  Extent lengths{};  ///< if the codec has any
};

/// Finds a group of `tiles` full tiles. Loads from global memory, and does nothing with what it
/// loads.
template <class Codec>
__device__ __forceinline__ Located locate_full(ListView list, std::uint32_t first,
                                               std::uint32_t tiles) {
  Located at;
  if constexpr (LengthsTileCodec<Codec>) {
    at.lengths = Codec::lengths_extent(list, first, first + tiles);
  }
  if constexpr (BoundaryTileCodec<Codec>) {
    at.boundary = Codec::boundary(list, first + min(WarpLanes::id(), tiles));
  } else {
    at.extent = Codec::extent(list, first, first + tiles);
  }
  return at;
}

/// Locates any group.
template <class Codec>
__device__ __forceinline__ Located locate_any(const Group& group) {
  Located at;
  if constexpr (LengthsTileCodec<Codec>) {
    at.lengths = Codec::lengths_extent(group.list, group.first, group.last);
  }
  at.extent = Codec::extent(group.list, group.first, group.last);
  return at;
}

/// Locates a group whose payload is known. The boundaries, which wide forms want besides, are
/// on their way together with it.
template <class Codec>
__device__ __forceinline__ Located locate_placed(const Group& group, std::uint32_t tiles,
                                                 bool full) {
  Located at{group.payload};
  if constexpr (LengthsTileCodec<Codec>) {
    at.lengths = Codec::lengths_extent(group.list, group.first, group.last);
  }
  if constexpr (BoundaryTileCodec<Codec>) {
    if (full) at.boundary = Codec::boundary(group.list, group.first + min(WarpLanes::id(), tiles));
  }
  return at;
}

template <class Codec>
__device__ __forceinline__ Located locate(const Group& group, std::uint32_t tiles, bool full) {
  if (group.placed()) return locate_placed<Codec>(group, tiles, full);
  return full ? locate_full<Codec>(group.list, group.first, tiles) : locate_any<Codec>(group);
}

/// Where the payload of a located group is, which starts with tile `first`.
template <class Codec>
__device__ __forceinline__ Extent payload_extent(ListView list, std::uint32_t first,
                                                 const Located& at, std::uint32_t tiles,
                                                 bool full) {
  if constexpr (BoundaryTileCodec<Codec>) {
    if (full) {
      const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, at.boundary, 0);
      const std::uint32_t end = __shfl_sync(WarpLanes::kAll, at.boundary, static_cast<int>(tiles));
      return Codec::extent_between(list, first, begin, end);
    }
  }
  return at.extent;
}

/// The wide form of DocidTiles: adds up the gaps of kWideTiles full tiles to docids; `previous` is
/// the docid before them.
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
    for (std::uint32_t i = 0; i < 4; ++i) quads.tile[t].value[i] += previous + before[t].value;
    previous += totals[t];
  }
}

/// Decodes a group tile by tile. Calls f as decode_group() does.
template <class Codec, Content kContent, class F>
__device__ __forceinline__ void decode_tiles(const Group& group, Payload payload, F f) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::traits.gaps;
  using Tiles = std::conditional_t<kGaps, DocidTiles<Codec>, Codec>;
  const WarpLanes lanes;
  auto cursor = [&] {
    if constexpr (kContent == Content::kDocids) {
      return Tiles::seek(lanes, group.list, group.first, group.previous);
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

/// Copies the words of a located group of up to `tiles` tiles to its memory, and waits for them.
template <class Codec>
__device__ __forceinline__ StagedTiles fill(const GroupMemory& memory, const Group& group,
                                            const Located& at, Extent extent, std::uint32_t tiles) {
  __syncwarp();
  if (WarpLanes::id() <= tiles) memory.boundaries[WarpLanes::id()] = at.boundary;
  StagedTiles staged = memory.tiles(group.list);
  if constexpr (LengthsTileCodec<Codec>) {
    stage_both(group.list.words, extent, memory.words, at.lengths, memory.lengths, staged.payload,
               staged.lengths);
  } else {
    staged.payload = stage(group.list.words, extent, memory.words);
  }
  return staged;
}

/// Shared memory for any group of kTiles tiles of a codec, as an array of a kernel.
template <class Codec, std::uint32_t kTiles>
struct GroupRoom {
  uint4 memory[stage_units<Codec>(largest_layout<Codec>(kTiles, Copy::kByWarp), 1)];

  __device__ __forceinline__ StagedTiles fill(const Group& group) {
    static_assert(kTiles < kLanes);
    const bool full = group.full(kTiles);
    const Located at = locate<Codec>(group, kTiles, full);
    const Extent extent = payload_extent<Codec>(group.list, group.first, at, kTiles, full);
    constexpr StageLayout layout = largest_layout<Codec>(kTiles, Copy::kByWarp);
    return cuda::fill<Codec>(GroupMemory(memory, layout, 0, 1), group, at, extent, kTiles);
  }
};

/// The number of this warp in the grid, whose blocks have `warps` warps. Does not wrap: launches
/// have at most kMaxWarps of them.
__device__ __forceinline__ std::uint32_t warp_of_grid(std::uint32_t warps) {
  return blockIdx.x * warps + threadIdx.x / kLanes;
}

/// Decodes a group to values or (kDocids) docids, from its staged words; the boundaries and the
/// scratch memory are used if it is full. Calls f(tile, quad, size) for its tiles in order, with
/// the lane's quad and the tile's size.
template <class Codec, std::uint32_t kTiles, Content kContent, class F>
__device__ __forceinline__ void decode_group(const Group& group, StagedTiles staged, F f) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::traits.gaps;
  if constexpr (WideTileCodec<Codec>) {
    if (group.full(kTiles)) {
      std::uint32_t previous = group.previous;
#pragma unroll 1
      for (std::uint32_t t = 0; t < kTiles; t += kWideTiles) {
        WarpLanes::Var<WideQuads> quads;
        Codec::next_wide(WarpLanes{}, staged, group.first + t, quads);
        staged.boundaries += kWideTiles;
        if constexpr (kGaps) sum_gaps_wide(quads.value, previous);
#pragma unroll
        for (std::uint32_t i = 0; i < kWideTiles; ++i) {
          f(group.first + t + i, quads.value.tile[i], kTile);
        }
      }
      return;
    }
  }
  decode_tiles<Codec, kContent>(group, staged.payload, f);
}

}  // namespace gannet::codecs::cuda
