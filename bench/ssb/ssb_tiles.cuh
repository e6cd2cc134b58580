// Loading tiles of a compressed column inside a query: the words of a group of four tiles are
// copied to shared memory, then "decode" gives its values in registers, whichever the codec.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "bench/ssb/ssb_flight1.hpp"
#include "bench/ssb/ssb_runs.cuh"
#include "codecs/core/codec.hpp"
#include "codecs/core/wide.hpp"
#include "codecs/device/check.hpp"
#include "codecs/lists/raw_tiles.hpp"

namespace gannet::bench {

using codecs::BoundaryTileCodec;
using codecs::Extent;
using codecs::kLanes;
using codecs::kTile;
using codecs::LengthsTileCodec;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::WarpLanes;
using codecs::WideTileCodec;

/// Tiles that are loaded together; blocks of more values are not supported.
inline constexpr std::uint32_t kTilesOfGroup = codecs::kWideTiles;

/// Tiles [first, last) of a list.
struct Group {
  std::uint32_t first;
  std::uint32_t last;
  bool full;  ///< has four tiles of 128 values
};

__host__ __device__ inline std::uint32_t group_count(ListView list) {
  return codecs::ceil_div(codecs::tile_count(list.count), kTilesOfGroup);
}

/// Group `number`; beyond the last one, an empty one.
__host__ __device__ inline Group group_of(ListView list, std::uint32_t number) {
  const std::uint32_t tiles = codecs::tile_count(list.count);
  const std::uint32_t first = number * kTilesOfGroup;
  if (first >= tiles) return {tiles, tiles, false};
  const std::uint32_t last = first + kTilesOfGroup;
  return {first, last < tiles ? last : tiles, std::uint64_t{last} * kTile <= list.count};
}

/// Words of scratch memory that a codec's groups need: for decoding, or for the rows of its runs.
template <class Codec>
inline constexpr std::uint32_t kScratchWords = std::max(Codec::traits.scratch_words,
                                                        LengthsTileCodec<Codec> ? kMarkWords : 0u);

/// Shared memory, in units of 16 bytes, for the words of any group of a column.
struct GroupRoom {
  std::uint32_t values;   ///< of the payload
  std::uint32_t lengths;  ///< of the run lengths
  std::uint32_t wide;     ///< of the boundaries, and of scratch memory
  __host__ __device__ std::uint32_t units() const { return values + lengths + wide; }
};

/// Units for `words` words at any alignment, and what wide forms read behind them.
constexpr std::uint32_t units_for(std::uint32_t words) {
  return (words + 3 + codecs::kOverread + 3) / 4;
}

/// The room of a column whose words are in host memory.
template <class Codec>
GroupRoom room_for(ListView list) {
  static_assert(Codec::block <= kTilesOfGroup * kTile);
  GroupRoom room{0, 0, (WideTileCodec<Codec> ? 2 : 0) + kScratchWords<Codec> / 4};
  for (std::uint32_t number = 0; number < group_count(list); ++number) {
    const Group group = group_of(list, number);
    const Extent values = Codec::extent(list, group.first, group.last);
    room.values = std::max(room.values, units_for(values.end - values.begin));
    if constexpr (LengthsTileCodec<Codec>) {
      const Extent lengths = Codec::lengths_extent(list, group.first, group.last);
      room.lengths = std::max(room.lengths, units_for(lengths.end - lengths.begin));
    }
  }
  return room;
}

/// Where a group's words are.
template <class Codec>
struct Place {
  Extent values{};
  Extent lengths{};
  std::uint32_t boundary = 0;  ///< lane i (0 .. 4) has that of tile first + i

  __device__ __forceinline__ Place(ListView list, std::uint32_t number) {
    const Group group = group_of(list, number);
    if (group.first == group.last) return;
    if constexpr (BoundaryTileCodec<Codec>) {
      const std::uint32_t tile = min(group.first + min(WarpLanes::id(), kTilesOfGroup), group.last);
      boundary = Codec::boundary(list, tile);
      if (group.full) {
        const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, boundary, 0);
        const std::uint32_t end = __shfl_sync(WarpLanes::kAll, boundary, kTilesOfGroup);
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
  const auto address = reinterpret_cast<std::uintptr_t>(list.words + extent.begin);
  const auto skew = static_cast<std::uint32_t>(address % 16 / 4);
  const auto* from = reinterpret_cast<const uint4*>(address - skew * 4);
  const std::uint32_t units = (extent.end - extent.begin + skew + 3) / 4;
  for (std::uint32_t i = WarpLanes::id(); i < units; i += kLanes) {
    __pipeline_memcpy_async(to + i, from + i, sizeof(uint4));
  }
  return {reinterpret_cast<const std::uint32_t*>(to), extent.begin - skew};
}

/// Waits for all copies that the warp has started.
__device__ __forceinline__ void await_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
}

/// A group of a column in shared memory; if it is not `whole`, nothing.
template <class Codec, bool whole>
class Staged {
 public:
  /// Starts the copies to `memory`, which nobody reads any more. `Column` has a list and a room.
  template <class Column>
  __device__ Staged(const Column& column, const Group& group, const Place<Codec>& place,
                    uint4* memory)
      : list_(column.list), group_(group), place_(place) {
    if constexpr (!whole) return;
    values_ = start_copy(list_, place.values, memory);
    memory += column.room.values;
    if constexpr (LengthsTileCodec<Codec>) {
      lengths_ = start_copy(list_, place.lengths, memory);
      memory += column.room.lengths;
    }
    if constexpr (WideTileCodec<Codec>) {
      boundaries_ = reinterpret_cast<std::uint32_t*>(memory);
      if (WarpLanes::id() <= kTilesOfGroup) boundaries_[WarpLanes::id()] = place.boundary;
      scratch_ = boundaries_ + 8;
    }
  }

  /// Calls f(t, quad) for tiles first + t of the group, after await_copies().
  template <class F>
  __device__ __forceinline__ void decode(F f) const {
    if constexpr (WideTileCodec<Codec>) {
      if (group_.full) {
        WarpLanes::Var<codecs::WideQuads> quads;
        Codec::next_wide(WarpLanes{},
                         codecs::StagedTiles{list_, values_, lengths_, boundaries_, scratch_},
                         group_.first, quads);
#pragma unroll
        for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) f(t, quads.value.tile[t]);
        return;
      }
    }
    auto cursor = Codec::seek(WarpLanes{}, list_, group_.first);
    WarpLanes::Var<Quad> quad;
#pragma unroll
    for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
      if (group_.first + t >= group_.last) break;
      if constexpr (LengthsTileCodec<Codec>) {
        Codec::next(WarpLanes{}, list_, values_, lengths_, group_.first + t, cursor, quad);
      } else {
        Codec::next(WarpLanes{}, list_, values_, group_.first + t, cursor, quad);
      }
      f(t, quad.value);
    }
  }

  /// Which rows have a value in the range (bit 4 t + i: value i of tile t), after await_copies().
  __device__ __forceinline__ std::uint32_t rows_in(Range range) const {
    if constexpr (LengthsTileCodec<Codec>) {
      return rows_in_range(values_.at(place_.values.begin), lengths_.at(place_.lengths.begin),
                           range, scratch_);
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
  Group group_;
  Place<Codec> place_;
  Payload values_{};
  Payload lengths_{};
  std::uint32_t* boundaries_ = nullptr;
  std::uint32_t* scratch_ = nullptr;
};

/// A tile, decoded from device memory.
template <class Codec>
__device__ __forceinline__ Quad decode_alone(ListView list, std::uint32_t tile) {
  WarpLanes::Var<Quad> quad;
  auto cursor = Codec::seek(WarpLanes{}, list, tile);
  Codec::next(WarpLanes{}, list, Payload{list.words, 0}, tile, cursor, quad);
  return quad.value;
}

}  // namespace gannet::bench
