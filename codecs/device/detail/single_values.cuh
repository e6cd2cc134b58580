// Single values of a compressed column, for rows that filters have left: what is read is the tile's
// header and the words of these rows.
#pragma once

#include <cstdint>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/lists/gpu_bp.hpp"

namespace gannet::codecs::cuda {

/// What reading single values takes: a tile's Head, loaded by one lane and handed to others, and
/// at(list, head, i), value i of the tile. Codecs without a specialisation (of deltas, of runs)
/// have no single values: their tiles are decoded as a whole.
template <class Codec>
struct SingleValues;

template <>
struct SingleValues<GpuFor> {
  using Codec = GpuFor;
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
    const std::uint32_t packed = head.start + Codec::kBlockHeader + mini_start(head.widths, mini);
    return head.reference + extract(list.words + packed, i % Codec::kMiniSize * width, width);
  }
};

template <>
struct SingleValues<GpuBp<128>> {
  struct Head {
    std::uint32_t start;
    std::uint32_t width;
  };

  __device__ static Head load(ListView, std::uint32_t start, std::uint32_t end) {
    return {start, (end - start) / GpuBp<128>::kWordsPerBit};
  }
  __device__ static Head of_lane(const Head& head, std::uint32_t lane) {
    return {__shfl_sync(WarpLanes::kAll, head.start, static_cast<int>(lane)),
            __shfl_sync(WarpLanes::kAll, head.width, static_cast<int>(lane))};
  }
  __device__ static std::uint32_t at(ListView list, const Head& head, std::uint32_t i) {
    const std::uint32_t payload = tile_count(list.count) + 1;
    return extract(list.words + payload + head.start, i * head.width, head.width);
  }
};

template <class Codec>
concept HasSingleValues = requires(ListView list) {
  SingleValues<Codec>::load(list, 0u, 0u);
};

// A specialisation that is mistyped would be no error, but slow.
static_assert(HasSingleValues<GpuFor> && HasSingleValues<GpuBp<128>>);

}  // namespace gannet::codecs::cuda
