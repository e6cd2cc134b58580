// What the paper's stages have beside those that the library uses itself: metadata in place of
// stages 1 to 4, and stage 5.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing",
// Algorithm 1 and section 4.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/papers/wah/bitmap/device/kernels/bitmap_atoms.cuh"
#include "codecs/wah/wah.hpp"

namespace gannet::wah::papers {

using cuda::ComputedIndex;
using cuda::ComputedStarts;
using cuda::kBlock;
using cuda::VectorAtoms;

/// Where atoms start, from metadata.
template <class Stored>
struct StoredStarts {
  const Stored* starts;
  __device__ std::uint64_t operator()(const VectorAtoms& vector, std::uint32_t i,
                                      std::uint64_t base) const {
    return base + starts[vector.first + i];
  }
};

/// The atom of a group, from metadata.
struct StoredIndex {
  const std::uint32_t* index;
  __device__ std::uint64_t operator()(const VectorAtoms& vector, std::uint64_t, std::uint32_t group,
                                      std::uint64_t groups) const {
    return index[vector.vector * groups + group];
  }
};

/// Stage 5: the decompressed groups. `out` may be the array that `index` reads.
template <class Word, class Index>
__global__ void __launch_bounds__(kBlock)
    stage5_kernel(const VectorAtoms* vectors, const Word* atoms, Index index, std::uint64_t groups,
                  Word* out) {
  const VectorAtoms vector = vectors[blockIdx.y];
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (group >= groups) return;
  const std::uint64_t place = blockIdx.y * groups + group;
  const std::uint64_t atom = index(vector, place, static_cast<std::uint32_t>(group), groups);
  out[place] = codecs::WahAtom<Word>::group(atoms[vector.first + atom]);
}

}  // namespace gannet::wah::papers
