// The exact sum of doubles, whatever their order, rounded once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/columns/counting/whole_number.hpp"

namespace gannet::query {

/// Adds up finite doubles without rounding: significands are added as whole numbers, those of each
/// exponent apart. Room for 2^70 values. So a sum does not depend on threads or segments. Values of
/// few exponents take little memory.
class ExactSum {
 public:
  void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<std::size_t>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const auto significand =
        static_cast<std::int64_t>(exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52);
    // Subnormal numbers are whole multiples of the same power as those of exponent 1.
    sum_of(exponent == 0 ? 1 : exponent) += (bits >> 63) != 0 ? -significand : significand;
  }

  /// Adds number * 2^exponent; the exponent is at least -1074.
  void add(std::int64_t number, int exponent) {
    sum_of(static_cast<std::size_t>(exponent + 1075)) += number;
  }

  void add(const ExactSum& other) {
    for (std::size_t i = 0; i < other.sums_.size(); ++i) sum_of(other.first_ + i) += other.sums_[i];
  }

  /// The double nearest to the sum, of two equally near ones the even one; infinite if it is beyond
  /// the largest double.
  double rounded() const;

 private:
  Int128& sum_of(std::size_t exponent) {
    if (exponent - first_ >= sums_.size()) make_room(exponent);
    return sums_[exponent - first_];
  }
  void make_room(std::size_t exponent);

  /// [i]: times 2^(first_ + i - 1075).
  std::vector<Int128> sums_;
  std::size_t first_ = 0;
};

}  // namespace gannet::query
