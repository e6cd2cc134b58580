// The exact sum of doubles, whatever their order, rounded once.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "query/columns/counting/whole_number.hpp"

namespace gannet::query {

/// Adds up finite doubles without rounding: significands are added as whole numbers, those of each
/// exponent apart. Room for 2^70 values. So a sum does not depend on threads or segments.
class ExactSum {
 public:
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<std::size_t>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const auto significand =
        static_cast<std::int64_t>(exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52);
    // Subnormal numbers are whole multiples of the same power as those of exponent 1.
    sums_[exponent == 0 ? 1 : exponent] += (bits >> 63) != 0 ? -significand : significand;
  }

  void add(const ExactSum& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }

  /// The double nearest to the sum, of two equally near ones the even one; infinite if it is beyond
  /// the largest double.
  double rounded() const;

 private:
  /// [e]: times 2^(e - 1075).
  std::array<Int128, 2047> sums_{};
};

}  // namespace gannet::query
