// The launches of the pruned search for lists of codecs and of scorers.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/early_launch.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/device/kernels/pruned/list_facts.cuh"
#include "query/gpu/device/kernels/pruned/short_lists.cuh"
#include "query/gpu/device/kernels/pruned/waves.cuh"
#include "query/gpu/device/kernels/pruned/windows.cuh"

namespace gannet::query::cuda {

using codecs::ceil_div;
using codecs::cuda::launch_early;
using codecs::cuda::launch_kernel;

/// Warps that search the first wave of a query at a time.
inline std::uint32_t first_rounds(const PrunedView& view) {
  return ceil_div(view.wave_size, view.first_superblocks);
}

template <class Tiles, class Scorers>
void launch_waves(const PrunedView& view, cudaStream_t stream) {
  using Place = typename Tiles::Place;
  constexpr std::uint32_t kWarps = kWaveThreads / kLanes;
  const std::uint32_t warp_bytes = UnitMemory<Place>::bytes(view.max_terms);
  // Thread blocks of two warps in the first wave: its tail is shorter.
  constexpr std::uint32_t kFirstWarps = 2;
  const auto first = first_search_kernel<Tiles, Scorers>;
  const std::uint32_t rounds = first_rounds(view);
  codecs::cuda::allow_shared(first, kFirstWarps * warp_bytes);
  launch_early({"first_search_kernel", ceil_div(view.queries_count * rounds, kFirstWarps),
                kFirstWarps * kLanes, kFirstWarps * warp_bytes, stream},
               first, view, rounds);
  if (view.shared.shards > 1) detail::launch_exchange(view, stream);
  detail::launch_second_wave(view, stream);
  const auto second = second_search_kernel<Tiles, Scorers>;
  const std::uint32_t fitting = codecs::cuda::resident_blocks(reinterpret_cast<const void*>(second),
                                                              kWaveThreads, kWarps * warp_bytes);
  const std::uint32_t most =
      ceil_div(ceil_div(view.queries_count * view.superblocks, view.later_superblocks), kWarps);
  launch_early(
      {"second_search_kernel", std::min(fitting, most), kWaveThreads, kWarps * warp_bytes, stream},
      second, view);
}

template <class Tiles, class Scorers>
void launch_pruned_with(const PrunedView& view, cudaStream_t stream) {
  constexpr std::uint32_t kWarps = kShortThreads / kLanes;
  launch_kernel({"short_lists_kernel",
                 dim3(ceil_div(view.short_count * view.short_parts, kWarps), view.most_chunks),
                 kShortThreads, 0, stream},
                short_lists_kernel<Tiles, Scorers>, view);
  detail::launch_sums(view, stream);
  detail::launch_first_wave(view, stream);
  launch_waves<Tiles, Scorers>(view, stream);
}

template <class Tiles, class Scorers>
void launch_windows_with(const PrunedView& view, cudaStream_t stream) {
  // Thread blocks launched for each that the device holds at a time: more make tails shorter, fewer
  // read the tables less often.
  constexpr std::uint32_t kBlocksPerPlace = 8;
  detail::launch_start_windows(view, stream);
  const auto kernel = windows_kernel<Tiles, Scorers>;
  const std::uint32_t bytes = WindowMemory::bytes(view.max_terms);
  codecs::cuda::allow_shared(kernel, bytes);
  const std::uint32_t places =
      codecs::cuda::resident_blocks(reinterpret_cast<const void*>(kernel), kWindowThreads, bytes);
  const std::uint32_t parts =
      std::min(ceil_div(kBlocksPerPlace * places, view.queries_count), view.windows);
  launch_kernel({"windows_kernel", dim3(view.queries_count, parts), kWindowThreads, bytes, stream},
                kernel, view);
}

template <class Tiles, class Scorers>
void launch_facts_with(const FactsView& view, cudaStream_t stream) {
  const std::uint32_t lists = view.list_count;
  launch_kernel({"count_sizes_kernel", dim3(ceil_div(view.most_tiles, kTilesPerCount), lists),
                 kFactThreads, 0, stream},
                count_sizes_kernel<Tiles, Scorers>, view);
  detail::launch_pointers(view, stream);
  launch_kernel({"code_ranges_kernel", dim3(ceil_div(view.superblocks, kChunkSuperblocks), lists),
                 kFactThreads, 0, stream},
                code_ranges_kernel<Tiles, Scorers>, view);
}

}  // namespace gannet::query::cuda
