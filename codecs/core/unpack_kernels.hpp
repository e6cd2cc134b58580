// unpack128() and sum128() of unpack.hpp, in one form for each level of vector instructions. All
// forms give equal results, and read no word behind those that their arguments name.
#pragma once

#include <cstdint>

#include "codecs/base/simd_level.hpp"

namespace gannet::codecs {

/// The two functions at one level. They are thread-safe.
struct UnpackKernels {
  /// See unpack128().
  void (*unpack128)(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);
  /// See sum128().
  std::uint32_t (*sum128)(std::uint32_t* values, std::uint32_t step, std::uint32_t previous);
};

/// The kernels of `level`, which must not be above best_simd_level(). The reference stays valid.
/// Thread-safe.
const UnpackKernels& unpack_kernels(SimdLevel level);

namespace detail {
extern const UnpackKernels kPortableUnpack;
#if GANNET_X86_SIMD
extern const UnpackKernels kAvx2Unpack;
extern const UnpackKernels kAvx512Unpack;
#endif
}  // namespace detail

}  // namespace gannet::codecs
