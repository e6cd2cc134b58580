// Numbers of 32 bits in 16, rounded to the safe side: the bounds of a tile.
//
// Numbers below 2,048 are coded as they are. Others keep their eleven highest bits: code
// 2,048 + 1,024 (e - 1) + (m - 1,024) stands for m * 2^e, 1,024 <= m < 2,048, e >= 1. Codes ascend
// with the numbers. A number is off by less than 1/1,024 of itself.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace gannet::index {

/// The number that a code stands for; the largest there is for codes beyond that.
constexpr std::uint32_t number_of_bound(std::uint16_t code) {
  if (code < 2048) return code;
  const std::uint32_t exponent = (code - 2048u) / 1024 + 1;
  const std::uint64_t digits = (code - 2048u) % 1024 + 1024;
  return exponent > 22
             ? ~0u
             : static_cast<std::uint32_t>(std::min<std::uint64_t>(digits << exponent, ~0u));
}

/// The code of the largest number that has one and is at most `value`.
constexpr std::uint16_t bound_not_above(std::uint32_t value) {
  if (value < 2048) return static_cast<std::uint16_t>(value);
  const auto exponent = static_cast<std::uint32_t>(std::bit_width(value)) - 11;
  return static_cast<std::uint16_t>(2048 + (exponent - 1) * 1024 + (value >> exponent) - 1024);
}

/// The code of the smallest number that has one and is at least `value`.
constexpr std::uint16_t bound_not_below(std::uint32_t value) {
  const std::uint16_t code = bound_not_above(value);
  return static_cast<std::uint16_t>(number_of_bound(code) == value ? code : code + 1);
}

}  // namespace gannet::index
