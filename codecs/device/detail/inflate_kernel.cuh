// How columns of deflate are decoded device-wide.
#pragma once

#include <cuda_runtime.h>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/deflate/deflate.hpp"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::deflate {

inline constexpr std::uint32_t kWarpsPerBlock = cuda::kInflatePolicy.warps;

/// One warp per chunk; values of all types are bytes here, so that one kernel serves them. (A
/// template so that several files may have it; Byte is std::uint8_t.)
template <class Byte>
__global__ void __launch_bounds__(kWarpsPerBlock* kLanes)
    inflate_kernel(const std::uint32_t* words, std::uint64_t bytes, std::uint32_t chunk_bytes,
                   Byte* out, std::uint32_t* damaged) {
  __shared__ uint4 space[kWarpsPerBlock][sizeof(Space<kUsualShape>) / 16 + 1];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarpsPerBlock + warp;
  const std::uint64_t first = std::uint64_t{chunk} * chunk_bytes;
  if (first >= bytes) return;
  const std::uint64_t left = bytes - first;
  const std::uint32_t start = words[1 + chunk];
  const bool good = ParallelInflate<WarpLanes, kUsualShape>(
                        WarpLanes{}, words + start, words[2 + chunk] - start, out + first,
                        left < chunk_bytes ? static_cast<std::uint32_t>(left) : chunk_bytes,
                        *reinterpret_cast<Space<kUsualShape>*>(space[warp]))
                        .run();
  if (!good && damaged != nullptr && WarpLanes::id() == 0) *damaged = 1;
}

/// Launches it.
template <class T>
void launch_inflate(ListView column, std::uint32_t chunk_values, T* out, std::uint32_t* damaged,
                    cudaStream_t stream) {
  const std::uint32_t chunks = chunk_count(column.count, chunk_values);
  const auto chunk_bytes = static_cast<std::uint32_t>(chunk_values * sizeof(T));
  cuda::launch_kernel(
      {"inflate_kernel", ceil_div(chunks, kWarpsPerBlock), kWarpsPerBlock * kLanes, 0, stream},
      inflate_kernel<std::uint8_t>, column.words, std::uint64_t{column.count} * sizeof(T),
      chunk_bytes, reinterpret_cast<std::uint8_t*>(out), damaged);
}

}  // namespace gannet::codecs::deflate
