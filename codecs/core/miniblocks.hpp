// Blocks of 128 values in four miniblocks of 32, with a reference and four 8-bit widths ahead:
// gpu-for and gpu-dfor.
#pragma once

#include <cstdint>

#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

inline constexpr std::uint32_t kMiniSize32 = 32;

/// Words of the payload before miniblock `mini`, given the widths: a sum of at most three bytes,
/// each <= 32, by one multiplication.
GANNET_HD std::uint32_t mini_start(std::uint32_t widths, std::uint32_t mini) {
  return widths * 0x01010100u >> 8 * mini & 0xff;
}

/// The class of the largest of the widths of kWideTiles blocks.
GANNET_HD WidthClass width_class_of(const std::uint32_t (&widths)[kWideTiles]) {
  std::uint32_t above8 = 0;
  std::uint32_t above16 = 0;
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
    above8 |= widths[t] + 0x77777777u;  // 9 + 0x77 is the first sum with a byte's highest bit
    above16 |= widths[t] + 0x6f6f6f6fu;
  }
  if ((above8 & 0x80808080u) == 0) return WidthClass::kUpTo8;
  return (above16 & 0x80808080u) == 0 ? WidthClass::kUpTo16 : WidthClass::kUpTo32;
}

/// Unpacks a lane's quad of a block whose four miniblocks start at `payload`.
template <WidthClass kClass>
GANNET_HD Quad unpack_mini_quad(const std::uint32_t* payload, std::uint32_t widths,
                                std::uint32_t lane) {
  const std::uint32_t mini = lane / (kMiniSize32 / 4);
  return unpack_quad<kClass>(payload + mini_start(widths, mini), lane % (kMiniSize32 / 4),
                             widths >> 8 * mini & 0xff);
}

}  // namespace gannet::codecs
