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

/// Marks documents one of whose values has its bit set: one thread per document, whole warps.
static __global__ void __launch_bounds__(kBitmapThreads)
    fold_values_kernel(const std::uint32_t* starts, const std::uint64_t* values,
                       std::uint32_t documents, std::uint64_t* words) {
  const std::uint32_t document = blockIdx.x * kBitmapThreads + threadIdx.x;
  const std::uint32_t begin = document < documents ? starts[document] : 0;
  const std::uint32_t end = document < documents ? starts[document + 1] : 0;
  bool found = false;
  for (std::uint32_t at = begin; at < end && !found;) {
    const std::uint32_t stop = min(end, (at / 64 + 1) * 64);
    const std::uint32_t count = stop - at;
    const std::uint64_t mask = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    found = (values[at / 64] >> at % 64 & mask) != 0;
    at = stop;
  }
  const std::uint32_t half = __ballot_sync(codecs::WarpLanes::kAll, found);
  if (codecs::WarpLanes::id() == 0 && document / 32 < bitmap_room(documents) * 2) {
    reinterpret_cast<std::uint32_t*>(words)[document / 32] = half;
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
