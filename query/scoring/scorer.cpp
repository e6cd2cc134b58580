#include "query/scoring/scorer.hpp"

namespace gannet::query {

PlanConstants plan_constants(const ScorerSpec& spec, const CollectionStatistics& collection) {
  PlanConstants constants;
  with_scorer<AllScorers>(
      spec.id, [&]<class S>() { constants = S::plan_constants(spec.values, collection); });
  return constants;
}

TermConstants term_constants(const ScorerSpec& spec, const CollectionStatistics& collection,
                             const TermStatistics& term, float weight) {
  TermConstants constants;
  if (weight == 0) return constants;
  with_scorer<AllScorers>(spec.id, [&]<class S>() {
    constants = S::term_constants(spec.values, collection, term, weight);
  });
  return constants;
}

}  // namespace gannet::query
