#include "query/term_binding.hpp"

#include <algorithm>

#include "codecs/core/cancellation.hpp"
#include "query/plan.hpp"

namespace gannet::query {

TermBinding::TermBinding(std::span<const std::string> keys, const index::Index& index)
    : segments_(index.segments().begin(), index.segments().end()),
      terms_(keys.size()),
      bound_(true) {
  ids_.reserve(segments_.size() * terms_);
  for (const auto& segment : index.segments()) {
    for (const std::string& key : keys) ids_.push_back(segment->find(key).value_or(kNoTerm));
  }
}

bool TermBinding::belongs_to(const index::Index& index) const {
  const auto same = [](const auto& mine, const auto& theirs) {
    return !mine.owner_before(theirs) && !theirs.owner_before(mine);
  };
  return bound_ && std::ranges::equal(segments_, index.segments(), same);
}

BoundPlans::BoundPlans(std::span<const Plan> plans, const index::Index& index,
                       const std::stop_token& stop)
    : plans_(plans) {
  bindings_.reserve(plans.size());
  for (const Plan& plan : plans) {
    throw_if_stopped(stop);
    if (plan.binding().belongs_to(index)) {
      bindings_.push_back(&plan.binding());
    } else {
      std::vector<std::string> keys;
      for (const PlanTerm& term : plan.terms()) keys.push_back(term.key());
      bindings_.push_back(&made_.emplace_back(keys, index));
    }
  }
}

const Plan& BoundPlans::plan(std::size_t i) const { return plans_[i]; }

}  // namespace gannet::query
