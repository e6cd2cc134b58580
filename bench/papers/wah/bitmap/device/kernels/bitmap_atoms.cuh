// Finding the atom of every group of a few vectors, by scans over all of them.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", stages 1
// to 4 of Algorithm 1.
//
// The vectors are treated as one: their atoms one after the other, their groups one after the other
// (all have the same number). So one scan serves all of them. The grid's y is the vector, except in
// the scans. Stage 2 is a scan of stage 1's lengths, stage 4 one of stage 3's marks.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <span>
#include <vector>

#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "codecs/wah/wah.hpp"

namespace gannet::wah::cuda {

/// One of the vectors.
struct VectorAtoms {
  std::uint64_t first;   ///< its first atom among the index's
  std::uint64_t before;  ///< atoms of the vectors before it, of those that are treated as one
  std::uint32_t atoms;
  std::uint32_t vector;
};

/// Vectors that one launch takes: they are the grid's y.
inline constexpr std::uint32_t kMaxVectors = 65535;

/// Stage 1: how many groups each atom stands for.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    stage1_kernel(const VectorAtoms* vectors, const Word* atoms, Word* sizes) {
  const VectorAtoms vector = vectors[blockIdx.y];
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

/// Where atoms start, after stage 2.
template <class Word>
struct ComputedStarts {
  const Word* starts;
  __device__ std::uint64_t operator()(const VectorAtoms& vector, std::uint32_t i,
                                      std::uint64_t) const {
    return starts[vector.before + i];
  }
};

/// Stage 3: marks the last group of every atom but the last (`ends` was filled with zeros).
template <class Word, class Starts>
__global__ void __launch_bounds__(kBlock)
    stage3_kernel(const VectorAtoms* vectors, Starts starts, std::uint64_t groups, Word* ends) {
  const VectorAtoms vector = vectors[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= vector.atoms || (i == 0 && blockIdx.y == 0)) return;
  ends[starts(vector, i, blockIdx.y * groups) - 1] = 1;
}

/// The atom of a group, counted from its vector's first, after stage 4.
template <class Word>
struct ComputedIndex {
  const Word* index;
  __device__ std::uint64_t operator()(const VectorAtoms& vector, std::uint64_t place, std::uint32_t,
                                      std::uint64_t) const {
    return index[place] - vector.before;
  }
};

/// The atoms of a few vectors' groups, in device memory.
template <class Word>
struct AtomsOfGroups {
  const VectorAtoms* vectors;
  std::uint32_t first;  ///< number of the first vector
  std::uint32_t count;
  std::uint64_t most_atoms;  ///< of one vector
  std::uint64_t groups;      ///< of every vector
  const Word* starts;        ///< after stage 2
  ComputedIndex<Word> index;

  dim3 by_atom() const { return {blocks_for(most_atoms), count}; }
  dim3 by_group() const { return {blocks_for(groups), count}; }
};

/// Goes through all vectors of a bitmap, as many at a time as take a moderate amount of memory, and
/// calls use(AtomsOfGroups<Word>), which may launch on `stream`. Synchronous.
template <class Word, class Bitmap, class Use>
void with_atoms_of_groups(const Bitmap& bitmap, cudaStream_t stream, const Use& use) {
  constexpr std::uint64_t kMaxGroups = 1u << 26;
  std::uint32_t last = 0;
  for (std::uint32_t first = 0; first < bitmap.vectors(); first = last) {
    std::vector<VectorAtoms> table;
    std::uint64_t atoms = 0;
    std::uint64_t most = 0;
    do {
      const std::uint64_t size = bitmap.atoms_of(last);
      table.push_back({bitmap.first[last], atoms, static_cast<std::uint32_t>(size), last});
      atoms += size;
      most = std::max(most, size);
      ++last;
    } while (last < bitmap.vectors() && last - first < kMaxVectors &&
             (last - first + 1) * bitmap.groups <= kMaxGroups);
    const auto vectors = codecs::cuda::upload(std::span<const VectorAtoms>(table));
    const std::uint64_t groups = bitmap.groups * table.size();
    DeviceArray<Word> starts(atoms);
    DeviceArray<Word> index(groups);
    const std::size_t bytes = std::max(scan_bytes<Word>(atoms), scan_bytes<Word>(groups));
    DeviceArray<std::byte> temporary(bytes);
    const AtomsOfGroups<Word> found{vectors.data(), first,         last - first,  most,
                                    bitmap.groups,  starts.data(), {index.data()}};
    launch_kernel({"stage1_kernel", found.by_atom(), kBlock, 0, stream}, stage1_kernel<Word>,
                  vectors.data(), bitmap.atoms.data(), starts.data());
    scan<Word>(temporary.data(), bytes, starts.data(), starts.data(), atoms, stream);
    check(cudaMemsetAsync(index.data(), 0, index.bytes(), stream), "cudaMemsetAsync");
    launch_kernel({"stage3_kernel", found.by_atom(), kBlock, 0, stream},
                  stage3_kernel<Word, ComputedStarts<Word>>, vectors.data(),
                  ComputedStarts<Word>{starts.data()}, bitmap.groups, index.data());
    scan<Word>(temporary.data(), bytes, index.data(), index.data(), groups, stream);
    use(found);
    check(cudaStreamSynchronize(stream), "finding the atoms of a bitmap's groups");
  }
}

}  // namespace gannet::wah::cuda
