// Single values of a compressed column, for rows that filters have left: what is read is the tile's
// header and the words of these rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bench/ssb/ssb_tiles.cuh"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/lists/gpu_bp.hpp"
#include "codecs/lists/raw_tiles.hpp"

namespace gannet::bench {

/// What reading single values takes: a tile's Head, loaded by one lane and handed to others, and
/// at(list, head, i), value i of the tile. Codecs without a specialisation (of deltas, of runs)
/// have no single values: their tiles are decoded as a whole.
template <class Codec>
struct SingleValues;

template <>
struct SingleValues<codecs::GpuFor> {
  using Codec = codecs::GpuFor;
  struct Head {
    std::uint32_t start;
    std::uint32_t reference;
    std::uint32_t widths;
  };

  /// `start` and `end` are the boundaries of the tile.
  __device__ static Head load(ListView list, std::uint32_t start, std::uint32_t) {
    return {start, list.words[start], list.words[start + 1]};
  }
  __device__ static Head of_lane(const Head& head, std::uint32_t lane) {
    return {__shfl_sync(WarpLanes::kAll, head.start, static_cast<int>(lane)),
            __shfl_sync(WarpLanes::kAll, head.reference, static_cast<int>(lane)),
            __shfl_sync(WarpLanes::kAll, head.widths, static_cast<int>(lane))};
  }
  __device__ static std::uint32_t at(ListView list, const Head& head, std::uint32_t i) {
    const std::uint32_t mini = i / Codec::kMiniSize;
    const std::uint32_t width = Codec::width_of(head.widths, mini);
    const std::uint32_t packed =
        head.start + Codec::kBlockHeader + codecs::mini_start(head.widths, mini);
    return head.reference +
           codecs::extract(list.words + packed, i % Codec::kMiniSize * width, width);
  }
};

template <>
struct SingleValues<codecs::GpuBp<128>> {
  struct Head {
    std::uint32_t start;
    std::uint32_t width;
  };

  __device__ static Head load(ListView, std::uint32_t start, std::uint32_t end) {
    return {start, (end - start) / codecs::GpuBp<128>::kWordsPerBit};
  }
  __device__ static Head of_lane(const Head& head, std::uint32_t lane) {
    return {__shfl_sync(WarpLanes::kAll, head.start, static_cast<int>(lane)),
            __shfl_sync(WarpLanes::kAll, head.width, static_cast<int>(lane))};
  }
  __device__ static std::uint32_t at(ListView list, const Head& head, std::uint32_t i) {
    const std::uint32_t payload = codecs::tile_count(list.count) + 1;
    return codecs::extract(list.words + payload + head.start, i * head.width, head.width);
  }
};

template <class Codec>
concept HasSingleValues = requires(ListView list) {
  SingleValues<Codec>::load(list, 0u, 0u);
};

/// load_rows() for a plain column: the 16 bytes in which a lane wants a value.
template <class F>
__device__ __forceinline__ void load_rows_plain(ListView list, const Group& group,
                                                std::uint32_t wanted, F f) {
  Quad quads[kTilesOfGroup];
#pragma unroll
  for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
    if ((wanted >> (4 * t) & 15) == 0) continue;
    const std::uint32_t row = (group.first + t) * kTile + 4 * WarpLanes::id();
    const uint4 four = __ldcs(reinterpret_cast<const uint4*>(list.words + row));
    quads[t] = {four.x, four.y, four.z, four.w};
  }
#pragma unroll
  for (std::uint32_t bit = 0; bit < 4 * kTilesOfGroup; ++bit) {
    if ((wanted >> bit & 1) != 0) f(bit, quads[bit / 4].value[bit % 4]);
  }
}

/// load_rows() by single values: every lane takes its next row until no lane has any.
template <class Codec, class F>
__device__ __forceinline__ void load_rows_single(ListView list, const Group& group,
                                                 std::uint32_t boundary, std::uint32_t wanted,
                                                 F f) {
  using Values = SingleValues<Codec>;
  const std::uint32_t lane = WarpLanes::id();
  const std::uint32_t end = __shfl_down_sync(WarpLanes::kAll, boundary, 1);
  typename Values::Head heads{};
  if (group.first + lane < group.last) heads = Values::load(list, boundary, end);
  const std::uint32_t rounds = WarpLanes::greatest(codecs::popcount(wanted));
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
__device__ __forceinline__ void load_rows(ListView list, const Group& group,
                                          const Place<Codec>& place, std::uint32_t wanted, F f) {
  if constexpr (std::is_same_v<Codec, codecs::RawTiles>) {
    load_rows_plain(list, group, wanted, f);
    return;
  }
  if (!__any_sync(WarpLanes::kAll, wanted != 0)) return;
  if constexpr (HasSingleValues<Codec>) {
    load_rows_single<Codec>(list, group, place.boundary, wanted, f);
  } else if constexpr (!std::is_same_v<Codec, codecs::RawTiles>) {
#pragma unroll
    for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
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

}  // namespace gannet::bench
