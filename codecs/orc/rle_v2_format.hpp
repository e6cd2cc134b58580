// Numbers of rle-v2's format that its encoder, decoder and validator share; rle_v2.hpp says what it
// is.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"

namespace gannet::codecs::orc {

/// Values of the shortest short repeat.
inline constexpr std::uint32_t kMinRepeat = 3;

/// The width that a code stands for.
GANNET_HD std::uint32_t width_of(std::uint32_t code) {
  if (code < 24) return code + 1;
  return code < 28 ? 2 * code - 22 : 8 * code - 184;
}

/// The smallest width with a code that is not below `bits` (0..64).
GANNET_HD std::uint32_t closest_width(std::uint32_t bits) {
  if (bits <= 24) return bits == 0 ? 1 : bits;
  return bits <= 32 ? (bits + 1) / 2 * 2 : (bits + 7) / 8 * 8;
}

/// The code of a width that has one.
inline std::uint32_t code_of(std::uint32_t width) {
  if (width <= 24) return width - 1;
  return width <= 32 ? (width + 22) / 2 : (width + 184) / 8;
}

}  // namespace gannet::codecs::orc
