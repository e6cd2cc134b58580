// Scores as whole numbers of 16 bits, so that bounds add up quickly: never too low.
#pragma once

#include <cstdint>
#include <span>

namespace gannet::query::cuda {

/// A scored term of a query, in all segments where it is searched.
struct ScaledTerm {
  /// No contribution is larger; > 0.
  double largest = 0;
  /// Some segment has its bounds as codes, 255 of which stand for the largest contribution there.
  bool has_codes = false;
  /// Some segment has whole numbers instead.
  bool has_numbers = false;
};

/// Sums of bounds are at most this.
inline constexpr std::uint32_t kMaxBound = 65'000;

/// A scale with which the bounds of any document's terms, weight_of() each, add up to at least
/// scale * score, and to no more than kMaxBound. Of the scales of which that is true one with
/// little rounding. 1 to kMaxPrunedTerms terms, whose `largest` add up to a number within
/// 1e-25 .. 1e30.
double scale_of(std::span<const ScaledTerm> terms);

/// PrunedTerm::weight of a term in a segment where no contribution is larger than `largest`.
std::uint32_t weight_of(double largest, bool has_codes, double scale);

}  // namespace gannet::query::cuda
