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
  return {std::nullopt,
          top && plan.k() == 0,
          plan.words().empty() && lists > tuning::most_bounded_terms(plan.scorer().id),
          same_scoring(plan, first),
          !plan.filter().is_all(),
          plan.filter() == first.filter(),
          top && plan.has_unions(),
          !top && !plan.predicates().empty(),
          plan.want(),
          top ? std::bit_ceil(std::min(plan.k(), 1u << 31)) : 0,
          static_cast<std::uint32_t>(lists)};
}

namespace {

/// Whether the pruned search takes a plan in all segments together, and so in some of them.
bool is_bounded(const BoundPlans& plans, std::size_t plan, std::size_t segments) {
  const Plan& asked = plans.plan(plan);
  if (pruned_path(asked, count_lists(asked)) == PrunedPath::kBounds) return true;
  std::vector<std::span<const index::TermId>> ids;
  for (std::size_t s = 0; s < segments; ++s) ids.push_back(plans.ids(plan, s));
  return pruned_path(asked, ids) == PrunedPath::kBounds;
}

}  // namespace

std::optional<HostReason> reason_for_host(const BoundPlans& plans, std::size_t plan, bool pruned,
                                          std::span<const DeviceSegment> segments,
                                          const DeviceShape& shape) {
  const Plan& asked = plans.plan(plan);
  if (asked.want() != Want::kTopK) return std::nullopt;
  if (const auto reason = host_reason(asked, pruned)) return reason;
  // Exhaustive kernels and windows add up lists, not words.
  if (!asked.words().empty() && asked.k() > 0) {
    return is_bounded(plans, plan, segments.size()) ? std::nullopt
                                                    : std::optional(HostReason::kWords);
  }
  const auto terms = static_cast<std::uint32_t>(asked.terms().size());
  if (runs_on_device(asked, terms, shape)) return std::nullopt;
  const auto runs = [&](std::size_t s) {
    return runs_on_device({&asked, plans.ids(plan, s)}, shape);
  };
  for (std::size_t s = 0; s < segments.size(); ++s) {
    if (runs(s)) continue;
    const bool plain = asked.disjunction() || asked.conjunction();
    return plain ? HostReason::kManyTerms : HostReason::kExpressionTerms;
  }
  return std::nullopt;
}

}  // namespace gannet::query::cuda
