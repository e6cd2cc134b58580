// The five stages of decompression, over all vectors of a query together.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing",
// Algorithm 1.
//
// The query's vectors are treated as one: their atoms one after the other, their decompressed
// groups one after the other (all have the same number). So one scan serves all of them. The grid's
// y is the vector, except in the scans.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cub/device/device_scan.cuh>

#include "codecs/wah/wah.hpp"
#include "index/bitmap/device/bitmap_impl.cuh"

namespace gannet::index::cuda {

/// Stage 1: how many groups each atom stands for.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    stage1_kernel(const QueryVector* vectors, const Word* atoms, Word* sizes) {
  const QueryVector vector = vectors[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= vector.atoms) return;
  sizes[vector.before + i] = codecs::WahAtom<Word>::length(atoms[vector.first + i]);
}

/// Stages 2 and 4: an exclusive scan; `from` and `to` may be the same array.
template <class Word>
void scan(void* temporary, std::size_t bytes, const Word* from, Word* to, std::uint64_t count,
          cudaStream_t stream) {
  check(cub::DeviceScan::ExclusiveSum(temporary, bytes, from, to, static_cast<std::int64_t>(count),
                                      stream),
        "cub::DeviceScan");
}

/// Bytes of temporary storage for a scan of `count` elements.
template <class Word>
std::size_t scan_bytes(std::uint64_t count) {
  std::size_t bytes = 0;
  const Word* from = nullptr;
  Word* to = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, from, to, static_cast<std::int64_t>(count)),
        "cub::DeviceScan");
  return bytes;
}

/// Where the atoms of a query's vectors start, after stage 2 or from metadata.
template <class Word>
struct ComputedStarts {
  const Word* starts;
  __device__ std::uint64_t operator()(const QueryVector& vector, std::uint32_t i,
                                      std::uint64_t) const {
    return starts[vector.before + i];
  }
};

template <class Stored>
struct StoredStarts {
  const Stored* starts;
  __device__ std::uint64_t operator()(const QueryVector& vector, std::uint32_t i,
                                      std::uint64_t base) const {
    return base + starts[vector.first + i];
  }
};

/// Stage 3: marks the last group of every atom but the last (`ends` was filled with zeros).
template <class Word, class Starts>
__global__ void __launch_bounds__(kBlock)
    stage3_kernel(const QueryVector* vectors, Starts starts, std::uint64_t groups, Word* ends) {
  const QueryVector vector = vectors[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= vector.atoms || (i == 0 && blockIdx.y == 0)) return;
  ends[starts(vector, i, blockIdx.y * groups) - 1] = 1;
}

/// The atom of a group, counted from its vector's first: after stage 4 or from metadata.
template <class Word>
struct ComputedIndex {
  const Word* index;
  __device__ std::uint64_t operator()(const QueryVector& vector, std::uint64_t place, std::uint32_t,
                                      std::uint64_t) const {
    return index[place] - vector.before;
  }
};

struct StoredIndex {
  const std::uint32_t* index;
  __device__ std::uint64_t operator()(const QueryVector& vector, std::uint64_t, std::uint32_t group,
                                      std::uint64_t groups) const {
    return index[vector.vector * groups + group];
  }
};

/// Stage 5: the decompressed groups. `out` may be the array that `index` reads.
template <class Word, class Index>
__global__ void __launch_bounds__(kBlock)
    stage5_kernel(const QueryVector* vectors, const Word* atoms, Index index, std::uint64_t groups,
                  Word* out) {
  const QueryVector vector = vectors[blockIdx.y];
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (group >= groups) return;
  const std::uint64_t place = blockIdx.y * groups + group;
  const std::uint64_t atom = index(vector, place, static_cast<std::uint32_t>(group), groups);
  out[place] = codecs::WahAtom<Word>::group(atoms[vector.first + atom]);
}

}  // namespace gannet::index::cuda
