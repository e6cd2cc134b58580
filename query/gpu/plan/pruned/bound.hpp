// The second step of packing: what a plan's scores can be at most, and what k documents reach for
// certain, by the statistics of its lists. Host code; needs no GPU.
#pragma once

#include <boost/container/small_vector.hpp>

#include <optional>

#include "query/bounds/word_lists.hpp"
#include "query/gpu/plan/pruned/integer_scale.hpp"
#include "query/gpu/plan/pruned/plan_binding.hpp"

namespace gannet::query::cuda {

/// Bounds of a plan's scores, as floating-point numbers.
struct PlanBounds {
  /// Of BM25F: word_lists() of the plan.
  WordLists words;
  /// One per scored list that some segment has. Most plans need no allocation.
  boost::container::small_vector<TermBound, 16> terms;
  /// No score is larger; > 0.
  double sum = 0;
  /// A score that at least k documents have, or 0: what the threshold begins with.
  float start = 0;
};

/// How much a contribution can be above or below its weight times the contribution at weight 1, by
/// rounding: what scorers promise, and more.
inline constexpr double kWeightMargin = 4e-6;

/// No contribution is larger in the list, if none is more than `multiple` times that at weight 1.
inline double max_contribution(double multiple, const ListStats& list) {
  return multiple * list.largest * (1 + kWeightMargin);
}
/// No contribution of the list of a word is larger. Needs statistics of words.
inline double max_contribution(const WordList& word, const ListStats& list) {
  return max_contribution(word.contribution.multiple_of(list.unit)->most, list);
}

/// Bounds of a plan; nothing if the statistics of a list are of other statistics of its term, or if
/// the bounds leave the range in which float32 can scale scores (1e-25 .. 1e30).
/// Thread-safe. Takes terms * segments steps, and some more for the terms of several segments.
std::optional<PlanBounds> bound_plan(const PlanBinding& binding);

}  // namespace gannet::query::cuda
