// The scoring kernel and its launch, for lists of codecs and of scorers: score.cu compiles it for
// the posting codecs and BM25, score_scorers.cu for the posting codecs and all scorers,
// score_any.cu for all of both.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "query/gpu/device/kernels/item_runner.cuh"
#include "query/gpu/plan/launch.hpp"
#include "query/gpu/plan/tuning.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

using codecs::cuda::device_attribute;

using tuning::kBlocksPerSm;
using tuning::kWarpsPerBlock;

/// Each warp takes items from a queue until it is empty. One launch per Launch of the schedule.
template <class Codecs, class Scorers, bool kMarked>
__global__ void __launch_bounds__(kWarpsPerBlock* kLanes, kBlocksPerSm)
    score_kernel(const __grid_constant__ BatchView batch) {
  extern __shared__ __align__(16) unsigned char shared[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const auto memory = WarpMemory::of<kMarked>(batch, shared, warp);
  for (std::uint32_t i = WarpLanes::id(); i < batch.window; i += kLanes) {
    memory.scores[i] = 0;
    if constexpr (kMarked) memory.marks[i] = 0;
  }
  __syncwarp();
  while (true) {
    std::uint32_t next = 0;
    if (WarpLanes::id() == 0) next = atomicAdd(batch.next, 1u);
    next = __shfl_sync(WarpLanes::kAll, next, 0);
    if (next >= batch.items_end) return;
    ItemRunner<Codecs, Scorers, kMarked>(batch, memory, blockIdx.x * kWarpsPerBlock + warp,
                                         batch.order[next])
        .run();
    __syncwarp();
  }
}

template <class Codecs, class Scorers, bool kMarked>
void launch_score_kernel(const BatchView& batch, cudaStream_t stream) {
  const auto kernel = score_kernel<Codecs, Scorers, kMarked>;
  const std::uint32_t bytes =
      kWarpsPerBlock * WarpMemory::bytes(kMarked, batch.window, batch.max_terms, batch.slots);
  const std::uint32_t fitting = codecs::cuda::resident_blocks(reinterpret_cast<const void*>(kernel),
                                                              kWarpsPerBlock * kLanes, bytes);
  const std::uint32_t all = std::min(fitting, batch.max_warps / kWarpsPerBlock);
  const std::uint32_t wanted =
      codecs::ceil_div(batch.items_end - batch.items_begin, kWarpsPerBlock);
  codecs::cuda::launch_kernel(
      {"score_kernel", std::min(all, wanted), kWarpsPerBlock * kLanes, bytes, stream}, kernel,
      batch);
}

/// Runs the items of `batch` with the kernel that knows `Codecs` and `Scorers`.
template <class Codecs, class Scorers>
void launch_scored_with(KernelClass kernel, const BatchView& batch, CUstream_st* stream) {
  if (kernel.marked) return launch_score_kernel<Codecs, Scorers, true>(batch, stream);
  launch_score_kernel<Codecs, Scorers, false>(batch, stream);
}

}  // namespace gannet::query::cuda
