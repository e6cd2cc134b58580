#include "query/device/plan_look.hpp"

#include <algorithm>
#include <bit>

#include "query/device/pruned/knowledge/knowledge_cache.hpp"
#include "query/device/pruned/tuning.hpp"

namespace gannet::query::cuda {

PlanLook look_at(const Plan& plan, const Plan& first) {
  const bool top = plan.want() == Want::kTopK;
  return {true,
          top && plan.k() == 0,
          plan.terms().size() > tuning::most_bounded_terms(plan.scorer().id),
          same_scoring(plan, first),
          !plan.filter().is_all(),
          plan.want(),
          top ? std::bit_ceil(std::min(plan.k(), 1u << 31)) : 0,
          static_cast<std::uint32_t>(plan.terms().size())};
}

}  // namespace gannet::query::cuda
