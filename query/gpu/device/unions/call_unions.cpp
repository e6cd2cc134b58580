#include "query/gpu/device/unions/call_unions.hpp"

#include "query/postings/union_segment.hpp"

namespace gannet::query::cuda {

CallUnions::CallUnions(DeviceUnions& unions, const BoundPlans& plans,
                       std::span<const std::size_t> chosen, std::size_t segments) {
  for (const std::size_t plan : chosen) {
    if (!plans.plan(plan).has_unions()) continue;
    auto& by_segment = by_plan_[plan];
    by_segment.resize(segments);
    for (std::size_t s = 0; s < segments; ++s) {
      const auto* const view = dynamic_cast<const UnionSegment*>(&plans.segment(plan, s));
      if (view == nullptr) continue;  // at most one word of each union is there
      const auto ids = plans.ids(plan, s);
      by_segment[s].resize(ids.size());
      for (std::size_t t = 0; t < ids.size(); ++t) {
        const auto list = view->share_union(ids[t]);
        if (list == nullptr) continue;
        held_.push_back(unions.of(s, list));
        by_segment[s][t] = held_.back()->placed();
      }
    }
  }
}

}  // namespace gannet::query::cuda
