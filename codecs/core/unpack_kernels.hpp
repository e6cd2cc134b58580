// What unpack.hpp does for whole tiles, in a form for each level of vector instructions. All forms
// give the same, and read exactly the words that they are told of.
#pragma once

#include <cstdint>

#include "codecs/base/simd_level.hpp"

namespace gannet::codecs {

struct UnpackKernels {
  /// As unpack128().
  void (*unpack128)(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);
  /// As sum128().
  std::uint32_t (*sum128)(std::uint32_t* values, std::uint32_t step, std::uint32_t previous);
};

/// The kernels of a level that this processor has.
const UnpackKernels& unpack_kernels(SimdLevel level);

namespace detail {
extern const UnpackKernels kPortableUnpack;
#if GANNET_X86_SIMD
extern const UnpackKernels kAvx2Unpack;
extern const UnpackKernels kAvx512Unpack;
#endif
}  // namespace detail

}  // namespace gannet::codecs
