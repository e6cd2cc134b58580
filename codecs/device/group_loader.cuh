// Inline decompression of several columns at once. A warp takes a group of four tiles of each
// column: it copies the words of all columns to shared memory at the same time, then decodes and
// filters one column after another, in registers.
//
//   // On the host: the layout has room for the largest group of the column.
//   LoadColumn price{list_in_device_memory, load_layout<GpuFor>(list_in_host_memory)};
//
//   // In the kernel, one warp per group:
//   const TileRange range = load_range(price.list, number);
//   const GroupLocation<GpuFor> at(price.list, number);
//   const GroupLoader<GpuFor, true> group(price, range, at, memory);   starts the copies
//   ... further columns, each with memory of its own ...
//   await_copies();
//   group.decode([&](std::uint32_t t, const Quad& quad) { ... });      value 128 (range.first + t)
//                                                                      + 4 lane + i is
//                                                                      quad.value[i]
//   rows &= group.rows_in(interval);                                   or only filter
//   load_rows<GpuFor>(price.list, range, at, rows, f);                 or load single rows
//
// TileLoader (tile_loader.cuh) loads any tile of one column and stages groups ahead of time.
// GroupLoader is for kernels that go through several columns in step: the warp waits once for the
// copies of all columns, needs no barrier, and reserves no more shared memory than the largest
// group takes. Query flight 1 of the Star Schema benchmark uses it (bench/ssb).
//
// All lanes of a warp call every device function together, converged. Columns are in device memory,
// validated and 16-byte aligned, with 4 readable words behind them. Rows of a group have numbers:
// bit 4 t + i of a lane stands for value 128 (range.first + t) + 4 lane + i.
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

/// Tiles of a group. Codecs with blocks of more than 512 values are not supported.
inline constexpr std::uint32_t kLoadTiles = kWideTiles;

/// The tiles [first, last) of a group.
struct TileRange {
  std::uint32_t first;
  std::uint32_t last;
  bool full;  ///< there are four tiles of 128 values each
};

/// The number of groups of a list.
GANNET_HD std::uint32_t load_count(ListView list) {
  return ceil_div(tile_count(list.count), kLoadTiles);
}

/// The tiles of group `number` of a list; no tiles if `number` is load_count(list) or more.
GANNET_HD TileRange load_range(ListView list, std::uint32_t number) {
  const std::uint32_t tiles = tile_count(list.count);
  const std::uint32_t first = number * kLoadTiles;
  if (first >= tiles) return {tiles, tiles, false};
  const std::uint32_t last = first + kLoadTiles;
  return {first, last < tiles ? last : tiles, std::uint64_t{last} * kTile <= list.count};
}

/// Scratch memory for a group of a codec, in units of 16 bytes: for decoding, and of gpu-rfor for
/// rows_in().
template <class Codec>
inline constexpr std::uint32_t kLoadScratchUnits =
    std::max(kScratchUnits<Codec>, std::is_same_v<Codec, GpuRfor> ? kMarkWords / 4 : 0u);

/// The layout of shared memory with room for the largest group of a column, whose words are in host
/// memory. Reads where each group begins: takes time in proportion to load_count(list). A codec
/// with blocks of more than 512 values does not compile.
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

/// Shared memory for a warp's group of one column, in units of 16 bytes.
template <class Codec>
GANNET_HD constexpr std::uint32_t load_units(const StageLayout& layout) {
  return layout.units + kLoadScratchUnits<Codec>;
}

/// A column in device memory and the layout of its groups in shared memory. Passed to kernels by
/// value.
struct LoadColumn {
  ListView list;
  StageLayout layout;
};

/// The positions of a group's words in its list. The constructor reads them from device memory.
template <class Codec>
struct GroupLocation {
  Extent values{};
  Extent lengths{};
  std::uint32_t boundary = 0;  ///< in lane i (0 .. 4): Codec::boundary() of tile first + i

  __device__ __forceinline__ GroupLocation(ListView list, std::uint32_t number) {
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

/// Starts to copy words of a list to shared memory. Returns the payload by which the words are read
/// there after await_copies().
__device__ __forceinline__ Payload start_copy(ListView list, Extent extent, uint4* to) {
  const Units units(list.words, extent);
  for (std::uint32_t i = WarpLanes::id(); i < units.count; i += kLanes) {
    __pipeline_memcpy_async(to + i, units.from + i, sizeof(uint4));
  }
  return {reinterpret_cast<const std::uint32_t*>(to), extent.begin - units.skew};
}

/// Waits for all copies that the lanes of the warp have started.
__device__ __forceinline__ void await_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
}

/// A group of a column in shared memory. With `whole` false nothing is copied, and neither decode()
/// nor rows_in() may be called: for kernels that decide at compile time which columns they stage.
template <class Codec, bool whole>
class GroupLoader {
 public:
  /// Starts the copies of the group to `memory`: shared memory of load_units() units, 16-byte
  /// aligned, that no lane of the warp reads any more.
  __device__ GroupLoader(const LoadColumn& column, const TileRange& group,
                         const GroupLocation<Codec>& place, uint4* memory)
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

  /// Decodes the group: calls f(t, quad) for every tile group.first + t, in ascending order, with
  /// the lane's four values; 0 beyond the end of the column. To be called after await_copies().
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

  /// The rows of the lane whose values lie in `range`: bit 4 t + i is set if range.has(value i of
  /// tile t). `Interval` has a member function bool has(std::uint32_t value). The bits of rows
  /// beyond the end of the column are unspecified. gpu-rfor compares each run once and decodes no
  /// rows. To be called after await_copies().
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
  GroupLocation<Codec> place_;
  StagedTiles staged_{};
};

/// Decodes a tile from device memory.
template <class Codec>
__device__ __forceinline__ Quad decode_alone(ListView list, std::uint32_t tile) {
  WarpLanes::Var<Quad> quad;
  auto cursor = Codec::seek(WarpLanes{}, list, tile);
  Codec::next(WarpLanes{}, list, Payload{list.words, 0}, tile, cursor, quad);
  return quad.value;
}

/// load_rows() for a plain column: reads 16 bytes for each tile in which the lane wants a row.
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

/// load_rows() for codecs with single values: in each round every lane reads its next row, until no
/// lane has a row left.
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

/// Calls f(bit, value) for each row of the group that the lane wants, in ascending order: bit 4 t +
/// i of `wanted` stands for value i of the lane in tile t. The rows must lie in the column. The
/// words are read from device memory. Of gpu-for, gpu-bp128 and plain columns only the wanted
/// values are read; other codecs decode every tile in which a lane wants a row. The lanes may call
/// `f` at different times: `f` must not use warp-wide functions such as shuffles and votes.
template <class Codec, class F>
__device__ __forceinline__ void load_rows(ListView list, const TileRange& group,
                                          const GroupLocation<Codec>& place, std::uint32_t wanted,
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
