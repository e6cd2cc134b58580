// Scores as whole numbers of 16 bits, so that bounds add up quickly: never too low.
#pragma once

#include <cstdint>
#include <span>

namespace gannet::query::cuda {

/// A scored term of a query, and what becomes of it.
struct ScaledTerm {
  /// No contribution is larger; > 0.
  double largest;
  /// Its bounds are codes, 255 of which stand for `largest`; else whole numbers by themselves.
  bool has_codes;
  /// PrunedTerm::weight.
  std::uint32_t weight = 0;
};

/// Sums of bounds are at most this.
inline constexpr std::uint32_t kLargestBound = 65'000;

/// Sets the weights and returns the scale: with it, the bounds of a document's terms add up to at
/// least scale * score, and to no more than kLargestBound. Of the scales of which that is true one
/// with little rounding is taken. 1 to kMaxPrunedTerms terms, whose `largest` add up to a number
/// within 1e-25 .. 1e30.
float scale_terms(std::span<ScaledTerm> terms);

}  // namespace gannet::query::cuda
