#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "codecs/error.hpp"
#include "index/bitmap/device/bitmap_device.hpp"
#include "index/bitmap/device/bitmap_impl.cuh"
#include "index/bitmap/device/bitmap_stages.cuh"

namespace gannet::index::cuda {
namespace {

using codecs::cuda::upload;

/// Stage-2 metadata: starts counted from the vector's own first group.
template <class Word, class Stored>
__global__ void __launch_bounds__(kBlock)
    store_starts_kernel(const QueryVector* vectors, const Word* starts, std::uint64_t groups,
                        Stored* out) {
  const QueryVector vector = vectors[blockIdx.y];
  const std::uint32_t i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= vector.atoms) return;
  out[vector.first + i] =
      static_cast<Stored>(starts[vector.before + i] - static_cast<Word>(blockIdx.y * groups));
}

/// Stage-4 metadata: atoms counted from the vector's own first.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    store_index_kernel(const QueryVector* vectors, ComputedIndex<Word> index, std::uint64_t groups,
                       std::uint32_t* out) {
  const QueryVector vector = vectors[blockIdx.y];
  const std::uint64_t group = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (group >= groups) return;
  out[vector.vector * groups + group] = static_cast<std::uint32_t>(
      index(vector, blockIdx.y * groups + group, static_cast<std::uint32_t>(group), groups));
}

/// Rank entries, a thread each.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    store_ranks_kernel(const QueryVector* vectors, const Word* atoms, ComputedIndex<Word> index,
                       std::uint64_t groups, RankEntry* out) {
  const QueryVector vector = vectors[blockIdx.y];
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

/// Makes metadata for a few vectors at a time, by the stages of a query.
template <class Word>
class MetadataMaker {
 public:
  MetadataMaker(typename DeviceBitmap<Word>::Impl& impl, BitmapMetadata metadata)
      : impl_(impl), metadata_(metadata) {}

  void run() {
    for (std::uint32_t first = 0; first < impl_.vectors();) {
      std::uint32_t last = first + 1;
      while (last < impl_.vectors() && last - first < kMostQueryVectors &&
             (last - first + 1) * impl_.groups <= kMostGroups) {
        ++last;
      }
      make(first, last);
      first = last;
    }
    check(cudaDeviceSynchronize(), "making the metadata of a bitmap index");
  }

 private:
  static constexpr std::uint64_t kMostGroups = 1u << 26;

  void make(std::uint32_t first, std::uint32_t last) {
    std::vector<QueryVector> table;
    std::uint64_t atoms = 0;
    std::uint64_t most = 0;
    for (std::uint32_t v = first; v < last; ++v) {
      table.push_back({impl_.first[v], atoms, static_cast<std::uint32_t>(impl_.atoms_of(v)), v});
      atoms += impl_.atoms_of(v);
      most = std::max(most, impl_.atoms_of(v));
    }
    const auto vectors = upload(std::span<const QueryVector>(table));
    const std::uint64_t groups = impl_.groups * table.size();
    DeviceArray<Word> starts(atoms);
    DeviceArray<Word> index(groups);
    const std::size_t bytes = std::max(scan_bytes<Word>(atoms), scan_bytes<Word>(groups));
    DeviceArray<std::byte> temporary(bytes);
    const dim3 by_atom(blocks_for(most), last - first);
    stage1_kernel<Word><<<by_atom, kBlock>>>(vectors.data(), impl_.atoms.data(), starts.data());
    check_launch("stage1_kernel");
    scan<Word>(temporary.data(), bytes, starts.data(), starts.data(), atoms, nullptr);
    check(cudaMemsetAsync(index.data(), 0, index.bytes(), nullptr), "cudaMemset");
    stage3_kernel<Word><<<by_atom, kBlock>>>(vectors.data(), ComputedStarts<Word>{starts.data()},
                                             impl_.groups, index.data());
    check_launch("stage3_kernel");
    scan<Word>(temporary.data(), bytes, index.data(), index.data(), groups, nullptr);
    store(vectors.data(), starts.data(), {index.data()}, by_atom);
    check(cudaDeviceSynchronize(), "making the metadata of a bitmap index");
  }

  void store(const QueryVector* vectors, const Word* starts, ComputedIndex<Word> index,
             dim3 by_atom) {
    const dim3 by_group(blocks_for(impl_.groups), by_atom.y);
    const std::uint64_t groups = impl_.groups;
    if (metadata_.stage2_as_32) {
      store_starts_kernel<<<by_atom, kBlock>>>(vectors, starts, groups, impl_.stage2_as_32.data());
    }
    if (metadata_.stage2_as_64) {
      store_starts_kernel<<<by_atom, kBlock>>>(vectors, starts, groups, impl_.stage2_as_64.data());
    }
    if (metadata_.stage4_as_32) {
      store_index_kernel<<<by_group, kBlock>>>(vectors, index, groups, impl_.stage4_as_32.data());
    }
    if (metadata_.ranks) {
      const dim3 by_entry(blocks_for(rank_entries(groups)), by_atom.y);
      store_ranks_kernel<<<by_entry, kBlock>>>(vectors, impl_.atoms.data(), index, groups,
                                               impl_.ranks.data());
    }
    if (metadata_.decompressed) {
      const std::uint64_t base = first_vector(vectors) * groups;
      stage5_kernel<Word><<<by_group, kBlock>>>(vectors, impl_.atoms.data(), index, groups,
                                                impl_.decompressed.data() + base);
    }
    check_launch("storing the metadata of a bitmap index");
  }

  static std::uint64_t first_vector(const QueryVector* vectors) {
    QueryVector first;
    check(cudaMemcpy(&first, vectors, sizeof first, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return first.vector;
  }

  typename DeviceBitmap<Word>::Impl& impl_;
  BitmapMetadata metadata_;
};

/// Atoms of a vector: the two highest bits of their numbers are rank entries' marks.
constexpr std::uint64_t kMostAtoms = 1u << 30;

template <class Word>
void check_view(const BitmapView<Word>& view) {
  for (std::uint32_t v = 0; v < view.vectors(); ++v) {
    if (view.first[v + 1] - view.first[v] > kMostAtoms) {
      throw UsageError("vector " + std::to_string(v) + " has too many atoms for the device");
    }
  }
}

}  // namespace

template <class Word>
DeviceBitmap<Word>::DeviceBitmap(const BitmapView<Word>& view, BitmapMetadata metadata)
    : impl_(std::make_unique<Impl>()) {
  check_view(view);
  Impl& impl = *impl_;
  impl.rows = view.rows;
  impl.groups = codecs::wah_groups<Word>(view.rows);
  impl.first.assign(view.first.begin(), view.first.end());
  impl.atoms = upload(view.atoms);
  impl.device_first = upload(view.first);
  const std::uint64_t groups = impl.groups * impl.vectors();
  const auto wanted = [](bool want, std::uint64_t size) { return want ? size : 0; };
  const std::uint64_t atoms = view.atoms.size();
  impl.stage2_as_32 = DeviceArray<std::uint32_t>(wanted(metadata.stage2_as_32, atoms));
  impl.stage2_as_64 = DeviceArray<std::uint64_t>(wanted(metadata.stage2_as_64, atoms));
  impl.stage4_as_32 = DeviceArray<std::uint32_t>(wanted(metadata.stage4_as_32, groups));
  impl.decompressed = DeviceArray<Word>(wanted(metadata.decompressed, groups));
  impl.ranks =
      DeviceArray<RankEntry>(wanted(metadata.ranks, rank_entries(impl.groups) * impl.vectors()));
  MetadataMaker<Word>(impl, metadata).run();
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
  const Impl& impl = *impl_;
  return {impl.atoms.bytes(),        impl.stage2_as_32.bytes(), impl.stage2_as_64.bytes(),
          impl.stage4_as_32.bytes(), impl.decompressed.bytes(), impl.ranks.bytes()};
}

template class DeviceBitmap<std::uint32_t>;
template class DeviceBitmap<std::uint64_t>;

}  // namespace gannet::index::cuda
