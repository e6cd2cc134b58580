// Single values of a compressed column, for rows that filters have left: what is read is the tile's
// header and the words of these rows.
#pragma once

#include <cstdint>

#include "gannet/bench/ssb_tiles.cuh"
#include "gannet/codecs/gpu_bp.hpp"
#include "gannet/codecs/gpu_for.hpp"
#include "gannet/codecs/none.hpp"

namespace gannet::bench {

/// Where the values of one tile stand; `at(i)` is value i of it. Codecs without a specialisation
/// (of deltas, of runs) have no single values: their tiles are decoded as a whole.
template <class Codec>
struct SingleValues;

template <class Codec>
concept HasSingleValues = requires(ListView list) {
  SingleValues<Codec>(list, 0u, 0u, 0u);
};

template <>
struct SingleValues<codecs::None> {
  const std::uint32_t* values;

  __device__ SingleValues(ListView list, std::uint32_t tile, std::uint32_t, std::uint32_t)
      : values(list.words + tile * kTile) {}
  __device__ std::uint32_t at(std::uint32_t i) const { return values[i]; }
};

template <>
struct SingleValues<codecs::GpuFor> {
  using Codec = codecs::GpuFor;
  const std::uint32_t* block;
  std::uint32_t reference;
  std::uint32_t widths;

  /// `start` and `end` are the boundaries of the tile.
  __device__ SingleValues(ListView list, std::uint32_t, std::uint32_t start, std::uint32_t)
      : block(list.words + start), reference(block[0]), widths(block[1]) {}
  __device__ std::uint32_t at(std::uint32_t i) const {
    const std::uint32_t mini = i / Codec::kMiniSize;
    const std::uint32_t width = Codec::width_of(widths, mini);
    const std::uint32_t* packed = block + Codec::kBlockHeader + codecs::mini_start(widths, mini);
    return reference + codecs::extract(packed, i % Codec::kMiniSize * width, width);
  }
};

template <>
struct SingleValues<codecs::GpuBp<128>> {
  const std::uint32_t* packed;
  std::uint32_t width;

  __device__ SingleValues(ListView list, std::uint32_t, std::uint32_t start, std::uint32_t end)
      : packed(list.words + codecs::tile_count(list.count) + 1 + start),
        width((end - start) / codecs::GpuBp<128>::kWordsPerBit) {}
  __device__ std::uint32_t at(std::uint32_t i) const {
    return codecs::extract(packed, i * width, width);
  }
};

/// Calls f(bit, value) for the rows of a group that this lane wants: bit 4 t + i of `wanted` is
/// value i of the lane's quad in tile t. Called by the whole warp.
template <class Codec, class F>
__device__ __forceinline__ void load_rows(ListView list, const Group& group,
                                          const Place<Codec>& place, std::uint32_t wanted, F f) {
  if (!__any_sync(WarpLanes::kAll, wanted != 0)) return;
#pragma unroll
  for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
    const std::uint32_t mine = wanted >> (4 * t) & 15;
    if constexpr (HasSingleValues<Codec>) {
      const std::uint32_t start = __shfl_sync(WarpLanes::kAll, place.boundary, t);
      const std::uint32_t end = __shfl_sync(WarpLanes::kAll, place.boundary, t + 1);
      if (mine == 0) continue;
      const SingleValues<Codec> values(list, group.first + t, start, end);
      for (std::uint32_t left = mine; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(__ffs(static_cast<int>(left)) - 1);
        f(4 * t + i, values.at(4 * WarpLanes::id() + i));
      }
    } else {
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
