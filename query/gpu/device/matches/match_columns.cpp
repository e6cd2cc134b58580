#include "query/gpu/device/matches/match_columns.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"

namespace gannet::query::cuda {
namespace {

using PassLease = BoundedPool<ColumnPassContext>::Lease;

/// If work ends by an exception, waits for what is queued, and frees the context's memory.
class Abandoner {
 public:
  explicit Abandoner(PassLease& context) : context_(&context) {}
  ~Abandoner() {
    if (context_ == nullptr) return;
    (*context_)->pass.abandon();
    context_->discard();
  }
  Abandoner(const Abandoner&) = delete;
  Abandoner& operator=(const Abandoner&) = delete;
  void done() { context_ = nullptr; }

 private:
  PassLease* context_;
};

bool lacks(const SegmentFields& fields) { return !fields.reasons.none(); }

}  // namespace

ColumnPassContexts::ColumnPassContexts(MemoryBudget& budget)
    : pool_(kPlans, [] { return std::make_unique<ColumnPassContext>(); }),
      owner_(budget, MemoryUse::kBatches, [this](std::uint64_t) { return pool_.reclaim(); }) {}

MatchColumns::MatchColumns(const Parts& parts, const ColumnWork& work, const std::stop_token& stop)
    : parts_(parts), work_(work), stop_(stop) {
  for (const DeviceSegment& segment : parts_.segments) {
    fields_.push_back(SegmentFields::of(*segment.segment, work_, parts_.columns.fields(),
                                        parts_.contexts.repeated(), parts_.arena, stop_));
  }
  // Who looks at the matches of one segment looks at those of all.
  work_.matches = work_.matches || std::ranges::any_of(fields_, lacks);
}

FilterPointers MatchColumns::filters_of(const Plan& plan, std::size_t segment) const {
  FilterPointers pointers;
  for (const Filter& predicate : plan.predicates()) {
    pointers.push_back(parts_.filters.of(segment, predicate, parts_.arena, stop_));
  }
  if (!plan.filter().is_all()) {
    pointers.push_back(parts_.filters.of(segment, plan.filter(), parts_.arena, stop_));
  }
  return pointers;
}

ColumnFindings MatchColumns::look(const BoundPlans& plans, std::size_t number) const {
  ColumnFindings findings;
  for (std::size_t s = 0; s < fields_.size(); ++s) {
    findings.push_back(look(plans, number, s, fields_[s], work_));
  }
  const auto unknown = [](const SegmentFindings& one) { return !one.reasons.none(); };
  if (work_.matches || std::ranges::none_of(findings, unknown)) return findings;
  const ColumnWork rest{.matches = true};
  for (std::size_t s = 0; s < fields_.size(); ++s) {
    if (unknown(findings[s])) continue;  // they are there
    findings[s].matches = look(plans, number, s, {}, rest).matches;
  }
  return findings;
}

SegmentFindings MatchColumns::look(const BoundPlans& plans, std::size_t number, std::size_t segment,
                                   const SegmentFields& fields, const ColumnWork& work) const {
  throw_if_stopped(stop_);
  const StopScope scope(stop_);  // for filters that are bound and lists that are checked
  const Plan& plan = plans.plan(number);
  const FilterPointers filters = filters_of(plan, segment);
  PassLease context = parts_.contexts.pool().acquire(stop_);
  Abandoner abandoner(context);
  const std::uint64_t most = push_matches(
      {plan, plans.ids(number, segment), parts_.segments[segment], filters}, context->stack);
  SegmentFindings findings =
      context->pass.run(fields, work, {context->stack.top(), context->stack.documents(), most});
  abandoner.done();
  return findings;
}

}  // namespace gannet::query::cuda
