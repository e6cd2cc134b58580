// The arrays of a bitmap's metadata.
#pragma once

#include <cstdint>

#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "bench/papers/wah/staged_metadata.hpp"

namespace gannet::wah::papers {

using cuda::DeviceArray;

template <class Word>
struct StagedMetadata<Word>::Impl {
  DeviceArray<std::uint32_t> stage2_as_32;  ///< entry of atom i of all vectors' atoms
  DeviceArray<std::uint64_t> stage2_as_64;
  DeviceArray<std::uint32_t> stage4_as_32;  ///< entry vector * groups + group
  DeviceArray<Word> decompressed;           ///< likewise
};

}  // namespace gannet::wah::papers
