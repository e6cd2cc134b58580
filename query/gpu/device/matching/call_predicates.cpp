#include "query/gpu/device/matching/call_predicates.hpp"

namespace gannet::query::cuda {

CallPredicates::CallPredicates(DeviceFilters& filters, const BoundPlans& plans,
                               std::span<const std::size_t> chosen, std::size_t segments,
                               tbb::task_arena& arena, const std::stop_token& stop)
    : by_segment_(segments) {
  for (const std::size_t i : chosen) {
    const Plan& plan = plans.plan(i);
    if (plan.predicates().empty()) continue;
    for (std::size_t s = 0; s < segments; ++s) {
      Pointers& pointers = by_segment_[s][i];
      for (const Filter& predicate : plan.predicates()) {
        pointers.push_back(filters.of(s, predicate, arena, stop));
      }
    }
  }
}

}  // namespace gannet::query::cuda
