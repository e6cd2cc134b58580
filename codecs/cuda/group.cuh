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

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gannet/codecs/cuda/stage.cuh"
#include "gannet/codecs/docids.hpp"
#include "gannet/codecs/lists.hpp"
#include "gannet/codecs/wide.hpp"

namespace gannet::codecs::cuda {

/// Tiles [first, last) of a list.
struct Group {
  ListView list;
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t previous;  ///< docid before tile `first`, for docids of gap-coding codecs
  std::uint64_t output;    ///< place of the list's first value in the output

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

template <class Codec>
concept HasSum = HasBoundaries<Codec> &&
    requires(ListView list, const std::uint32_t* boundaries, WarpLanes::Var<std::uint64_t>& sums) {
  Codec::sum_group(WarpLanes{}, list, Payload{}, boundaries, true, sums);
};

/// Whether the wide forms decode the full tiles from `first` on.
template <class Codec>
__device__ __forceinline__ bool is_wide(ListView list, std::uint32_t first) {
  if constexpr (requires { Codec::is_wide(list, first); }) {
    return Codec::is_wide(list, first);
  } else {
    return true;
  }
}

/// Where a group's payload is, with the boundaries of its tiles if it is full: those of tile
/// first + i in lane i's register.
struct Located {
  Extent extent;
  std::uint32_t boundary;
};

template <class Codec, std::uint32_t kTiles>
__device__ __forceinline__ Located locate(const Group& group) {
  static_assert(kTiles < kLanes);
  if constexpr (HasBoundaries<Codec>) {
    if (group.full(kTiles)) {
      const std::uint32_t tile = group.first + min(WarpLanes::id(), kTiles);
      const std::uint32_t boundary = Codec::boundary(group.list, tile);
      const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, boundary, 0);
      const std::uint32_t end = __shfl_sync(WarpLanes::kAll, boundary, kTiles);
      return {Codec::extent_between(group.list, group.first, begin, end), boundary};
    }
  }
  return {Codec::extent(group.list, group.first, group.last), 0};
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

/// Decodes a group to values or (kDocids) docids, from its payload. `boundaries` are those of its
/// tiles, used if the group is full. Calls f(tile, quad, size) for its tiles in order, with the
/// lane's quad and the tile's size.
template <class Codec, std::uint32_t kTiles, Content kContent, class F>
__device__ __forceinline__ void decode_group(const Group& group, Payload payload,
                                             [[maybe_unused]] const std::uint32_t* boundaries,
                                             F f) {
  constexpr bool kGaps = kContent == Content::kDocids && Codec::gaps;
  const WarpLanes lanes;
  std::uint32_t previous = group.previous;
  if constexpr (HasWide<Codec>) {
    if (group.full(kTiles) && is_wide<Codec>(group.list, group.first)) {
#pragma unroll 1
      for (std::uint32_t t = 0; t < kTiles; t += kWideTiles) {
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
