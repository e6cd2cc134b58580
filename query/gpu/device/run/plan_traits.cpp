#include "query/gpu/device/run/plan_traits.hpp"

#include <algorithm>
#include <bit>

#include "query/bounds/word_lists.hpp"
#include "query/gpu/device/list_stats/list_stats_cache.hpp"
#include "query/gpu/plan/pruned/pruned_path.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

PlanTraits traits_of(const Plan& plan, const Plan& first) {
  const bool top = plan.want() == Want::kTopK;
  const std::size_t lists = plan.words().empty() ? plan.terms().size() : count_lists(plan);
  return {top && plan.k() == 0,
          plan.words().empty() && lists > tuning::most_bounded_terms(plan.scorer().id),
          same_scoring(plan, first),
          !plan.filter().is_all(),
          plan.filter() == first.filter(),
          (top && plan.has_unions()) || plan.has_phrases(),
          !plan.predicates().empty(),
          pruned_path(plan, lists) == PrunedPath::kBounds,
          plan.want(),
          top ? std::bit_ceil(std::min(plan.k(), 1u << 31)) : 0,
          static_cast<std::uint32_t>(lists)};
}

}  // namespace gannet::query::cuda
