// How columns of strips (rle-v1, rle-v2) are decoded device-wide.
#pragma once

#include <cuda_runtime.h>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/streams/strip_codec.hpp"

namespace gannet::codecs {

/// Decodes the chunks of least to most strip words, a warp each: staged in shared memory if `most`
/// words are little enough for that. Other chunks are left to another launch.
template <class Codec, class T, bool staged>
__global__ void __launch_bounds__(cuda::kStripPolicy.warps* kLanes)
    strips_kernel(ListView column, std::uint32_t least, std::uint32_t most, T* out) {
  using Column = StripColumn<Codec>;
  constexpr std::uint32_t kWarps = cuda::kStripPolicy.warps;
  constexpr std::uint32_t kWords = Column::kRowWords + (staged ? Column::kStageWords + 4 : 0);
  __shared__ uint4 scratch[kWarps][kWords / 4];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarps + warp;
  const std::uint32_t chunk_values = column.words[0];
  if (chunk >= chunk_count(column.count, chunk_values)) return;
  const std::uint32_t words = Column::strip_words(column, chunk);
  if (words < least || words > most) return;
  auto* own = reinterpret_cast<std::uint32_t*>(scratch[warp]);
  T* to = out + std::uint64_t{chunk} * chunk_values;
  if constexpr (staged) {
    Column::template decode_staged_strips<T>(WarpLanes{}, column, chunk, own, to);
  } else {
    Column::template decode_strips<T>(WarpLanes{}, column, chunk, own, to);
  }
}

/// Launches what decodes a column (in device memory) fastest: small chunks staged, the others not.
/// Few chunks are worth one launch only.
template <class Codec, class T>
void launch_strips(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  constexpr std::uint32_t kWarps = cuda::kStripPolicy.warps;
  constexpr std::uint32_t kStageWords = StripColumn<Codec>::kStageWords;
  const std::uint32_t chunks = chunk_count(column.count, chunk_values);
  const bool few = chunks <= cuda::kStripPolicy.few_chunks;
  const cuda::Launch how("strips_kernel", ceil_div(chunks, kWarps), kWarps * kLanes, 0, stream);
  if (!few) {
    cuda::launch_kernel(how, strips_kernel<Codec, T, true>, column, 0, kStageWords, out);
  }
  cuda::launch_kernel(how, strips_kernel<Codec, T, false>, column, few ? 0 : kStageWords + 1,
                      0xffffffffu, out);
}

}  // namespace gannet::codecs
