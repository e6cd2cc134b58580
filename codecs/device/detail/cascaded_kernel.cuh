// How columns of cascaded are decoded device-wide.
#pragma once

#include <cuda_runtime.h>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/device/detail/stage.cuh"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs {

inline constexpr std::uint32_t kCascadedWarps = cuda::kCascadedPolicy.warps;

/// One warp per chunk. The chunk's words are copied to the front of the warp's scratch memory,
/// whose end takes the values of runs; chunks that leave no room there are decoded from where they
/// are.
template <class T>
__global__ void __launch_bounds__(kCascadedWarps* kLanes)
    cascaded_kernel(ListView column, std::uint32_t chunk_values, T* out) {
  extern __shared__ uint4 cascaded_scratch[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kCascadedWarps + warp;
  if (chunk >= chunk_count(column.count, chunk_values)) return;
  const std::uint32_t scratch_words = Cascaded::scratch_words_for<T>(chunk_values);
  uint4* scratch = cascaded_scratch + warp * (scratch_words / 4);
  auto* memory = reinterpret_cast<std::uint32_t*>(scratch);
  const Extent extent{column.words[kCascadedHead + chunk], column.words[kCascadedHead + chunk + 1]};
  const CascadedChunk<T> words = cascaded_chunk<T>(column, chunk, chunk_values);
  const std::uint32_t staged = cuda::staged_words(extent.end - extent.begin);
  const std::uint32_t room =
      words.rles == 0 ? scratch_words : chunk_values * static_cast<std::uint32_t>(sizeof(T)) / 4;
  out += std::uint64_t{chunk} * chunk_values;
  if (staged <= room) {
    CascadedChunk<T> copy = words;
    copy.words = cuda::stage(column.words, extent, scratch).at(extent.begin);
    const std::uint32_t runs = words.rles == 0 ? 0 : copy.layer(0).runs(copy.size);
    if (staged + (runs * sizeof(T) + 3) / 4 <= room) {
      CascadedDecoder<T, WarpLanes, true>(WarpLanes{}, copy, chunk_values, memory).decode(out);
      return;
    }
    __syncwarp();
  }
  CascadedDecoder<T, WarpLanes, false>(WarpLanes{}, words, chunk_values, memory).decode(out);
}

/// Launches it: with scratch memory for the chunks that the column has, not for the largest.
template <class T>
void launch_cascaded(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  const std::uint32_t blocks = ceil_div(chunk_count(column.count, chunk_values), kCascadedWarps);
  const std::uint32_t bytes =
      (kCascadedWarps * Cascaded::scratch_words_for<T>(chunk_values) + kStreamOverread) * 4;
  cuda::launch_kernel({"cascaded_kernel", blocks, kCascadedWarps * kLanes, bytes, stream},
                      cascaded_kernel<T>, column, chunk_values, out);
}

}  // namespace gannet::codecs
