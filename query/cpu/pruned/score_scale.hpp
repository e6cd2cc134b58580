// Scores as whole numbers of 16 bits, so that sums of bounds are quick to make: never too low.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query/cpu/pruned/pruned_term.hpp"

namespace gannet::query {

/// How bounds of one query become whole numbers.
///
/// A bound is rounded to a whole number, but never to 0, so a sum over n terms is less than n below
/// `scale` times the score that it bounds; the limit that sums are compared with is lower by as
/// much. It is lower, too, by what float32 can round: a score is the result of fewer than n + 8
/// operations more than the bounds were made with.
///
/// Of up to kFewTerms terms the smallest weight is 256, with which products of codes are quickest
/// to round down; each may then take 256 more than its share. Of more terms that would be all there
/// is: they have smaller weights, and such are rounded up.
class ScoreScale {
 public:
  static constexpr std::uint32_t kFewTerms = 100;
  /// Most terms: of what 16 bits hold, rounding takes a quarter.
  static constexpr std::uint32_t kMaxTerms = 4096;

  /// For scores of at most `terms` terms, no more than kMaxTerms, whose largest contributions add
  /// up to no more than `sum` (> 0).
  ScoreScale(double sum, std::size_t terms);

  /// Sets the weight of a term with bounds. Needs its `largest`.
  void weigh(PrunedTerm& term) const;

  float scale() const { return static_cast<float>(scale_); }
  /// No score is larger.
  float ceiling() const { return ceiling_; }

  /// The lowest sum of bounds that a score >= threshold can have, 1 .. 65535.
  std::uint32_t limit(float threshold) const;

 private:
  double scale_ = 0;
  double terms_ = 0;
  double least_weight_ = 0;
  float ceiling_ = 0;
};

}  // namespace gannet::query
