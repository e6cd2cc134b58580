#include "query/bounds/prunable.hpp"

#include "query/plan/making/expression.hpp"

namespace gannet::query {

bool can_prune(const Plan& plan) {
  if (plan.want() != Want::kTopK || plan.expression().empty() || !plan.words().empty())
    return false;
  if (plan.disjunction() || plan.conjunction()) return true;
  // Terms without a score may be there or not, each by itself.
  return !can_hold(plan.expression(), [&](std::uint32_t term) {
    return plan.terms()[term].scored() ? PossibleStack::kFalse : PossibleStack::kEither;
  });
}

}  // namespace gannet::query
