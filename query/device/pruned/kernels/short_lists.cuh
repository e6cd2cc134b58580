// Lists without bounds: every posting is decoded and scored, and becomes a range with a bound.
#pragma once

#include "query/device/pruned/kernels/limits.cuh"
#include "query/device/pruned/kernels/tiles.cuh"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

/// Tiles that a warp decodes one after the other.
inline constexpr std::uint32_t kShortTilesPerWarp = 4;
inline constexpr std::uint32_t kShortThreads = 64;

/// The last short list whose first tile is <= `tile`.
__device__ inline std::uint32_t short_list_of(const PrunedView& view, std::uint32_t tile) {
  std::uint32_t low = 0;
  std::uint32_t high = view.short_count;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    if (view.shorts[middle].first_tile <= tile) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Of each chunk that begins in the tile's documents, or after those of the last tile, the tile is
/// the first one (or the number of tiles is).
__device__ inline void point_chunks(const PrunedView& view, const PrunedTerm& term,
                                    std::uint32_t tile, std::uint32_t before) {
  std::uint32_t* const first = view.chunk_tiles + term.first_chunk;
  const std::uint32_t tiles = codecs::tile_count(term.count);
  const std::uint32_t begin = before + 1;  // 0 for the first tile
  const std::uint32_t last = __ldg(view.index.skips + term.first_tile + tile);
  std::uint32_t chunk = codecs::ceil_div(begin, kChunkDocuments) + WarpLanes::id();
  for (; chunk <= last / kChunkDocuments; chunk += kLanes) first[chunk] = tile;
  if (tile + 1 < tiles) return;
  chunk = last / kChunkDocuments + 1 + WarpLanes::id();
  for (; chunk <= view.chunks; chunk += kLanes) first[chunk] = tiles;
}

/// Bounds of a lane's four postings; of neighbours in the same range only the largest is kept.
template <class Scorers>
__device__ void write_entries(const PrunedView& view, const PrunedQuery& query,
                              const PrunedTerm& term, const Quad& docids, const Quad& frequencies,
                              std::uint32_t at) {
  std::uint32_t ranges[4];
  std::uint32_t bounds[4];
  std::uint32_t lengths[4];
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    lengths[i] = docids.value[i] == kNoDocument ? 0 : __ldg(view.index.lengths + docids.value[i]);
  }
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    float score = 0;
    with_scorer<Scorers>(query.scoring.scorer, [&]<class S>() {
      score = S::contribution(query.scoring, term.constants, frequencies.value[i], lengths[i]);
    });
    const auto bound = static_cast<std::uint32_t>(__fmul_rn(score, query.scale)) + 1;
    ranges[i] = docids.value[i] / kRange;
    bounds[i] = docids.value[i] == kNoDocument ? 0 : min(bound, term.weight);
  }
#pragma unroll
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (ranges[i] == ranges[i + 1]) {
      bounds[i + 1] = max(bounds[i], bounds[i + 1]);
      bounds[i] = 0;
    }
  }
  reinterpret_cast<uint4*>(view.entry_ranges)[at] =
      make_uint4(ranges[0], ranges[1], ranges[2], ranges[3]);
  reinterpret_cast<uint2*>(view.entry_bounds)[at] =
      make_uint2(bounds[0] | bounds[1] << 16, bounds[2] | bounds[3] << 16);
}

template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kShortThreads)
    short_lists_kernel(const __grid_constant__ PrunedView view) {
  const std::uint32_t warp = (blockIdx.x * kShortThreads + threadIdx.x) / kLanes;
  const std::uint32_t begin = warp * kShortTilesPerWarp;
  const std::uint32_t end = min(begin + kShortTilesPerWarp, view.short_tiles);
  if (begin >= end) return;
  std::uint32_t number = short_list_of(view, begin);
  for (std::uint32_t at = begin; at < end; ++at) {
    while (number + 1 < view.short_count && view.shorts[number + 1].first_tile <= at) ++number;
    const ShortList list = view.shorts[number];
    const PrunedTerm& term = view.terms[list.term];
    const std::uint32_t tile = at - list.first_tile;
    const std::uint32_t before = docid_before(view.index.skips + term.first_tile, tile);
    Quad docids;
    Quad frequencies;
    const auto place = Tiles::find(view.index, term, tile);
    Tiles::read(view.index, term, tile, before, place, docids, frequencies);
    write_entries<Scorers>(view, view.queries[list.query], term, docids, frequencies,
                           at * kLanes + WarpLanes::id());
    point_chunks(view, term, tile, before);
  }
}

}  // namespace gannet::query::cuda
