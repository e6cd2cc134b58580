// Algorithm 1 of the SIGMOD 2022 paper (section 4.2) with its optimisations one after the other, as
// a yardstick: a thread block of 128 threads decodes D blocks of gpu-for data, one thread per
// value.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/columns/gpu_for.hpp"

namespace gannet::bench {

/// How much of section 4.2 a kernel has.
enum class Step {
  kBase,     ///< Algorithm 1, from global memory
  kShared,   ///< optimisation 1: the blocks are copied to shared memory first
  kOffsets,  ///< optimisation 3: and the miniblocks' offsets are computed once, by 4 D threads
};

/// Value `thread` of a block of 128, as lines 1 to 18 of Algorithm 1 have it.
__device__ __forceinline__ std::uint32_t decode_value(const std::uint32_t* block,
                                                      std::uint32_t thread) {
  std::uint32_t offset = 0;
  std::uint32_t widths = block[1];
  for (std::uint32_t j = 0; j < thread / 32; ++j) {
    offset += widths & 255;
    widths >>= 8;
  }
  const std::uint32_t width = widths & 255;
  return block[0] + codecs::extract(block + 2 + offset, thread % 32 * width, width);
}

/// Decodes blocks D * blockIdx.x .. of a column (optimisation 2: D of them).
template <Step kStep, std::uint32_t D>
__global__ void __launch_bounds__(128)
    paper_kernel(codecs::ListView column, std::uint32_t* __restrict__ out) {
  using codecs::GpuFor;
  const std::uint32_t blocks = codecs::tile_count(column.count);
  const std::uint32_t first = blockIdx.x * D;
  const std::uint32_t last = min(first + D, blocks);
  const std::uint32_t* starts = column.words + GpuFor::kHeaderWords;
  const auto put = [&](std::uint32_t j, std::uint32_t value) {
    const std::uint32_t i = j * codecs::kTile + threadIdx.x;
    if (i < column.count) out[i] = value;
  };
  if constexpr (kStep == Step::kBase) {
    for (std::uint32_t j = first; j < last; ++j) {
      put(j, decode_value(column.words + starts[j], threadIdx.x));
    }
    return;
  } else {
    __shared__ std::uint32_t staged[D * GpuFor::tile_words];
    __shared__ std::uint32_t begins[D + 1];
    if (threadIdx.x <= last - first) begins[threadIdx.x] = starts[first + threadIdx.x];
    __syncthreads();
    const std::uint32_t begin = begins[0];
    for (std::uint32_t i = threadIdx.x; i < begins[last - first] - begin; i += 128) {
      staged[i] = column.words[begin + i];
    }
    __syncthreads();
    if constexpr (kStep == Step::kShared) {
      for (std::uint32_t j = first; j < last; ++j) {
        put(j, decode_value(staged + begins[j - first] - begin, threadIdx.x));
      }
    } else {
      __shared__ std::uint32_t minis[D * 4];  // where miniblocks start
      __shared__ std::uint32_t widths[D * 4];
      for (std::uint32_t m = threadIdx.x; m < (last - first) * 4; m += 128) {
        const std::uint32_t* block = staged + begins[m / 4] - begin;
        std::uint32_t offset = 2;
        for (std::uint32_t k = 0; k < m % 4; ++k) offset += block[1] >> 8 * k & 255;
        minis[m] = begins[m / 4] - begin + offset;
        widths[m] = block[1] >> 8 * (m % 4) & 255;
      }
      __syncthreads();
      for (std::uint32_t j = first; j < last; ++j) {
        const std::uint32_t m = (j - first) * 4 + threadIdx.x / 32;
        const std::uint32_t reference = staged[begins[j - first] - begin];
        put(j, reference +
                   codecs::extract(staged + minis[m], threadIdx.x % 32 * widths[m], widths[m]));
      }
    }
  }
}

}  // namespace gannet::bench
