// The two waves in which the superblocks of a batch are searched.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/gpu/device/kernels/pruned/unit_search.cuh"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kWaveThreads = 128;
/// Thread blocks per multiprocessor that 72 registers per thread allow; kernels that know more
/// codecs and scorers need 100.
template <class Tiles>
inline constexpr std::uint32_t kWaveBlocksPerSm = Tiles::kGroup == kSmallGroup ? 7 : 5;

template <class Place>
__device__ UnitMemory<Place>& unit_memory(unsigned char* block, const PrunedView& view) {
  const std::uint32_t warp = threadIdx.x / kLanes;
  return *reinterpret_cast<UnitMemory<Place>*>(
      block + std::size_t{warp} * UnitMemory<Place>::bytes(view.max_terms));
}

__device__ inline void add_counters(const PrunedView& view, const UnitCounters& mine) {
  if (WarpLanes::id() != 0 || mine.ranges == 0) return;
  const auto add = [](unsigned long long* to, std::uint32_t more) {
    atomicAdd(to, static_cast<unsigned long long>(more));
  };
  add(&view.counters->tiles, codecs::ceil_div(mine.postings, kTile));
  add(&view.counters->ranges, mine.ranges);
  add(&view.counters->documents, mine.documents);
}

/// Searches a unit, whose superblocks are of one segment. `superblock`: the number of the one that
/// is item lane / 8, or kNone. The first item is always there.
template <class Tiles, class Scorers>
__device__ void search_unit(const PrunedView& view, UnitMemory<typename Tiles::Place>& memory,
                            std::uint32_t query, std::uint32_t superblock, UnitCounters& counters) {
  const std::uint32_t segment =
      segment_of_superblock(view, __shfl_sync(WarpLanes::kAll, superblock, 0));
  UnitSearch<Tiles, Scorers> search(view, memory, {query, segment}, counters);
  search.run(superblock == kNone ? kNone : superblock - view.segments[segment].first_superblock);
  __syncwarp();
}

/// Warp w searches unit w / queries of the first wave of query w % queries, so that the best
/// superblocks of all queries come first. Then it searches the unit that is `rounds` further on.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kWaveThreads, kWaveBlocksPerSm<Tiles>)
    first_search_kernel(const __grid_constant__ PrunedView view, std::uint32_t rounds) {
  extern __shared__ __align__(16) unsigned char shared[];
  codecs::cuda::follow_previous_kernel();
  auto& memory = unit_memory<typename Tiles::Place>(shared, view);
  const std::uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const std::uint32_t query = warp % view.queries_count;
  const std::uint32_t count = view.first_counts[query];
  const std::uint32_t each = view.first_superblocks;
  if (warp / view.queries_count >= rounds) return;
  UnitCounters counters;
  for (std::uint32_t part = warp / view.queries_count; part * each < count; part += rounds) {
    const std::uint32_t item = WarpLanes::id() / 8;
    const std::uint32_t at = part * each + item;
    const std::size_t place = std::size_t{query} * view.first_room() + at;
    search_unit<Tiles, Scorers>(
        view, memory, query, item < each && at < count ? view.first_items[place] : kNone, counters);
  }
  add_counters(view, counters);
}

/// One warp per unit of the second wave.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kWaveThreads, kWaveBlocksPerSm<Tiles>)
    second_search_kernel(const __grid_constant__ PrunedView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  codecs::cuda::follow_previous_kernel();
  auto& memory = unit_memory<typename Tiles::Place>(shared, view);
  const std::uint32_t each = view.later_superblocks;
  const std::uint32_t units = *view.unit_count / each;
  const std::uint32_t warps = gridDim.x * blockDim.x / kLanes;
  UnitCounters counters;
  for (std::uint32_t unit = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes; unit < units;
       unit += warps) {
    const std::uint32_t item = WarpLanes::id() / 8;
    const std::uint32_t entry = item < each ? view.units[unit * each + item] : kNone;
    const std::uint32_t query = __shfl_sync(WarpLanes::kAll, entry, 0) / view.superblocks;
    search_unit<Tiles, Scorers>(
        view, memory, query, entry == kNone ? kNone : entry - query * view.superblocks, counters);
  }
  add_counters(view, counters);
}

}  // namespace gannet::query::cuda
