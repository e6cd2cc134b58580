// A binary logarithm made of rounded operations only: the same bits on every processor.
#pragma once

#include <bit>
#include <cstdint>

#include "codecs/core/rounding.hpp"

namespace gannet::query {

/// log2(x) for a positive normal float, with a relative error below 2^-21.5; exact for powers of 2,
/// so 0 for 1. Any bits for other arguments, without harm.
///
/// x is 2^n * m with m in [sqrt(1/2), sqrt(2)), and ln(m) = 2 * artanh(s) with s = (m - 1) / (m +
/// 1), |s| < 0.172, of which the series up to s^9 is taken (Abramowitz and Stegun, 4.1.27; the rest
/// is below 2^-29 of it).
GANNET_HD float rounded_log2(float x) {
  using codecs::rounded_add;
  using codecs::rounded_div;
  using codecs::rounded_mul;
  constexpr std::uint32_t kRootOfHalf = 0x3f3504f3u;  // as the bits of a float
  constexpr std::uint32_t kMantissa = 0x007fffffu;
  const std::uint32_t above = std::bit_cast<std::uint32_t>(x) - kRootOfHalf;
  const auto n = static_cast<float>(static_cast<std::int32_t>(above) >> 23);
  const auto m = std::bit_cast<float>((above & kMantissa) + kRootOfHalf);
  const float s = rounded_div(rounded_add(m, -1.0f), rounded_add(m, 1.0f));
  const float z = rounded_mul(s, s);
  float series = rounded_mul(z, 1.0f / 9);
  series = rounded_mul(z, rounded_add(series, 1.0f / 7));
  series = rounded_mul(z, rounded_add(series, 1.0f / 5));
  series = rounded_mul(z, rounded_add(series, 1.0f / 3));
  constexpr float kTwoByLn2 = 2.885390082f;
  return rounded_add(n, rounded_mul(kTwoByLn2, rounded_add(s, rounded_mul(s, series))));
}

/// `value`, or `least` where it is smaller or no number.
GANNET_HD float at_least(float value, float least) { return value > least ? value : least; }

}  // namespace gannet::query
