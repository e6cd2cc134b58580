#include <cuda_runtime.h>

#include "bench/papers/models/gpu_simdbp128.hpp"
#include "bench/papers/models/gpu_simdbp128_decode.hpp"
#include "codecs/device/detail/write_out.cuh"

namespace gannet::codecs::papers {

void decode_simdbp128_async(const std::uint32_t* words, std::uint64_t size, std::uint32_t count,
                            std::uint32_t* out, cuda::Stream stream) {
  if (count == 0) return;
  const cuda::ColumnSource<cuda::kWriteTiles<GpuSimdBp128>> source(ListView{words, count});
  const auto average = static_cast<std::uint32_t>((size - 1) / tile_count(count) + 1);
  cuda::launch_write<GpuSimdBp128, Content::kValues>(source, average, true, out, stream);
}

}  // namespace gannet::codecs::papers
