#include "query/gpu/plan/pruned/pruned_path.hpp"

#include <algorithm>

#include "query/bounds/prunable.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

std::optional<PrunedPath> pruned_path(const Plan& plan, std::size_t present) {
  if (!can_prune(plan) || plan.k() > tuning::kMaxPrunedHits) return std::nullopt;
  if (!plan.words().empty()) return std::nullopt;  // the host's (host_plans.hpp)
  const bool windows = plan.disjunction() && present <= kMaxWindowTerms;
  if (windows && present > tuning::most_bounded_terms(plan.scorer().id)) {
    return PrunedPath::kWindows;
  }
  if (present <= kMaxPrunedTerms) return PrunedPath::kBounds;
  return std::nullopt;
}

std::optional<PrunedPath> pruned_path(const Plan& plan,
                                      std::span<const std::span<const index::TermId>> ids) {
  std::size_t present = 0;
  for (std::size_t t = 0; t < plan.terms().size(); ++t) {
    const auto has = [t](std::span<const index::TermId> segment) { return segment[t] != kNoTerm; };
    present += std::ranges::any_of(ids, has) ? 1 : 0;
  }
  return pruned_path(plan, present);
}

}  // namespace gannet::query::cuda
