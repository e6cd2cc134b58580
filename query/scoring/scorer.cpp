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

ConstantScore constant_score(ScorerId scorer, float weight) {
  ConstantScore made;
  // A term that is not scored has the constants of its plan, too.
  with_scorer<AllScorers>(
      scorer, [&]<class S>() { made = S::constant_score(weight == 0 ? 1.0f : weight); });
  if (weight == 0) made.term = {};
  return made;
}

}  // namespace gannet::query
