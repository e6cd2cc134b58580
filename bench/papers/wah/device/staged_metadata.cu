#include <cuda_runtime.h>

#include "bench/papers/wah/device/staged_metadata.cuh"
#include "bench/papers/wah/device/stages.cuh"

namespace gannet::wah::papers {
namespace {

using codecs::cuda::check_launch;
using cuda::AtomsOfGroups;

/// Stage-2 metadata: starts counted from the vector's own first group.
template <class Word, class Stored>
__global__ void __launch_bounds__(kBlock)
    store_starts_kernel(const VectorAtoms* vectors, const Word* starts, std::uint64_t groups,
                        Stored* out) {
  const VectorAtoms vector = vectors[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= vector.atoms) return;
  out[vector.first + i] =
      static_cast<Stored>(starts[vector.before + i] - static_cast<Word>(blockIdx.y * groups));
}

/// Stage-4 metadata: atoms counted from the vector's own first.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    store_index_kernel(const VectorAtoms* vectors, ComputedIndex<Word> index, std::uint64_t groups,
                       std::uint32_t* out) {
  const VectorAtoms vector = vectors[blockIdx.y];
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (group >= groups) return;
  out[vector.vector * groups + group] = static_cast<std::uint32_t>(
      index(vector, blockIdx.y * groups + group, static_cast<std::uint32_t>(group), groups));
}

}  // namespace

template <class Word>
StagedMetadata<Word>::StagedMetadata(const cuda::DeviceBitmap<Word>& bitmap,
                                     BitmapMetadata metadata)
    : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  const auto& of = bitmap.impl();
  const std::uint64_t groups = of.groups;
  const auto wanted = [](bool want, std::uint64_t size) { return want ? size : 0; };
  impl.stage2_as_32 = DeviceArray<std::uint32_t>(wanted(metadata.stage2_as_32, of.atoms.size()));
  impl.stage2_as_64 = DeviceArray<std::uint64_t>(wanted(metadata.stage2_as_64, of.atoms.size()));
  const std::uint64_t all = groups * of.vectors();
  impl.stage4_as_32 = DeviceArray<std::uint32_t>(wanted(metadata.stage4_as_32, all));
  impl.decompressed = DeviceArray<Word>(wanted(metadata.decompressed, all));
  const codecs::cuda::OwnedStream stream;
  cuda::with_atoms_of_groups<Word>(of, stream, [&](const AtomsOfGroups<Word>& found) {
    if (metadata.stage2_as_32) {
      store_starts_kernel<<<found.by_atom(), kBlock, 0, stream>>>(found.vectors, found.starts,
                                                                  groups, impl.stage2_as_32.data());
    }
    if (metadata.stage2_as_64) {
      store_starts_kernel<<<found.by_atom(), kBlock, 0, stream>>>(found.vectors, found.starts,
                                                                  groups, impl.stage2_as_64.data());
    }
    if (metadata.stage4_as_32) {
      store_index_kernel<<<found.by_group(), kBlock, 0, stream>>>(found.vectors, found.index,
                                                                  groups, impl.stage4_as_32.data());
    }
    if (metadata.decompressed) {
      stage5_kernel<Word><<<found.by_group(), kBlock, 0, stream>>>(
          found.vectors, of.atoms.data(), found.index, groups,
          impl.decompressed.data() + found.first * groups);
    }
    check_launch("storing the metadata of a bitmap index");
  });
}

template <class Word>
StagedMetadata<Word>::~StagedMetadata() = default;
template <class Word>
StagedMetadata<Word>::StagedMetadata(StagedMetadata&&) noexcept = default;
template <class Word>
StagedMetadata<Word>& StagedMetadata<Word>::operator=(StagedMetadata&&) noexcept = default;

template <class Word>
MetadataBytes StagedMetadata<Word>::bytes() const {
  return {impl_->stage2_as_32.bytes(), impl_->stage2_as_64.bytes(), impl_->stage4_as_32.bytes(),
          impl_->decompressed.bytes()};
}

template class StagedMetadata<std::uint32_t>;
template class StagedMetadata<std::uint64_t>;

}  // namespace gannet::wah::papers
