#include "query/gpu/device/run/plan_traits.hpp"

#include <algorithm>
#include <bit>

#include "query/gpu/device/list_stats/list_stats_cache.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

PlanTraits traits_of(const Plan& plan, const Plan& first) {
  const bool top = plan.want() == Want::kTopK;
  return {std::nullopt,
          top && plan.k() == 0,
          plan.terms().size() > tuning::most_bounded_terms(plan.scorer().id),
          same_scoring(plan, first),
          !plan.filter().is_all(),
          plan.want(),
          top ? std::bit_ceil(std::min(plan.k(), 1u << 31)) : 0,
          static_cast<std::uint32_t>(plan.terms().size())};
}

std::optional<HostReason> reason_for_host(const BoundPlans& plans, std::size_t plan, bool pruned,
                                          std::span<const DeviceSegment> segments,
                                          const DeviceShape& shape) {
  const Plan& asked = plans.plan(plan);
  if (asked.want() != Want::kTopK) return std::nullopt;
  if (const auto reason = host_reason(asked, pruned)) return reason;
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
