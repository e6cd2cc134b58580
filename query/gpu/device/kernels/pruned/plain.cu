// The kernels that depend on no codec and no scorer, and their launches.
#include <cuda_runtime.h>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/early_launch.hpp"
#include "query/gpu/device/kernels/pruned/exchange.cuh"
#include "query/gpu/device/kernels/pruned/first_wave.cuh"
#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/device/kernels/pruned/list_pointers.cuh"
#include "query/gpu/device/kernels/pruned/second_wave.cuh"
#include "query/gpu/device/kernels/pruned/start_windows.cuh"
#include "query/gpu/device/kernels/pruned/sums.cuh"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda::detail {

using codecs::ceil_div;
using codecs::cuda::launch_early;
using codecs::cuda::launch_kernel;

void launch_sums(const PrunedView& view, CUstream_st* stream) {
  const std::size_t bytes = view.short_count > 0 ? sizeof(ShortSums) : 0;
  launch_early({"sums_kernel", dim3(view.queries_count, view.chunks), kSumThreads, bytes, stream},
               sums_kernel, view);
}

void launch_first_wave(const PrunedView& view, CUstream_st* stream) {
  launch_early(
      {"first_wave_kernel", view.queries_count, kFirstWaveThreads, FirstWave::bytes(view), stream},
      first_wave_kernel, view);
}

void launch_exchange(const PrunedView& view, CUstream_st* stream) {
  launch_kernel(
      {"exchange_scores_kernel", ceil_div(view.queries_count, kExchangeThreads / codecs::kLanes),
       kExchangeThreads, 0, stream},
      exchange_scores_kernel, view, tuning::kExchangeWait);
}

void launch_second_wave(const PrunedView& view, CUstream_st* stream) {
  const dim3 blocks(ceil_div(view.queries_count, kSecondWaveQueries), view.stretches);
  launch_early({"second_wave_kernel", blocks, kSecondWaveThreads, 0, stream}, second_wave_kernel,
               view);
}

void launch_start_windows(const PrunedView& view, CUstream_st* stream) {
  launch_kernel({"start_windows_kernel", view.queries_count, kScoreBins, 0, stream},
                start_windows_kernel, view);
}

void launch_pointers(const FactsView& view, CUstream_st* stream) {
  const std::uint32_t lists = view.list_count;
  launch_kernel({"known_ranks_kernel", lists, codecs::kLanes, 0, stream}, known_ranks_kernel, view);
  if (view.filter != nullptr) return;  // the pointers are those among all documents, made before
  launch_kernel(
      {"point_superblocks_kernel", dim3(ceil_div(view.superblocks + 1, kPointerThreads), lists),
       kPointerThreads, 0, stream},
      point_superblocks_kernel, view);
}

}  // namespace gannet::query::cuda::detail
