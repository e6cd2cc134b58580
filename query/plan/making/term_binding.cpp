#include "query/plan/term_binding.hpp"

#include <algorithm>

#include "codecs/base/cancellation.hpp"
#include "query/plan/making/plan_ranges.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {
namespace {

/// So many plans are bound sooner than other threads wake up.
constexpr std::size_t kPlansPerRange = 1024;

}  // namespace

TermBinding::TermBinding(std::span<const std::string> keys, const index::Index& index)
    : segments_(index.segment_list()), terms_(keys.size()) {
  ids_.reserve(segments_->size() * terms_);
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
  if (segments_ == nullptr || wanted.size() > segments_->size()) return std::nullopt;
  if (wanted.empty()) return 0;
  const auto first = std::ranges::find_if(
      *segments_, [&](const auto& segment) { return same(segment, wanted.front()); });
  const auto at = static_cast<std::size_t>(first - segments_->begin());
  if (segments_->size() - at < wanted.size()) return std::nullopt;
  const bool equal =
      std::equal(wanted.begin(), wanted.end(), first,
                 [&](const auto& one, const auto& other) { return same(other, one); });
  return equal ? std::optional(at) : std::nullopt;
}

BoundPlans::BoundPlans(std::span<const Plan> plans, const index::Index& index,
                       const std::stop_token& stop, const PlanShare& share)
    : plans_(plans), share_(share), bindings_(plans.size()) {
  for_plan_ranges(plans.size(), kPlansPerRange, [&](std::size_t begin, std::size_t end) {
    throw_if_stopped(stop);
    bind(begin, end, index);
  });
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (bindings_[i].binding != nullptr || !share_.has(i)) continue;
    throw_if_stopped(stop);
    std::vector<std::string> keys;
    for (const PlanTerm& term : plans[i].terms()) keys.push_back(term.key());
    bindings_[i] = {&made_.emplace_back(keys, index), 0};
  }
}

/// Binds those plans that are bound to the index already.
void BoundPlans::bind(std::size_t begin, std::size_t end, const index::Index& index) {
  // Plans of a batch are mostly of one index: comparing segments for each would take longer than
  // all else that is done with a plan before it is searched.
  const index::SegmentList* last = nullptr;
  std::optional<std::size_t> first;
  for (std::size_t i = begin; i < end; ++i) {
    if (!share_.has(i)) continue;
    const TermBinding& binding = plans_[i].binding();
    if (binding.segments() != last || last == nullptr) {
      last = binding.segments();
      first = binding.first_of(index);
    }
    if (first) bindings_[i] = {&binding, *first};
  }
}

const Plan& BoundPlans::plan(std::size_t i) const { return plans_[i]; }

}  // namespace gannet::query
