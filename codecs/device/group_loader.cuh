// Inline decompression of several columns at once, of TileLoader's family: the words of a group of
// four tiles of each column are copied to shared memory, all under way at the same time, then the
// columns are decoded and filtered one after the other, in registers.
//
//   // On the host: rooms as large as the largest group of a column.
//   LoadColumn price{list_in_device_memory, load_layout<GpuFor>(list_in_host_memory)};
//
//   // In the kernel, one warp per group:
//   const TileRange range = load_range(price.list, number);
//   const GroupPlace<GpuFor> at(price.list, number);
//   const GroupLoader<GpuFor, true> group(price, range, at, memory);   starts the copies
//   ... further columns, each with memory of its own ...
//   await_copies();
//   group.decode([&](std::uint32_t t, const Quad& quad) { ... });      value 128 (range.first + t)
//                                                                      + 4 lane + i is
//                                                                      quad.value[i]
//   rows &= group.rows_in(interval);                                   or filter alone
//   load_rows<GpuFor>(price.list, range, at, rows, f);                 or single rows, not staged
//
// Where TileLoader (tile_loader.cuh) is called for any tile and stages one column ahead of time,
// this is for kernels that go through groups of several columns in step: one wait for all of them,
// no barrier, and rooms without slack. The Star Schema benchmark's query flight 1 is written with
// it (bench/ssb). A warp's lanes call all functions together, converged. Columns are in device
// memory, validated, on 16 bytes, with 4 readable words behind them.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "codecs/core/codec.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/device/detail/group_memory.cuh"
#include "codecs/device/detail/run_filter.cuh"
#include "codecs/device/detail/single_values.cuh"
#include "codecs/lists/raw_tiles.hpp"

namespace gannet::codecs::cuda {

/// Tiles that are loaded together; blocks of more values are not supported.
inline constexpr std::uint32_t kLoadTiles = kWideTiles;

/// Tiles [first, last) of a list.
struct TileRange {
  std::uint32_t first;
  std::uint32_t last;
  bool full;  ///< has four tiles of 128 values
};

/// Groups of a list.
GANNET_HD std::uint32_t load_count(ListView list) {
  return ceil_div(tile_count(list.count), kLoadTiles);
}

/// Group `number` of a list; beyond the last one, an empty one.
GANNET_HD TileRange load_range(ListView list, std::uint32_t number) {
  const std::uint32_t tiles = tile_count(list.count);
  const std::uint32_t first = number * kLoadTiles;
  if (first >= tiles) return {tiles, tiles, false};
  const std::uint32_t last = first + kLoadTiles;
  return {first, last < tiles ? last : tiles, std::uint64_t{last} * kTile <= list.count};
}

/// Units of scratch memory that a codec's groups need: for decoding, or for the rows of its runs.
template <class Codec>
inline constexpr std::uint32_t kLoadScratchUnits =
    std::max(kScratchUnits<Codec>, std::is_same_v<Codec, GpuRfor> ? kMarkWords / 4 : 0u);

/// The layout of the shared memory for the groups of a column whose words are in host memory: room
/// for the largest of them. Reads the column's index once.
template <class Codec>
StageLayout load_layout(ListView list) {
  static_assert(Codec::block <= kLoadTiles * kTile);
  std::uint32_t words = 0;
  std::uint32_t lengths = 0;
  for (std::uint32_t number = 0; number < load_count(list); ++number) {
    const TileRange group = load_range(list, number);
    const Extent extent = Codec::extent(list, group.first, group.last);
    words = std::max(words, extent.end - extent.begin);
    if constexpr (LengthsTileCodec<Codec>) {
      const Extent stretch = Codec::lengths_extent(list, group.first, group.last);
      lengths = std::max(lengths, stretch.end - stretch.begin);
    }
  }
  return stage_layout<Codec>(kLoadTiles, words, lengths, Copy::kByWarp);
}

/// Units of 16 bytes of shared memory that a warp's group of a column takes.
template <class Codec>
GANNET_HD constexpr std::uint32_t load_units(const StageLayout& layout) {
  return layout.units + kLoadScratchUnits<Codec>;
}

/// A column in device memory, and how its groups are staged. A launch parameter.
struct LoadColumn {
  ListView list;
  StageLayout layout;
};

/// Where a group's words are.
template <class Codec>
struct GroupPlace {
  Extent values{};
  Extent lengths{};
  std::uint32_t boundary = 0;  ///< lane i (0 .. 4) has that of tile first + i

  __device__ __forceinline__ GroupPlace(ListView list, std::uint32_t number) {
    const TileRange group = load_range(list, number);
    if (group.first == group.last) return;
    if constexpr (BoundaryTileCodec<Codec>) {
      const std::uint32_t tile = min(group.first + min(WarpLanes::id(), kLoadTiles), group.last);
      boundary = Codec::boundary(list, tile);
      if (group.full) {
        const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, boundary, 0);
        const std::uint32_t end = __shfl_sync(WarpLanes::kAll, boundary, kLoadTiles);
        values = Codec::extent_between(list, group.first, begin, end);
      } else {
        values = Codec::extent(list, group.first, group.last);
      }
    } else {
      values = Codec::extent(list, group.first, group.last);
    }
    if constexpr (LengthsTileCodec<Codec>) {
      lengths = Codec::lengths_extent(list, group.first, group.last);
    }
  }
};

/// Starts to copy words of a list to shared memory; returns how to read them there.
__device__ __forceinline__ Payload start_copy(ListView list, Extent extent, uint4* to) {
  const Units units(list.words, extent);
  for (std::uint32_t i = WarpLanes::id(); i < units.count; i += kLanes) {
    __pipeline_memcpy_async(to + i, units.from + i, sizeof(uint4));
  }
  return {reinterpret_cast<const std::uint32_t*>(to), extent.begin - units.skew};
}

/// Waits for all copies that the warp has started.
__device__ __forceinline__ void await_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
}

/// A group of a column in shared memory; if it is not `whole`, nothing.
template <class Codec, bool whole>
class GroupLoader {
 public:
  /// Starts the copies to `memory`, load_units() of shared memory that nobody reads any more.
  __device__ GroupLoader(const LoadColumn& column, const TileRange& group,
                         const GroupPlace<Codec>& place, uint4* memory)
      : list_(column.list), group_(group), place_(place) {
    if constexpr (!whole) return;
    const GroupMemory to(memory, column.layout, 0, 1);
    staged_ = to.tiles(list_);
    staged_.payload = start_copy(list_, place.values, to.words);
    if constexpr (LengthsTileCodec<Codec>) {
      staged_.lengths = start_copy(list_, place.lengths, to.lengths);
    }
    if constexpr (WideTileCodec<Codec>) {
      if (WarpLanes::id() <= kLoadTiles) to.boundaries[WarpLanes::id()] = place.boundary;
    }
  }

  /// Calls f(t, quad) for tiles first + t of the group, after await_copies().
  template <class F>
  __device__ __forceinline__ void decode(F f) const {
    if constexpr (WideTileCodec<Codec>) {
      if (group_.full) {
        WarpLanes::Var<WideQuads> quads;
        Codec::next_wide(WarpLanes{}, staged_, group_.first, quads);
#pragma unroll
        for (std::uint32_t t = 0; t < kLoadTiles; ++t) f(t, quads.value.tile[t]);
        return;
      }
    }
    auto cursor = Codec::seek(WarpLanes{}, list_, group_.first);
    WarpLanes::Var<Quad> quad;
#pragma unroll
    for (std::uint32_t t = 0; t < kLoadTiles; ++t) {
      if (group_.first + t >= group_.last) break;
      if constexpr (LengthsTileCodec<Codec>) {
        Codec::next(WarpLanes{}, list_, staged_.payload, staged_.lengths, group_.first + t, cursor,
                    quad);
      } else {
        Codec::next(WarpLanes{}, list_, staged_.payload, group_.first + t, cursor, quad);
      }
      f(t, quad.value);
    }
  }

  /// Which rows have a value in the range (bit 4 t + i: value i of tile t), after await_copies().
  /// `Interval` has bool has(std::uint32_t value). A column of runs is asked run by run.
  template <class Interval>
  __device__ __forceinline__ std::uint32_t rows_in(const Interval& range) const {
    if constexpr (std::is_same_v<Codec, GpuRfor>) {
      return rows_in_range(staged_.payload.at(place_.values.begin),
                           staged_.lengths.at(place_.lengths.begin), range, staged_.scratch);
    } else {
      std::uint32_t rows = 0;
      decode([&](std::uint32_t t, const Quad& quad) {
#pragma unroll
        for (std::uint32_t i = 0; i < 4; ++i) {
          if (range.has(quad.value[i])) rows |= 1u << (4 * t + i);
        }
      });
      return rows;
    }
  }

 private:
  ListView list_;
  TileRange group_;
  GroupPlace<Codec> place_;
  StagedTiles staged_{};
};

/// A tile, decoded from device memory.
template <class Codec>
__device__ __forceinline__ Quad decode_alone(ListView list, std::uint32_t tile) {
  WarpLanes::Var<Quad> quad;
  auto cursor = Codec::seek(WarpLanes{}, list, tile);
  Codec::next(WarpLanes{}, list, Payload{list.words, 0}, tile, cursor, quad);
  return quad.value;
}

/// load_rows() for a plain column: the 16 bytes in which a lane wants a value.
template <class F>
__device__ __forceinline__ void load_rows_plain(ListView list, const TileRange& group,
                                                std::uint32_t wanted, F f) {
  Quad quads[kLoadTiles];
#pragma unroll
  for (std::uint32_t t = 0; t < kLoadTiles; ++t) {
    if ((wanted >> (4 * t) & 15) == 0) continue;
    const std::uint32_t row = (group.first + t) * kTile + 4 * WarpLanes::id();
    const uint4 four = __ldcs(reinterpret_cast<const uint4*>(list.words + row));
    quads[t] = {four.x, four.y, four.z, four.w};
  }
#pragma unroll
  for (std::uint32_t bit = 0; bit < 4 * kLoadTiles; ++bit) {
    if ((wanted >> bit & 1) != 0) f(bit, quads[bit / 4].value[bit % 4]);
  }
}

/// load_rows() by single values: every lane takes its next row until no lane has any.
template <class Codec, class F>
__device__ __forceinline__ void load_rows_single(ListView list, const TileRange& group,
                                                 std::uint32_t boundary, std::uint32_t wanted,
                                                 F f) {
  using Values = SingleValues<Codec>;
  const std::uint32_t lane = WarpLanes::id();
  const std::uint32_t end = __shfl_down_sync(WarpLanes::kAll, boundary, 1);
  typename Values::Head heads{};
  if (group.first + lane < group.last) heads = Values::load(list, boundary, end);
  const std::uint32_t rounds = WarpLanes::greatest(popcount(wanted));
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const bool any = wanted != 0;
    const auto bit = any ? static_cast<std::uint32_t>(__ffs(static_cast<int>(wanted)) - 1) : 0;
    const auto head = Values::of_lane(heads, bit / 4);
    if (any) f(bit, Values::at(list, head, 4 * lane + bit % 4));
    wanted &= wanted - 1;
  }
}

/// Calls f(bit, value) for the rows of a group that this lane wants: bit 4 t + i of `wanted` is
/// value i of the lane's quad in tile t. Called by the whole warp; f must not talk to other lanes.
template <class Codec, class F>
__device__ __forceinline__ void load_rows(ListView list, const TileRange& group,
                                          const GroupPlace<Codec>& place, std::uint32_t wanted,
                                          F f) {
  if constexpr (std::is_same_v<Codec, RawTiles>) {
    load_rows_plain(list, group, wanted, f);
    return;
  }
  if (!__any_sync(WarpLanes::kAll, wanted != 0)) return;
  if constexpr (HasSingleValues<Codec>) {
    load_rows_single<Codec>(list, group, place.boundary, wanted, f);
  } else if constexpr (!std::is_same_v<Codec, RawTiles>) {
#pragma unroll
    for (std::uint32_t t = 0; t < kLoadTiles; ++t) {
      const std::uint32_t mine = wanted >> (4 * t) & 15;
      if (!__any_sync(WarpLanes::kAll, mine != 0)) continue;
      const Quad quad = decode_alone<Codec>(list, group.first + t);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        if ((mine >> i & 1) != 0) f(4 * t + i, quad.value[i]);
      }
    }
  }
}

}  // namespace gannet::codecs::cuda
