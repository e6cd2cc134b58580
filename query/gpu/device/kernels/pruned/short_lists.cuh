// Lists without bounds: every posting is decoded and scored, and becomes a range with a bound.
#pragma once

#include <type_traits>

#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kShortThreads = 64;

/// Bounds of a tile's postings, four per lane. Of a list's postings in one range, the last one has
/// the largest bound of them and the others have 0, so that bounds of several lists can be added
/// up.
class TileEntries {
 public:
  __device__ TileEntries(const Quad& docids, const std::uint32_t (&bounds)[4])
      : bounds_{bounds[0], bounds[1], bounds[2], bounds[3]} {
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) ranges_[i] = docids.value[i] / kRange;
    previous_ = __shfl_up_sync(WarpLanes::kAll, ranges_[3], 1);
    next_ = __shfl_down_sync(WarpLanes::kAll, ranges_[0], 1);
  }

  /// `before`: the docid before the tile, or kBeforeFirst; `behind`: the one behind it, or
  /// kNoDocument; `weight`: the list's largest bound, which stands for those that the next tile has
  /// of the tile's last range.
  __device__ void join(std::uint32_t before, std::uint32_t behind, std::uint32_t weight) {
    take_from_lanes_before();
#pragma unroll
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (ranges_[i] != ranges_[i + 1]) continue;
      bounds_[i + 1] = max(bounds_[i], bounds_[i + 1]);
      bounds_[i] = 0;
    }
    if (WarpLanes::id() + 1 < kLanes && next_ == ranges_[3]) bounds_[3] = 0;
    if (WarpLanes::id() + 1 == kLanes && behind / kRange == ranges_[3]) bounds_[3] = weight;
    if (before == codecs::kBeforeFirst) return;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (ranges_[i] == before / kRange) bounds_[i] = 0;  // the tile before has it
    }
  }

  __device__ void write(const PrunedView& view, std::uint32_t at) const {
    reinterpret_cast<uint4*>(view.entry_ranges)[at] =
        make_uint4(ranges_[0], ranges_[1], ranges_[2], ranges_[3]);
    reinterpret_cast<uint2*>(view.entry_bounds)[at] =
        make_uint2(bounds_[0] | bounds_[1] << 16, bounds_[2] | bounds_[3] << 16);
  }

 private:
  /// The largest bound that the lanes before have in the lane's first range.
  __device__ void take_from_lanes_before() {
    const bool goes_on = WarpLanes::id() > 0 && previous_ == ranges_[0];
    std::uint32_t largest = 0;  // of the lane's last range
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (ranges_[i] == ranges_[3]) largest = max(largest, bounds_[i]);
    }
    // A lane whose postings are all in the last range of the lane before passes its bound on.
    const std::uint32_t handing =
        __ballot_sync(WarpLanes::kAll, goes_on && ranges_[0] == ranges_[3]);
    if (handing != 0) {
      const std::uint32_t begins = ~handing & ((2u << WarpLanes::id()) - 1);
      const std::uint32_t first = kLanes - 1 - static_cast<std::uint32_t>(__clz(begins));
#pragma unroll
      for (std::uint32_t step = 1; step < kLanes; step *= 2) {
        const std::uint32_t other = __shfl_up_sync(WarpLanes::kAll, largest, step);
        if (first + step <= WarpLanes::id()) largest = max(largest, other);
      }
    }
    const std::uint32_t theirs = __shfl_up_sync(WarpLanes::kAll, largest, 1);
    if (goes_on) bounds_[0] = max(bounds_[0], theirs);
  }

  std::uint32_t ranges_[4];
  std::uint32_t bounds_[4];
  std::uint32_t previous_, next_;  ///< ranges of the postings before and behind the lane's
};

/// What a posting adds to its document's score; of a word, what the document gets if no other text
/// has it: more than it adds, if others do.
template <class Scorers>
__device__ float contribution_of(ScorerId scorer, const PrunedTerm& term, std::uint32_t frequency,
                                 std::uint32_t length) {
  float score = 0;
  if constexpr (std::is_same_v<Scorers, WordScorers>) {
    score = term.in_text().score_alone(term.constants.factor, frequency, length);
  } else {
    with_scorer<Scorers>(scorer, [&]<class S>() {
      score = S::contribution(term.scoring.constants(), term.constants, frequency, length);
    });
  }
  return score;
}

/// What a lane's four postings add to the sums of bounds; 0 behind the end of the list.
template <class Scorers>
__device__ void bounds_of(const PrunedView& view, const PrunedQuery& query, const PrunedTerm& term,
                          const Quad& docids, const Quad& frequencies, std::uint32_t (&bounds)[4]) {
  std::uint32_t lengths[4];
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    lengths[i] = docids.value[i] == kNoDocument ? 0 : __ldg(term.lengths + docids.value[i]);
  }
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    const float score =
        contribution_of<Scorers>(view.scorer, term, frequencies.value[i], lengths[i]);
    const auto bound = static_cast<std::uint32_t>(__fmul_rn(score, query.scale)) + 1;
    bounds[i] = docids.value[i] == kNoDocument ? 0 : min(bound, term.weight);
  }
}

/// Writes the tile's number for each chunk of the segment into which it is the first tile to reach.
/// `before`: the docid before the tile.
__device__ inline void point_chunks(std::uint32_t* pointers, std::uint32_t chunks,
                                    const ShortList& list, std::uint32_t tile, std::uint32_t before,
                                    std::uint32_t last) {
  const std::uint32_t first = tile == 0 ? 0 : before / kChunkDocuments + 1;
  for (std::uint32_t c = first + WarpLanes::id(); c <= last / kChunkDocuments; c += kLanes) {
    pointers[c] = tile;
  }
  if (tile + 1 != list.tiles) return;
  for (std::uint32_t c = last / kChunkDocuments + 1 + WarpLanes::id(); c <= chunks; c += kLanes) {
    pointers[c] = list.tiles;
  }
}

/// A tile of a list without bounds: decoded, scored, written out.
template <class Tiles, class Scorers>
__device__ void read_short_tile(const PrunedView& view, const ShortList& list,
                                const PrunedTerm& term, std::uint32_t tile) {
  const SegmentView& segment = view.segments[list.part % view.segment_count];
  const IndexView& index = segment.index;
  const std::uint32_t before = docid_before(term.skips, tile);
  const std::uint32_t last = __ldg(term.skips + tile);
  const bool ends = tile + 1 == list.tiles;
  Quad docids;
  Quad frequencies;
  const auto place = Tiles::find(index, term, tile);
  const std::uint32_t behind = ends ? kNoDocument : Tiles::docid_behind(index, term, tile, last);
  Tiles::read_docids(index, term, tile, before, place, docids);
  Tiles::read_frequencies(index, term, tile, frequencies);
  count_tile<Tiles>(index, term, place);
  point_chunks(view.chunk_tiles + list.first_chunk, segment.chunks, list, tile, before, last);
  if constexpr (Tiles::kGroup == kSmallGroup) {
    write_groups(docids, tile, last, view.short_groups + term.first_group);
  }
  std::uint32_t bounds[4];
  const PrunedQuery& query = view.queries[list.part / view.segment_count];
  bounds_of<Scorers>(view, query, term, docids, frequencies, bounds);
  TileEntries entries(docids, bounds);
  entries.join(before, behind, term.weight);
  entries.write(view, (list.first_tile + tile) * kLanes + WarpLanes::id());
}

/// A list's tiles are cut into as many pieces as there are chunks, and `short_parts` warps share a
/// piece. Pieces of all lists come before the next pieces, so that warps that run at the same time
/// read document lengths that lie close together, roughly.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kShortThreads)
    short_lists_kernel(const __grid_constant__ PrunedView view) {
  const std::uint32_t warp = (blockIdx.x * kShortThreads + threadIdx.x) / kLanes;
  const std::uint32_t number = warp / view.short_parts;
  if (number >= view.short_count) return;
  const ShortList list = view.shorts[number];
  const std::uint32_t chunks = view.segments[list.part % view.segment_count].chunks;
  if (blockIdx.y >= chunks) return;
  // Rounded equally for the end of a piece and the beginning of the next.
  const float each =
      codecs::rounded_div(static_cast<float>(list.tiles), static_cast<float>(chunks));
  const auto begin_of = [&](std::uint32_t piece) {
    return static_cast<std::uint32_t>(codecs::rounded_mul(each, static_cast<float>(piece)));
  };
  const std::uint32_t piece = blockIdx.y;
  const std::uint32_t end = piece + 1 == chunks ? list.tiles : begin_of(piece + 1);
  const PrunedTerm& term = view.terms[list.term];
  for (std::uint32_t tile = begin_of(piece) + warp % view.short_parts; tile < end;
       tile += view.short_parts) {
    read_short_tile<Tiles, Scorers>(view, list, term, tile);
  }
}

}  // namespace gannet::query::cuda
