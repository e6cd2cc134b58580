// The second step of packing: what a plan's scores can be at most, and what k documents reach for
// certain, by the statistics of its lists. Host code; needs no GPU.
#pragma once

#include <boost/container/small_vector.hpp>

#include <optional>

#include "query/gpu/plan/pruned/integer_scale.hpp"
#include "query/gpu/plan/pruned/plan_binding.hpp"

namespace gannet::query::cuda {

/// Bounds of a plan's scores, as floating-point numbers.
struct PlanBounds {
  /// One per scored term that some segment has. Most plans need no allocation.
  boost::container::small_vector<TermBound, 16> terms;
  /// No score is larger; > 0.
  double sum = 0;
  /// A score that at least k documents have, or 0: what the threshold begins with.
  float start = 0;
};

/// How much a contribution can be above or below its weight times the contribution at weight 1, by
/// rounding: what scorers promise, and more.
inline constexpr double kWeightMargin = 4e-6;

/// No contribution of the term is larger in the list.
inline double max_contribution(const PlanTerm& term, const ListStats& list) {
  return double{term.weight} * list.largest * (1 + kWeightMargin);
}

/// Bounds of a plan; nothing if the statistics of a list are of other statistics of its term, or if
/// the bounds leave the range in which float32 can scale scores (1e-25 .. 1e30).
/// Thread-safe. Takes terms * segments steps, and some more for the terms of several segments.
std::optional<PlanBounds> bound_plan(const PlanBinding& binding);

}  // namespace gannet::query::cuda
