// Bitmaps of documents made from others.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "query/bounds/ranges.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kBitmapThreads = 256;

/// The bits of word i that stand for documents.
__device__ __forceinline__ std::uint64_t inside(std::size_t i, std::uint32_t documents) {
  const std::uint64_t first = i * 64;
  if (first + 64 <= documents) return ~std::uint64_t{0};
  return first >= documents ? 0 : (std::uint64_t{1} << (documents - first)) - 1;
}

/// Combines `words` words: to[i] becomes to[i] & with[i], to[i] | with[i], or ~to[i].
static __global__ void __launch_bounds__(kBitmapThreads)
    combine_kernel(BitmapOperation operation, std::uint64_t* to, const std::uint64_t* with,
                   std::size_t words, std::uint32_t documents) {
  const std::size_t i = std::size_t{blockIdx.x} * kBitmapThreads + threadIdx.x;
  if (i >= words) return;
  if (operation == BitmapOperation::kNot) {
    to[i] = ~to[i] & inside(i, documents);
  } else if (operation == BitmapOperation::kAnd) {
    to[i] &= with[i];
  } else if (operation == BitmapOperation::kOr) {
    to[i] |= with[i];
  } else {
    to[i] = inside(i, documents);
  }
}

/// Writes FilterView::ranges of a bitmap unless that is null, and adds the number of its documents
/// to *count. Warps take 32 words at a time; `superblocks` of 16 words, an even number.
static __global__ void __launch_bounds__(kBitmapThreads)
    count_bits_kernel(const std::uint64_t* words, std::size_t size, std::uint32_t superblocks,
                      std::uint16_t* ranges, unsigned long long* count) {
  __shared__ std::uint32_t sums[kBitmapThreads / codecs::kLanes];
  const std::uint32_t lane = codecs::WarpLanes::id();
  const std::size_t all = std::size_t{superblocks} * kRangesPerSuperblock;
  std::uint32_t sum = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * kBitmapThreads + threadIdx.x; i - lane < all;
       i += std::size_t{gridDim.x} * kBitmapThreads) {
    const std::uint64_t word = i < size ? words[i] : 0;
    sum += static_cast<std::uint32_t>(__popcll(word));
    const std::uint32_t some = __ballot_sync(codecs::WarpLanes::kAll, word != 0);
    if (ranges != nullptr && lane % 16 == 0 && i < all) {
      ranges[i / kRangesPerSuperblock] = static_cast<std::uint16_t>(some >> lane);
    }
  }
  sum = codecs::WarpLanes().sum({sum});
  if (lane == 0) sums[threadIdx.x / codecs::kLanes] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long total = 0;
  for (const std::uint32_t each : sums) total += each;
  atomicAdd(count, total);
}

}  // namespace gannet::query::cuda
