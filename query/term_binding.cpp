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
  StopCheck check_stop;
  for (const auto& segment : index.segments()) {
    for (const std::string& key : keys) {
      check_stop();
      ids_.push_back(segment->find(key).value_or(kNoTerm));
    }
  }
}

std::optional<std::size_t> TermBinding::first_of(const index::Index& index) const {
  const auto same = [](const auto& mine, const auto& theirs) {
    return !mine.owner_before(theirs) && !theirs.owner_before(mine);
  };
  const auto& wanted = index.segments();
  if (!bound_ || wanted.size() > segments_.size()) return std::nullopt;
  if (wanted.empty()) return 0;
  const auto first = std::ranges::find_if(
      segments_, [&](const auto& segment) { return same(segment, wanted.front()); });
  const auto at = static_cast<std::size_t>(first - segments_.begin());
  if (segments_.size() - at < wanted.size()) return std::nullopt;
  const bool equal =
      std::equal(wanted.begin(), wanted.end(), first,
                 [&](const auto& one, const auto& other) { return same(other, one); });
  return equal ? std::optional(at) : std::nullopt;
}

BoundPlans::BoundPlans(std::span<const Plan> plans, const index::Index& index,
                       const std::stop_token& stop)
    : plans_(plans) {
  bindings_.reserve(plans.size());
  for (const Plan& plan : plans) {
    throw_if_stopped(stop);
    if (const auto first = plan.binding().first_of(index)) {
      bindings_.push_back({&plan.binding(), *first});
    } else {
      std::vector<std::string> keys;
      for (const PlanTerm& term : plan.terms()) keys.push_back(term.key());
      bindings_.push_back({&made_.emplace_back(keys, index), 0});
    }
  }
}

const Plan& BoundPlans::plan(std::size_t i) const { return plans_[i]; }

}  // namespace gannet::query
