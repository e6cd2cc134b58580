// Bounds of scores as whole numbers of 16 bits, which add up quickly. They are rounded up. Host
// code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>

namespace gannet::query::cuda {

/// The bound of a scored term of a plan, in all segments where the plan is searched.
struct TermBound {
  /// No contribution is larger; > 0.
  double max = 0;
  /// Some segment has the list's bounds as codes, of which kTopCode stands for the largest
  /// contribution there.
  bool has_codes = false;
  /// Some segment has whole numbers instead.
  bool has_numbers = false;
};

/// Sums of a query's bounds are at most this.
inline constexpr std::uint32_t kMaxBound = 65'000;

/// A scale with which the bounds of any document's terms, weight_of() each, add up to at least
/// scale * score, and to no more than kMaxBound. Of the scales of which this is true, one with
/// little rounding. 1 to kMaxPrunedTerms terms, whose `max` add up to a number within
/// 1e-25 .. 1e30. Thread-safe. Takes about 32 * terms steps.
double choose_scale(std::span<const TermBound> terms);

/// PrunedTerm::weight of a term in a segment where no contribution is larger than `max`.
std::uint32_t weight_of(double max, bool has_codes, double scale);

}  // namespace gannet::query::cuda
