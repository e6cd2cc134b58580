#include "query/gpu/device/unions/call_unions.hpp"

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/plan/making/plan_ranges.hpp"
#include "query/postings/union_segment.hpp"

namespace gannet::query::cuda {

/// Unions that are on the device are found by all threads; those that are not are copied by the
/// calling one, whose device is current.
CallUnions::CallUnions(DeviceUnions& unions, const BoundPlans& plans,
                       std::span<const std::size_t> chosen, std::size_t segments,
                       tbb::task_arena& arena, const std::stop_token& stop) {
  if (chosen.empty()) return;
  numbers_.resize(plans.size());
  of_plans_.resize(chosen.size());
  const auto find = [&](std::size_t begin, std::size_t end) {
    throw_if_stopped(stop);
    for (std::size_t i = begin; i != end; ++i) {
      numbers_[chosen[i]] = static_cast<std::uint32_t>(i + 1);
      place(plans, chosen[i], segments, of_plans_[i],
            [&](std::size_t segment, const auto& list) { return unions.find(segment, *list); });
    }
  };
  arena.execute([&] { for_plan_ranges(chosen.size(), kPlansPerTask, find); });
  bool short_of_memory = false;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (of_plans_[i].complete) continue;
    throw_if_stopped(stop);
    try {
      if (!short_of_memory) {
        place(plans, chosen[i], segments, of_plans_[i],
              [&](std::size_t segment, const auto& list) { return unions.of(segment, list); });
        continue;
      }
    } catch (const DeviceMemoryError&) {
      short_of_memory = true;
    }
    of_plans_[i] = {};
    without_memory_.push_back(chosen[i]);
  }
}

/// Places the unions of a plan that `find` has.
template <class Find>
void CallUnions::place(const BoundPlans& plans, std::size_t plan, std::size_t segments,
                       OfPlan& some, Find find) {
  some = {};
  some.terms = plans.plan(plan).terms().size();
  some.placed.resize(segments * some.terms);
  for (std::size_t s = 0; s < segments; ++s) {
    const auto* const view = dynamic_cast<const UnionSegment*>(&plans.segment(plan, s));
    if (view == nullptr) continue;  // the segment has at most one word of each union
    const auto ids = plans.ids(plan, s);
    for (std::size_t t = 0; t < ids.size(); ++t) {
      const auto list = view->share_made(ids[t]);
      if (list == nullptr) continue;
      const auto found = find(s, list);
      some.complete = some.complete && found != nullptr;
      if (found == nullptr) continue;
      some.placed[s * some.terms + t] = found->placed();
      some.held.push_back(found);
    }
  }
}

}  // namespace gannet::query::cuda
