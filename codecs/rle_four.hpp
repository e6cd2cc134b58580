// Four consecutive values of any type in one lane: how they are stored.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gannet/codecs/lanes.hpp"

namespace gannet::codecs {

/// The type in which values of T are computed: all arithmetic is modulo a power of two, and the low
/// bits of a wider sum are those of a narrow one.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class V>
struct Four {
  V value[4];
};

/// Four values as they stand in memory, written at once: 16 bytes for values of 4 bytes.
template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) PackedFour {
  T value[4];
};

/// Stores the low bits of `four` to out[first .. first + 3], as far as these lie before `size`.
/// On the device `out` must be aligned to four values (16 bytes at most) and `first` be a multiple
/// of 4.
template <class T, class Lanes>
GANNET_HD void store_four(Lanes, const Four<Wide<T>>& four, std::uint32_t first, std::uint32_t size,
                          T* out) {
  if constexpr (!std::is_same_v<Lanes, SerialLanes>) {
    if (first + 4 <= size) {
      PackedFour<T> packed;
      for (std::uint32_t i = 0; i < 4; ++i) packed.value[i] = static_cast<T>(four.value[i]);
      *reinterpret_cast<PackedFour<T>*>(out + first) = packed;
      return;
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (first + i < size) out[first + i] = static_cast<T>(four.value[i]);
  }
}

}  // namespace gannet::codecs
