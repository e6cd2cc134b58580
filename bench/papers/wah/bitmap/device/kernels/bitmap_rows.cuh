// Row ids from the groups that a query selects.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "codecs/wah/wah.hpp"

namespace gannet::wah::cuda {

/// How many rows each block's 256 groups select.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    rows_count_kernel(const Word* selected, std::uint64_t groups, std::uint32_t* counts) {
  using Reduce = cub::BlockReduce<std::uint32_t, kBlock>;
  __shared__ typename Reduce::TempStorage memory;
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  const std::uint32_t total = Reduce(memory).Sum(group < groups ? ones_of(selected[group]) : 0u);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

/// Writes the rows of each block's 256 groups, ascending, from `starts[block]` on.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    rows_write_kernel(const Word* selected, std::uint64_t groups, const std::uint32_t* starts,
                      std::uint32_t* rows) {
  using Scan = cub::BlockScan<std::uint32_t, kBlock>;
  __shared__ typename Scan::TempStorage memory;
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  Word left = group < groups ? codecs::wah_reversed(selected[group]) : Word{0};
  std::uint32_t place;
  Scan(memory).ExclusiveSum(ones_of(left), place);
  place += starts[blockIdx.x];
  const auto first = static_cast<std::uint32_t>(group * codecs::WahAtom<Word>::kGroupRows);
  for (; left != 0; left &= left - 1) {
    rows[place++] = first + ones_of(static_cast<Word>((left & (0 - left)) - 1));
  }
}

}  // namespace gannet::wah::cuda
