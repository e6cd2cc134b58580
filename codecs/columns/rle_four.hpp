// Four consecutive values of any type in one lane: how they are stored.
#pragma once

#include <cstdint>
#include <type_traits>

#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// The type in which values of T are computed: all arithmetic is modulo a power of two, and the low
/// bits of a wider sum are those of a narrow one.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class V>
struct Four {
  V value[4];
};

/// Stores the low bits of four values to out[0 .. 3]. On the device at once, past the caches where
/// it can, so that `out` must be aligned to four values (16 bytes at most).
template <class T>
GANNET_HD void store_all(SerialLanes, const Four<Wide<T>>& four, T* out) {
  for (std::uint32_t i = 0; i < 4; ++i) out[i] = static_cast<T>(four.value[i]);
}
#if defined(__CUDACC__)
/// Stores past the caches if `out` is global memory; it may be shared memory, for which __stcs has
/// no instruction.
template <class Vector>
__device__ __forceinline__ void store_streaming(Vector* out, const Vector& value) {
  if (__isGlobal(out)) {
    __stcs(out, value);
  } else {
    *out = value;
  }
}

template <class T>
__device__ __forceinline__ void store_all(WarpLanes, const Four<Wide<T>>& four, T* out) {
  const auto& value = four.value;
  if constexpr (sizeof(T) == 8) {
    auto* pairs = reinterpret_cast<ulonglong2*>(out);
    store_streaming(pairs, make_ulonglong2(value[0], value[1]));
    store_streaming(pairs + 1, make_ulonglong2(value[2], value[3]));
  } else if constexpr (sizeof(T) == 4) {
    store_streaming(reinterpret_cast<uint4*>(out),
                    make_uint4(value[0], value[1], value[2], value[3]));
  } else if constexpr (sizeof(T) == 2) {
    store_streaming(
        reinterpret_cast<uint2*>(out),
        make_uint2((value[0] & 0xffff) | value[1] << 16, (value[2] & 0xffff) | value[3] << 16));
  } else {
    store_streaming(reinterpret_cast<std::uint32_t*>(out),
                    static_cast<std::uint32_t>((value[0] & 0xff) | (value[1] & 0xff) << 8 |
                                               (value[2] & 0xff) << 16 | value[3] << 24));
  }
}
#endif

/// Stores those of four values that lie before `size` to out[first .. first + 3].
template <class T>
GANNET_HD void store_some(const Four<Wide<T>>& four, std::uint32_t first, std::uint32_t size,
                          T* out) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (first + i < size) out[first + i] = static_cast<T>(four.value[i]);
  }
}

}  // namespace gannet::codecs
