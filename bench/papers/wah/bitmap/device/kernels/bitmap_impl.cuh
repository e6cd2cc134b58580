// A device bitmap's arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_rank.hpp"
#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah::cuda {

using codecs::cuda::check;
using codecs::cuda::DeviceArray;
using codecs::cuda::launch_kernel;
using codecs::cuda::PinnedArray;

template <class Word>
struct DeviceBitmap<Word>::Impl {
  std::uint64_t rows = 0;
  std::uint64_t groups = 0;
  std::vector<std::uint64_t> first;  ///< on the host
  DeviceArray<Word> atoms;
  DeviceArray<std::uint64_t> device_first;
  DeviceArray<RankEntry> ranks;  ///< entry vector * rank_entries(groups) + group / 32

  std::uint32_t vectors() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::uint64_t atoms_of(std::uint32_t vector) const { return first[vector + 1] - first[vector]; }
};

/// Threads of a block.
inline constexpr std::uint32_t kBlock = 256;

inline std::uint32_t blocks_for(std::uint64_t items) {
  return static_cast<std::uint32_t>((items + kBlock - 1) / kBlock);
}

/// The result before the first clause: every row.
template <class Word>
__device__ __forceinline__ Word all_rows(std::uint64_t group, std::uint64_t groups, Word tail) {
  return group + 1 == groups ? tail : codecs::WahAtom<Word>::kFull;
}

__device__ __forceinline__ std::uint32_t ones_of(std::uint32_t word) { return __popc(word); }
__device__ __forceinline__ std::uint32_t ones_of(std::uint64_t word) { return __popcll(word); }

}  // namespace gannet::wah::cuda
