// The scoring kernel and its launch, for a list of codecs: score.cu compiles it for the posting
// codecs, score_any.cu for all.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "codecs/device/check.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/launch.hpp"
#include "query/device/kernels/item_runner.cuh"
#include "query/device/launch.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query::cuda {

using codecs::cuda::device_attribute;

using tuning::kBlocksPerSm;
using tuning::kWarpsPerBlock;

/// Warps take items from a queue until it is empty.
template <class Codecs, bool kScored, bool kMarked>
__global__ void __launch_bounds__(kWarpsPerBlock* kLanes, kBlocksPerSm)
    score_kernel(const __grid_constant__ BatchView batch) {
  extern __shared__ __align__(16) unsigned char shared[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const auto memory = WarpMemory::of<kScored, kMarked>(batch, shared, warp);
  for (std::uint32_t i = WarpLanes::id(); i < batch.window; i += kLanes) {
    if constexpr (kScored) memory.scores[i] = 0;
    if constexpr (kMarked) memory.marks[i] = 0;
  }
  __syncwarp();
  while (true) {
    std::uint32_t next = 0;
    if (WarpLanes::id() == 0) next = atomicAdd(batch.next, 1u);
    next = __shfl_sync(WarpLanes::kAll, next, 0);
    if (next >= batch.items_end) return;
    ItemRunner<Codecs, kScored, kMarked>(batch, memory, blockIdx.x * kWarpsPerBlock + warp,
                                         batch.order[next])
        .run();
    __syncwarp();
  }
}

template <class Codecs, bool kScored, bool kMarked>
void launch_score_kernel(const BatchView& batch, cudaStream_t stream) {
  const auto kernel = score_kernel<Codecs, kScored, kMarked>;
  const std::uint32_t bytes = kWarpsPerBlock * WarpMemory::bytes(kScored, kMarked, batch.window,
                                                                 batch.max_terms, batch.slots);
  const std::uint32_t fitting = codecs::cuda::resident_blocks(reinterpret_cast<const void*>(kernel),
                                                              kWarpsPerBlock * kLanes, bytes);
  const std::uint32_t all = kScored ? std::min(fitting, batch.max_warps / kWarpsPerBlock) : fitting;
  const std::uint32_t wanted =
      codecs::ceil_div(batch.items_end - batch.items_begin, kWarpsPerBlock);
  codecs::cuda::launch_kernel(
      {"score_kernel", std::min(all, wanted), kWarpsPerBlock * kLanes, bytes, stream}, kernel,
      batch);
}

/// Runs the items of `batch` with the kernel that knows `Codecs`.
template <class Codecs>
void launch_scoring_with(KernelClass kernel, const BatchView& batch, CUstream_st* stream) {
  if (kernel.scored && !kernel.marked)
    return launch_score_kernel<Codecs, true, false>(batch, stream);
  if (kernel.scored) return launch_score_kernel<Codecs, true, true>(batch, stream);
  launch_score_kernel<Codecs, false, true>(batch, stream);
}

}  // namespace gannet::query::cuda
