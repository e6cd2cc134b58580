// Scoring, the one canonical way of computing it on both processors.
//
// A score is float32; every operation is rounded on its own (codecs/core/rounding.hpp), and
// contributions are added with rounded_add() in the order of the plan's terms, the first one to 0.
// So both back ends give the same bits. concepts.hpp says what a scorer is, all.hpp which there
// are.
#pragma once

#include <cstdint>

#include "query/scoring/all.hpp"
#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/scorer_spec.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

/// What all contributions of a plan are computed from. The spec must have no scorer_problem().
PlanConstants plan_constants(const ScorerSpec& spec, const CollectionStatistics& collection);

/// What the contributions of one term are computed from. `weight`: the query's, 0 (then all
/// constants are 0) or from kMinWeight to kMaxWeight (plan.hpp).
TermConstants term_constants(const ScorerSpec& spec, const CollectionStatistics& collection,
                             const TermStatistics& term, float weight);

/// What one posting adds to its document's score: > 0. `frequency`: >= 1; `length`: of the
/// document, in tokens.
GANNET_HD float contribution(const PlanConstants& plan, const TermConstants& term,
                             std::uint32_t frequency, std::uint32_t length) {
  float value = 0;
  with_scorer<AllScorers>(
      plan.scorer, [&]<class S>() { value = S::contribution(plan, term, frequency, length); });
  return value;
}

}  // namespace gannet::query
