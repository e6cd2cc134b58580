// Statistics and bounds of lists, computed on the device from the compressed lists. They equal
// those of the host (query/bounds/list_bounds.hpp) bit for bit.
#pragma once

#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/plan/pruned/facts.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kFactThreads = 256;
/// Tiles of a list whose contributions one thread block counts.
inline constexpr std::uint32_t kTilesPerCount = 512;

/// Whether a bitmap has the document; null stands for all documents.
__device__ inline bool has_document(const std::uint64_t* words, std::uint32_t docid) {
  return words == nullptr || (__ldg(words + docid / kRange) >> docid % kRange & 1) != 0;
}

/// Bit i: the lane's document i passes the filter.
__device__ inline std::uint32_t wanted_of(const FactsView& view, const Quad& docids) {
  std::uint32_t wanted = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t docid = docids.value[i];
    if (docid != kNoDocument && has_document(view.filter, docid)) wanted |= 1u << i;
  }
  return wanted;
}

/// Decodes a tile, and calls f(docid, contribution at weight 1) for a lane's postings whose
/// documents pass the filter.
template <class Tiles, class Scorers, class F>
__device__ void for_each_contribution(const FactsView& view, const FactList& list,
                                      std::uint32_t tile, F f) {
  Quad docids;
  Quad frequencies;
  const std::uint32_t before = docid_before(list.skips, tile);
  const auto place = Tiles::find(view.index, list, tile);
  Tiles::read_docids(view.index, list, tile, before, place, docids);
  count_tile<Tiles>(view.index, list, place);
  if (list.row.groups != nullptr && view.filter == nullptr) {
    write_groups(docids, tile, __ldg(list.skips + tile), list.row.groups);
  }
  const std::uint32_t wanted = wanted_of(view, docids);
  if (!__any_sync(WarpLanes::kAll, wanted != 0)) return;
  Tiles::read_frequencies(view.index, list, tile, frequencies);
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((wanted >> i & 1) == 0) continue;
    const std::uint32_t length = __ldg(list.lengths + docids.value[i]);
    float contribution = 0;
    with_scorer<Scorers>(view.scorer, [&]<class S>() {
      contribution = S::contribution(list.scoring, list.constants, frequencies.value[i], length);
    });
    f(docids.value[i], contribution);
  }
}

/// Counts contributions by size, and keeps the largest of all and of those that are counted: one
/// thread block per kTilesPerCount tiles of a list.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kFactThreads)
    count_sizes_kernel(const __grid_constant__ FactsView view) {
  __shared__ std::uint32_t counts[kSizeBuckets];
  const FactList& list = view.lists[blockIdx.y];
  const std::uint32_t tiles = codecs::tile_count(list.count);
  const std::uint32_t begin = blockIdx.x * kTilesPerCount;
  if (begin >= tiles) return;
  for (std::uint32_t i = threadIdx.x; i < kSizeBuckets; i += kFactThreads) counts[i] = 0;
  __syncthreads();
  std::uint32_t largest = 0;
  std::uint32_t best = 0;
  const std::uint32_t end = min(begin + kTilesPerCount, tiles);
  for (std::uint32_t tile = begin + threadIdx.x / kLanes; tile < end;
       tile += kFactThreads / kLanes) {
    for_each_contribution<Tiles, Scorers>(
        view, list, tile, [&](std::uint32_t docid, float contribution) {
          const std::uint32_t bits = __float_as_uint(contribution);
          largest = max(largest, bits);
          if (!has_document(view.counted, docid)) return;
          best = max(best, bits);
          atomicAdd(counts + (bits >> kSizeShift), 1u);
        });
  }
  largest = WarpLanes::greatest(largest);
  best = WarpLanes::greatest(best);
  if (WarpLanes::id() == 0) {
    atomicMax(&view.facts[blockIdx.y].largest, largest);
    atomicMax(&view.facts[blockIdx.y].best, best);
  }
  __syncthreads();
  std::uint32_t* const all = view.sizes + std::size_t{blockIdx.y} * kSizeBuckets;
  for (std::uint32_t i = threadIdx.x; i < kSizeBuckets; i += kFactThreads) {
    if (counts[i] != 0) atomicAdd(all + i, counts[i]);
  }
}

/// The codes of the ranges of a chunk: one thread block per chunk and list.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kFactThreads)
    code_ranges_kernel(const __grid_constant__ FactsView view) {
  __shared__ std::uint32_t largest[kChunkRanges];
  const FactList& list = view.lists[blockIdx.y];
  if (list.row.codes == nullptr) return;
  for (std::uint32_t i = threadIdx.x; i < kChunkRanges; i += kFactThreads) largest[i] = 0;
  __syncthreads();
  const std::uint32_t first_superblock = blockIdx.x * kChunkSuperblocks;
  const std::uint32_t end_superblock = min(first_superblock + kChunkSuperblocks, view.superblocks);
  const std::uint32_t groups_per_tile = list.row.groups != nullptr ? kGroupsPerTile : 1;
  const auto tile_of = [&](std::uint32_t s) {
    return (list.row.bases[s / kPointerGroup] + list.row.steps[s]) / groups_per_tile;
  };
  const std::uint32_t begin = tile_of(first_superblock);
  const std::uint32_t end = min(tile_of(end_superblock) + 1, codecs::tile_count(list.count));
  const std::uint32_t first_range = first_superblock * kRangesPerSuperblock;
  for (std::uint32_t tile = begin + threadIdx.x / kLanes; tile < end;
       tile += kFactThreads / kLanes) {
    for_each_contribution<Tiles, Scorers>(
        view, list, tile, [&](std::uint32_t docid, float contribution) {
          const std::uint32_t range = docid / kRange - first_range;
          if (range < kChunkRanges) atomicMax(largest + range, __float_as_uint(contribution));
        });
  }
  __syncthreads();
  const float per_unit = codes_per_unit(__uint_as_float(view.facts[blockIdx.y].largest));
  const std::uint32_t ranges = (end_superblock - first_superblock) * kRangesPerSuperblock;
  auto* const codes = reinterpret_cast<uchar4*>(list.row.codes + first_range);
  for (std::uint32_t i = threadIdx.x; i < ranges / 4; i += kFactThreads) {
    const uint4 four = reinterpret_cast<const uint4*>(largest)[i];
    codes[i] = make_uchar4(
        code_of(__uint_as_float(four.x), per_unit), code_of(__uint_as_float(four.y), per_unit),
        code_of(__uint_as_float(four.z), per_unit), code_of(__uint_as_float(four.w), per_unit));
  }
}

}  // namespace gannet::query::cuda
