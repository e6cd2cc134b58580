#include "query/gpu/plan/pruned/pruned_path.hpp"

#include <algorithm>

#include "query/bounds/prunable.hpp"
#include "query/bounds/word_lists.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

std::optional<PrunedPath> pruned_path(const Plan& plan, std::size_t present) {
  if (!can_prune(plan) || plan.k() > tuning::kMaxPrunedHits) return std::nullopt;
  // Windows add up lists, not words.
  const bool windows = plan.disjunction() && plan.words().empty() && present <= kMaxWindowTerms;
  if (windows && present > tuning::most_bounded_terms(plan.scorer().id)) {
    return PrunedPath::kWindows;
  }
  if (present <= kMaxPrunedTerms) return PrunedPath::kBounds;
  return std::nullopt;
}

std::optional<PrunedPath> pruned_path(const Plan& plan,
                                      std::span<const std::span<const index::TermId>> ids) {
  const auto is_present = [&](std::uint32_t t) {
    const auto has = [t](std::span<const index::TermId> segment) { return segment[t] != kNoTerm; };
    return std::ranges::any_of(ids, has);
  };
  return pruned_path(plan, count_lists(plan, is_present));
}

}  // namespace gannet::query::cuda
