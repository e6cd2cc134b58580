// Whole numbers of 128 bits: sums of 64-bit values, exactly, and as text.
#pragma once

#include <cstdint>
#include <string>

namespace gannet::query {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// The number * 10^-scale in decimal, without zeros at its end behind the point: `-12.5`.
std::string to_text(Int128 number, unsigned scale = 0);

/// The largest whole number that is at most numerator / denominator (> 0).
constexpr Int128 floor_divide(Int128 numerator, Int128 denominator) {
  const Int128 quotient = numerator / denominator;
  return numerator % denominator < 0 ? quotient - 1 : quotient;
}

/// The number of a key of integers, decimals, dates, times and booleans (field_access.hpp).
constexpr Int128 number_of(std::uint64_t key, std::uint64_t zero_key) {
  return static_cast<Int128>(key) - static_cast<Int128>(zero_key);
}

}  // namespace gannet::query
