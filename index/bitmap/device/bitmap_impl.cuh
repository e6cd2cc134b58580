// A device bitmap's arrays, and a query's vectors as the staged kernels see them.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/device/memory.hpp"
#include "index/bitmap/bitmap_rank.hpp"
#include "index/bitmap/device/bitmap_device.hpp"

namespace gannet::index::cuda {

using codecs::cuda::check;
using codecs::cuda::check_launch;
using codecs::cuda::DeviceArray;
using codecs::cuda::PinnedArray;

template <class Word>
struct DeviceBitmap<Word>::Impl {
  std::uint64_t rows = 0;
  std::uint64_t groups = 0;
  std::vector<std::uint64_t> first;  ///< on the host
  DeviceArray<Word> atoms;
  DeviceArray<std::uint64_t> device_first;
  DeviceArray<std::uint32_t> stage2_as_32;  ///< entry of atom i of all vectors' atoms
  DeviceArray<std::uint64_t> stage2_as_64;
  DeviceArray<std::uint32_t> stage4_as_32;  ///< entry vector * groups + group
  DeviceArray<Word> decompressed;           ///< likewise
  DeviceArray<RankEntry> ranks;             ///< entry vector * rank_entries(groups) + group / 32

  std::uint32_t vectors() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::uint64_t atoms_of(std::uint32_t vector) const { return first[vector + 1] - first[vector]; }
};

/// One vector of a query.
struct QueryVector {
  std::uint64_t first;   ///< its first atom among the index's
  std::uint64_t before;  ///< atoms of the query's vectors before it
  std::uint32_t atoms;
  std::uint32_t vector;
};

/// Threads of a block of the staged kernels.
inline constexpr std::uint32_t kBlock = 256;

/// Vectors that one launch takes: they are the grid's y.
inline constexpr std::uint32_t kMostQueryVectors = 65535;

inline std::uint32_t blocks_for(std::uint64_t items) {
  return static_cast<std::uint32_t>((items + kBlock - 1) / kBlock);
}

}  // namespace gannet::index::cuda
