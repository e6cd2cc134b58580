// A binary logarithm made of rounded operations only: the same bits on every processor.
#pragma once

#include <bit>
#include <cstdint>

#include "codecs/core/rounding.hpp"

namespace gannet::query {

/// ln(2), log2(e) and log2(2 pi).
inline constexpr double kLn2 = 0.69314718055994530942;
inline constexpr double kLog2E = 1.44269504088896340736;
inline constexpr double kLog2TwoPi = 2.65149612947231879804;

/// A number x > 0 as 2^n * (1 + s) / (1 - s), where |s| is at most about 0.172.
struct Log2Parts {
  float n;
  float numerator;  ///< s is numerator / denominator
  float denominator;
};

/// Of a normal float: x is 2^n * m with m in [sqrt(1/2), sqrt(2)), s is (m - 1) / (m + 1).
GANNET_HD Log2Parts log2_parts(float x) {
  constexpr std::uint32_t kRootOfHalf = 0x3f3504f3u;  // as the bits of a float
  constexpr std::uint32_t kMantissa = 0x007fffffu;
  const std::uint32_t above = std::bit_cast<std::uint32_t>(x) - kRootOfHalf;
  const auto m = std::bit_cast<float>((above & kMantissa) + kRootOfHalf);
  return {static_cast<float>(static_cast<std::int32_t>(above) >> 23), codecs::rounded_add(m, -1.0f),
          codecs::rounded_add(m, 1.0f)};
}

/// n + log2((1 + s) / (1 - s)) = n + 2 / ln(2) * artanh(s), of which the series up to s^9 is taken
/// (Abramowitz and Stegun, 4.6.33); the rest is below 2^-28 of it.
GANNET_HD float log2_of(const Log2Parts& parts) {
  using codecs::rounded_add;
  using codecs::rounded_mul;
  const float s = codecs::rounded_div(parts.numerator, parts.denominator);
  const float z = rounded_mul(s, s);
  float series = rounded_mul(z, 1.0f / 9);
  series = rounded_mul(z, rounded_add(series, 1.0f / 7));
  series = rounded_mul(z, rounded_add(series, 1.0f / 5));
  series = rounded_mul(z, rounded_add(series, 1.0f / 3));
  constexpr float kTwoByLn2 = 2.885390082f;
  return rounded_add(parts.n, rounded_mul(kTwoByLn2, rounded_add(s, rounded_mul(s, series))));
}

/// log2(x) for a positive normal float, with a relative error below 2^-22; exact for powers of 2,
/// so 0 for 1. Any value for other arguments, without harm.
GANNET_HD float rounded_log2(float x) { return log2_of(log2_parts(x)); }

/// log2(1 + x) for x >= 0, with a relative error below 2^-21, however small x is.
GANNET_HD float rounded_log2_1p(float x) {
  Log2Parts parts = log2_parts(codecs::rounded_add(1, x));
  if (x < 0.25f) parts = {0, x, codecs::rounded_add(2, x)};
  return log2_of(parts);
}

/// 1 + ln(x).
GANNET_HD float one_plus_ln(float x) {
  return codecs::rounded_add(1, codecs::rounded_mul(static_cast<float>(kLn2), rounded_log2(x)));
}

/// `value`, or `least` where it is smaller or no number.
GANNET_HD float at_least(float value, float least) { return value > least ? value : least; }

}  // namespace gannet::query
