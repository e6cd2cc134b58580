#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_atoms.cuh"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "codecs/base/error.hpp"

namespace gannet::wah::cuda {
namespace {

using codecs::cuda::upload;

/// Rank entries, a thread each.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    store_ranks_kernel(const VectorAtoms* vectors, const Word* atoms, ComputedIndex<Word> index,
                       std::uint64_t groups, RankEntry* out) {
  const VectorAtoms vector = vectors[blockIdx.y];
  const std::uint64_t entries = rank_entries(groups);
  const std::uint64_t entry = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (entry >= entries) return;
  const auto at = [&](std::uint64_t group) {
    return static_cast<std::uint32_t>(
        index(vector, blockIdx.y * groups + group, static_cast<std::uint32_t>(group), groups));
  };
  const std::uint64_t first = entry * kRankGroups;
  RankEntry made{kRankZeros, 0};
  if (first < groups) {
    const std::uint32_t atom = at(first);
    std::uint32_t before = atom;
    std::uint32_t ends = 0;
    for (std::uint32_t i = 0; i < kRankGroups && first + i + 1 < groups; ++i) {
      const std::uint32_t next = at(first + i + 1);
      if (next != before) ends |= 1u << i;
      before = next;
    }
    made = rank_entry(atom, ends, atoms[vector.first + atom]);
  }
  out[vector.vector * entries + entry] = made;
}

/// Atoms of a vector: the two highest bits of their numbers are rank entries' marks.
constexpr std::uint64_t kMaxAtoms = 1u << 30;

template <class Word>
void check_view(const BitmapView<Word>& view) {
  for (std::uint32_t v = 0; v < view.vectors(); ++v) {
    if (view.first[v + 1] - view.first[v] > kMaxAtoms) {
      throw UsageError("vector " + std::to_string(v) + " has too many atoms for the device");
    }
  }
}

}  // namespace

template <class Word>
DeviceBitmap<Word>::DeviceBitmap(const BitmapView<Word>& view) : impl_(std::make_unique<Impl>()) {
  check_view(view);
  Impl& impl = *impl_;
  impl.rows = view.rows;
  impl.groups = codecs::wah_groups<Word>(view.rows);
  impl.first.assign(view.first.begin(), view.first.end());
  impl.atoms = upload(view.atoms);
  impl.device_first = upload(view.first);
  const std::uint64_t entries = rank_entries(impl.groups);
  impl.ranks = DeviceArray<RankEntry>(entries * impl.vectors());
  const codecs::cuda::OwnedStream stream;
  with_atoms_of_groups<Word>(impl, stream, [&](const AtomsOfGroups<Word>& found) {
    launch_kernel({"store_ranks_kernel", dim3(blocks_for(entries), found.count), kBlock, 0, stream},
                  store_ranks_kernel<Word>, found.vectors, impl.atoms.data(), found.index,
                  impl.groups, impl.ranks.data());
  });
}

template <class Word>
DeviceBitmap<Word>::~DeviceBitmap() = default;
template <class Word>
DeviceBitmap<Word>::DeviceBitmap(DeviceBitmap&&) noexcept = default;
template <class Word>
DeviceBitmap<Word>& DeviceBitmap<Word>::operator=(DeviceBitmap&&) noexcept = default;

template <class Word>
std::uint64_t DeviceBitmap<Word>::rows() const {
  return impl_->rows;
}
template <class Word>
std::uint32_t DeviceBitmap<Word>::vectors() const {
  return impl_->vectors();
}
template <class Word>
std::uint64_t DeviceBitmap<Word>::groups() const {
  return impl_->groups;
}
template <class Word>
BitmapBytes DeviceBitmap<Word>::bytes() const {
  return {impl_->atoms.bytes(), impl_->ranks.bytes()};
}

template class DeviceBitmap<std::uint32_t>;
template class DeviceBitmap<std::uint64_t>;

}  // namespace gannet::wah::cuda
