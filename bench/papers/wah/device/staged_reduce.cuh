// The query engine on decompressed vectors: OR within clauses, AND over clauses, count.
// Source: Tran et al., section 3, which takes them from Nelson et al., "GPU Acceleration of Range
// Queries over Large Data Sets" (BDCAT 2019): by column, by row and hybrid.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "codecs/core/lanes.hpp"

namespace gannet::wah::papers {

using cuda::all_rows;
using cuda::kBlock;
using cuda::ones_of;

/// Decompressed vectors: where each vector of the query stands.
template <class Word>
struct Decompressed {
  Word* const* vectors;
  std::uint64_t groups;
  __device__ Word* vector(std::uint32_t i) const { return vectors[i]; }
};

/// Clause c is the vectors [ends[c - 1], ends[c]) of the query.
struct Clauses {
  const std::uint32_t* ends;
  std::uint32_t count;
  __device__ std::uint32_t first(std::uint32_t c) const { return c == 0 ? 0 : ends[c - 1]; }
};

/// What a query selects.
template <class Word>
struct Selection {
  Word* groups;
  unsigned long long* count;  ///< added to
  Word tail;                  ///< the last group's rows that exist
};

/// Adds up a warp's counts.
__device__ __forceinline__ void add_count(std::uint32_t ones, unsigned long long* count) {
  const std::uint32_t sum = codecs::WarpLanes{}.sum({ones});
  if (codecs::WarpLanes::id() == 0 && sum > 0) atomicAdd(count, std::uint64_t{sum});
}

/// Rows of threads in a block of the hybrid reduction; a row of 32 takes every 8th vector.
inline constexpr std::uint32_t kHybridRows = kBlock / codecs::kLanes;

/// Hybrid: 32 neighbouring words (coalesced) by 8 columns at a time, then across the columns
/// through shared memory.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    hybrid_kernel(Decompressed<Word> data, Clauses clauses, Selection<Word> selection) {
  __shared__ Word partial[kHybridRows][codecs::kLanes];
  const std::uint32_t x = threadIdx.x % codecs::kLanes;
  const std::uint32_t y = threadIdx.x / codecs::kLanes;
  const std::uint64_t group = std::uint64_t{blockIdx.x} * codecs::kLanes + x;
  const bool inside = group < data.groups;
  Word result = inside ? all_rows(group, data.groups, selection.tail) : Word{0};
  for (std::uint32_t c = 0; c < clauses.count; ++c) {
    Word any = 0;
    for (std::uint32_t i = clauses.first(c) + y; i < clauses.ends[c]; i += kHybridRows) {
      if (inside) any |= data.vector(i)[group];
    }
    partial[y][x] = any;
    for (std::uint32_t half = kHybridRows / 2; half > 0; half /= 2) {
      __syncthreads();
      if (y < half) partial[y][x] |= partial[y + half][x];
    }
    if (y == 0) result &= partial[0][x];
    __syncthreads();
  }
  if (y != 0) return;
  if (inside) selection.groups[group] = result;
  add_count(ones_of(result), selection.count);
}

/// By row: a warp takes one word of all columns and reduces across its lanes; neighbouring lanes
/// read words that are a whole vector apart.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    rows_kernel(Decompressed<Word> data, Clauses clauses, Selection<Word> selection) {
  const std::uint32_t lane = codecs::WarpLanes::id();
  const std::uint64_t group = (std::uint64_t{blockIdx.x} * kBlock + threadIdx.x) / codecs::kLanes;
  if (group >= data.groups) return;
  Word result = all_rows(group, data.groups, selection.tail);
  for (std::uint32_t c = 0; c < clauses.count; ++c) {
    Word any = 0;
    for (std::uint32_t i = clauses.first(c) + lane; i < clauses.ends[c]; i += codecs::kLanes) {
      any |= data.vector(i)[group];
    }
    for (std::uint32_t step = codecs::kLanes / 2; step > 0; step /= 2) {
      any |= __shfl_xor_sync(codecs::WarpLanes::kAll, any, step);
    }
    result &= any;
  }
  if (lane != 0) return;
  selection.groups[group] = result;
  const std::uint32_t ones = ones_of(result);
  if (ones > 0) atomicAdd(selection.count, std::uint64_t{ones});
}

/// By column: column first + y takes in column first + y + half, where there is one before `last`;
/// columns go from `from` to their place in `to`.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    columns_kernel(Decompressed<Word> from, Decompressed<Word> to, std::uint32_t first,
                   std::uint32_t last, std::uint32_t half) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (group >= from.groups) return;
  const std::uint32_t i = first + blockIdx.y;
  Word word = from.vector(i)[group];
  if (i + half < last) word |= from.vector(i + half)[group];
  to.vector(i)[group] = word;
}

/// By column, the end: the AND of the clauses, whose ORs stand in their first columns.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    clauses_kernel(Decompressed<Word> data, Clauses clauses, Selection<Word> selection) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  const bool inside = group < data.groups;
  Word result = inside ? all_rows(group, data.groups, selection.tail) : Word{0};
  for (std::uint32_t c = 0; c < clauses.count && inside; ++c) {
    const std::uint32_t first = clauses.first(c);
    result &= first < clauses.ends[c] ? data.vector(first)[group] : Word{0};
  }
  if (inside) selection.groups[group] = result;
  add_count(ones_of(result), selection.count);
}

}  // namespace gannet::wah::papers
