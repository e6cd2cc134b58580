// The one definition of scores, for both processors.
//
// A score is float32. Every operation is rounded separately (codecs/core/rounding.hpp).
// Contributions are added with rounded_add() in the order of the plan's terms; the first one is
// added to 0. So both back ends give equal bits. base/concepts.hpp defines what a scorer is,
// all.hpp lists the scorers. All functions are pure and thread-safe.
#pragma once

#include <cstdint>

#include "query/scoring/all.hpp"
#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/scorer_spec.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

/// Constants that all contributions of a plan share. The spec must have no scorer_problem().
PlanConstants plan_constants(const ScorerSpec& spec, const CollectionStatistics& collection);

/// Constants for the contributions of one term. The spec must have no scorer_problem(). `weight`:
/// the weight of the term in the query, kMinWeight .. kMaxWeight (plan.hpp), or 0, which gives
/// constants of 0.
TermConstants term_constants(const ScorerSpec& spec, const CollectionStatistics& collection,
                             const TermStatistics& term, float weight);

/// Constants with which every contribution of frequency 1 is exactly `weight`, whatever the length;
/// `weight` as term_constants() takes it. 0 gives term constants of 0.
ConstantScore constant_score(ScorerId scorer, float weight);

/// The contribution of one posting to the score of its document: > 0 if the term's weight is not 0.
/// `frequency`: of the term in the document, >= 1, or the impact; `length`: of the document's text,
/// in tokens. Costs O(1).
GANNET_HD float contribution(const PlanConstants& plan, const TermConstants& term,
                             std::uint32_t frequency, std::uint32_t length) {
  float value = 0;
  with_scorer<AllScorers>(
      plan.scorer, [&]<class S>() { value = S::contribution(plan, term, frequency, length); });
  return value;
}

}  // namespace gannet::query
