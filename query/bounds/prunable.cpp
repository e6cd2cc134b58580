#include "query/bounds/prunable.hpp"

#include <algorithm>
#include <vector>

#include "query/plan/making/expression.hpp"

namespace gannet::query {

namespace {

/// Of which terms documents get a score: by number.
std::vector<bool> scored_terms(const Plan& plan) {
  std::vector<bool> scored;
  for (const PlanTerm& term : plan.terms()) scored.push_back(plan.words().empty() && term.scored());
  for (const QueryWord& word : plan.words()) {
    for (const WordTerm& term : word.terms) scored[term.term] = true;
  }
  return scored;
}

/// Contributions of texts with less weight could be rounded to 0, and their documents missed.
bool has_light_text(const Plan& plan) {
  const auto is_light = [](const WordTerm& term) { return term.weight < kMinWeight; };
  return std::ranges::any_of(plan.words(), [&](const QueryWord& word) {
    return std::ranges::any_of(word.terms, is_light);
  });
}

}  // namespace

bool can_prune(const Plan& plan) {
  if (plan.want() != Want::kTopK || plan.expression().empty()) return false;
  if (plan.words().empty() && (plan.disjunction() || plan.conjunction())) return true;
  if (has_light_text(plan)) return false;
  const std::vector<bool> scored = scored_terms(plan);
  // Documents of a disjunction match by their scores.
  const bool all_scored = std::ranges::find(scored, false) == scored.end();
  if (plan.disjunction()) return all_scored;
  // Terms without a score may be there or not, each by itself.
  return !can_hold(plan.expression(), [&](std::uint32_t term) {
    return scored[term] ? PossibleStack::kFalse : PossibleStack::kEither;
  });
}

}  // namespace gannet::query
