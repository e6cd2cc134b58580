#include "query/gpu/device/fitting_call.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "query/filter/parts_by_filter.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/memory/run_with_headroom.hpp"
#include "query/memory/split_until_fits.hpp"

namespace gannet::query::cuda {
namespace {

/// Filters that take no more bytes together are made without asking how much memory is free.
constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 20;

}  // namespace

FittingCall::FittingCall(const FittingContext& context, const BoundPlans& plans,
                         std::span<const PlanTraits> traits, const CallOptions& options,
                         std::span<PartialResult> results, Report& report)
    : context_(context),
      plans_(plans),
      traits_(traits),
      options_(options),
      results_(results),
      report_(report),
      told_(plans.size(), 0) {
  if (!options.found) return;
  found_ = [this](std::span<const std::size_t> some) {
    for (const std::size_t plan : some) told_[plan] = 1;
    any_told_ = true;
    options_.found(some);
  };
}

std::vector<std::size_t> FittingCall::run(std::span<const std::size_t> chosen) {
  choose_filters(chosen);
  const std::vector<std::vector<std::size_t>> cut = parts(chosen);
  if (cut.empty()) run_fitting(chosen);
  for (const std::vector<std::size_t>& part : cut) {
    run_fitting(part);
    context_.filters.trim();
  }
  while (!later_.empty()) {
    told_shards_ = true;
    std::ranges::sort(later_);
    run_fitting(std::exchange(later_, {}));
  }
  return std::move(for_host_);
}

void FittingCall::run_fitting(std::span<const std::size_t> plans) {
  const auto failed = [&](std::span<const std::size_t> some) { forget(some); };
  const auto run_some = [&](std::span<const std::size_t> some, unsigned depth) {
    run_with_headroom(
        context_.budget, [&](bool again) { run_part(some, depth, again || depth > 0); },
        [&] { failed(some); });
  };
  const auto give_up = [&](std::span<const std::size_t> some) {
    leave(unfinished(some), HostReason::kDeviceMemory);
  };
  report_.memory.splits += split_until_fits(plans, run_some, failed, give_up);
}

/// Decides which filters get bitmaps.
void FittingCall::choose_filters(std::span<const std::size_t> chosen) {
  std::vector<FilteredPlan> plans;
  for (const std::size_t i : chosen) {
    const PlanTraits& traits = traits_[i];
    if (!traits.filtered) continue;
    const bool by_bounds = context_.list_stats != nullptr && traits.want == Want::kTopK &&
                           traits.by_bounds && !traits.many_terms && !traits.predicates;
    plans.push_back({i, by_bounds, traits.filtered_as_first});
  }
  if (plans.empty()) return;
  choices_.emplace(context_.filters, plans_, plans, context_.candidate_filters, context_.arena,
                   options_.stop);
}

/// How many different filters of a call have their bitmaps on the device at the same time: as many
/// as fit into the memory that is kept for filters, which is not allocated anew for each part, if
/// all calls together take no more than half of the free memory.
std::size_t FittingCall::filters_at_once(std::size_t different) const {
  std::uint64_t bytes = 0;  // of one
  for (const DeviceSegment& segment : context_.device.segments) {
    bytes += DeviceFilter::bytes_for(segment.copy->view().documents);
  }
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (different <= kFewBytes / bytes) return different;
  const std::uint64_t there =
      context_.budget.available() + context_.budget.state().used_by(MemoryUse::kFilters);
  const std::uint64_t room = room_for_filters(there, context_.filter_bytes, context_.calls);
  const std::uint64_t kept = std::max(context_.filter_bytes, kFewBytes);
  return std::max<std::size_t>(1, std::min(room, kept) / bytes);
}

/// The plans in parts whose bitmaps fit together. Empty: all plans are one part.
std::vector<std::vector<std::size_t>> FittingCall::parts(
    std::span<const std::size_t> chosen) const {
  const std::size_t different = choices_ ? choices_->bitmaps() : 0;
  if (different <= 1) return {};
  const auto filter_of = [this](std::size_t i) {
    const bool bitmap = traits_[i].filtered && !choices_->of(i).on_candidates;
    return bitmap ? choices_->of(i).filter : nullptr;
  };
  const std::size_t most = filters_at_once(different);
  if (different <= most) return {};
  return parts_by_filter(chosen, filter_of, most);
}

/// The plans of which the caller was not told yet.
std::vector<std::size_t> FittingCall::unfinished(std::span<const std::size_t> plans) const {
  std::vector<std::size_t> some;
  std::ranges::copy_if(plans, std::back_inserter(some),
                       [&](std::size_t plan) { return told_[plan] == 0; });
  return some;
}

/// The plans that have a trait.
std::vector<std::size_t> FittingCall::with(bool PlanTraits::*trait,
                                           std::span<const std::size_t> plans) const {
  std::vector<std::size_t> some;
  std::ranges::copy_if(plans, std::back_inserter(some),
                       [&](std::size_t i) { return traits_[i].*trait; });
  return some;
}

/// Runs a part. `again`: it was tried before.
void FittingCall::run_part(std::span<const std::size_t> plans, unsigned depth, bool again) {
  std::vector<std::size_t> rest, later;
  if (any_told_) plans = rest = unfinished(plans);
  if (plans.empty()) return;
  // Filled when the context is there: a call that waits for one keeps no memory from the others.
  CallInputs inputs;
  const std::uint64_t pool = context_.pool.get();
  ContextLease runs(context_.contexts, options_.stop);
  Report done;  // what attempts did that failed is not counted
  bool placed = false;
  try {
    const std::size_t segments = context_.device.segments.size();
    if (choices_) {
      inputs.filters = CallFilters(context_.filters, *choices_, with(&PlanTraits::filtered, plans),
                                   segments, context_.arena, options_.stop);
    }
    inputs.unions = CallUnions(context_.unions, plans_, with(&PlanTraits::unions, plans), segments,
                               context_.arena, options_.stop);
    placed = true;
    if (!inputs.unions.without_memory().empty()) {
      std::vector<std::size_t> others(plans.begin(), plans.end());
      later = take_later(inputs.unions, others);
      rest = std::move(others);
      plans = rest;
    }
    // Other shards are told once of a plan: that they need not wait, if it is run again or later.
    const SharedScores shared = again || told_shards_ ? SharedScores{} : options_.shared;
    const CallOptions how{options_.stop, found_, shared, options_.exhaustive, again || depth > 0};
    run_with(runs, std::max(pool >> depth, std::min(pool, BatchBytes::kMin)), inputs, plans, how,
             done);
  } catch (const DeviceMemoryError&) {
    // Smaller parts have less anyway, and filters and unions take nothing of the pool.
    if (!again && placed) context_.pool.failed(pool);
    report_.bounds_seconds += done.bounds_seconds;  // what it found out is kept
    runs.discard();  // what it has is for the next attempt, which takes less
    throw;
  }
  context_.pool.found();
  report_.add_part(done);
  count(inputs.filters, plans);
  const bool none_has_room = later.size() == inputs.unions.plans();
  if (none_has_room) return leave(later, HostReason::kDeviceMemory);
  later_.insert(later_.end(), later.begin(), later.end());
}

/// Takes the plans away whose unions found no memory.
std::vector<std::size_t> FittingCall::take_later(const CallUnions& unions,
                                                 std::vector<std::size_t>& plans) const {
  const auto without = unions.without_memory();
  for (const std::size_t plan : without) close(options_.shared, plan);
  std::erase_if(plans, [&](std::size_t i) { return std::ranges::binary_search(without, i); });
  return {without.begin(), without.end()};
}

void FittingCall::run_with(const ContextLease& runs, std::uint64_t pool, CallInputs& inputs,
                           std::span<const std::size_t> plans, const CallOptions& how,
                           Report& done) {
  const std::vector<std::size_t> with_predicates = with(&PlanTraits::predicates, plans);
  if (!with_predicates.empty()) {
    inputs.predicates =
        CallPredicates(context_.filters, plans_, with_predicates, context_.device.segments.size(),
                       context_.arena, options_.stop);
  }
  // Bitmaps of lists may be what has taken the memory.
  if (how.little_memory) context_.kept_lists.give_back();
  const bool uses_kept = !how.exhaustive && !how.little_memory;
  const MatchContext matching{context_.device.segments,
                              context_.device.shape,
                              pool,
                              uses_kept ? &context_.kept_lists : nullptr,
                              how.exhaustive,
                              inputs.filters,
                              inputs.predicates,
                              inputs.unions,
                              context_.arena,
                              options_.stop};
  const auto wants_hits = [this](std::size_t i) { return traits_[i].want == Want::kTopK; };
  std::vector<std::size_t> ranked;
  if (!std::ranges::all_of(plans, wants_hits)) {
    ranked = run_matching(matching, runs, plans, done);
    plans = ranked;
  }
  DeviceCall(context_.device, matching, runs, context_.list_stats, context_.filters, inputs.unions,
             plans_, traits_, how, results_, done)
      .run(plans);
}

/// Runs the plans that want counts or docids. Returns the others.
std::vector<std::size_t> FittingCall::run_matching(const MatchContext& context,
                                                   const ContextLease& runs,
                                                   std::span<const std::size_t> plans,
                                                   Report& done) {
  std::vector<std::size_t> ranked, counts, docids;
  for (const std::size_t i : plans) {
    const Want want = traits_[i].want;
    (want == Want::kTopK ? ranked : want == Want::kCount ? counts : docids).push_back(i);
  }
  MatchCall call(context, runs.matching(), plans_, results_, done);
  if (!counts.empty()) call.run(counts, false);
  if (!docids.empty()) call.run(docids, true);
  return ranked;
}

/// Drops the results of plans that were not finished, which are run again.
void FittingCall::forget(std::span<const std::size_t> plans) {
  for (const std::size_t plan : unfinished(plans)) {
    results_[plan] = PartialResult{};
    close(options_.shared, plan);
  }
}

void FittingCall::leave(std::span<const std::size_t> plans, HostReason reason) {
  if (plans.empty()) return;
  for (const std::size_t plan : plans) results_[plan] = PartialResult{};
  report_.host_plans.add(reason, plans.size());
  for_host_.insert(for_host_.end(), plans.begin(), plans.end());
  std::ranges::sort(for_host_);
}

/// Adds up the documents that pass the filters of the plans that ran on the device, as far as they
/// are counted.
void FittingCall::count(const CallFilters& filters, std::span<const std::size_t> plans) {
  if (filters.none()) return;
  std::vector<std::size_t> here;
  if (!for_host_.empty()) {
    std::ranges::copy_if(plans, std::back_inserter(here),
                         [&](std::size_t i) { return !std::ranges::binary_search(for_host_, i); });
    plans = here;
  }
  const std::vector<std::uint64_t> searches = filters.uses(plans);
  for (std::size_t s = 0; s < context_.device.segments.size(); ++s) {
    const std::uint64_t documents = context_.device.segments[s].segment->statistics().documents;
    for (std::uint32_t number = 0; number < searches.size(); ++number) {
      if (searches[number] == 0) continue;
      const DeviceFilter& filter = *filters.share(s, number);
      if (!filter.counted()) {
        report_.filter.on_candidates += searches[number];
        continue;
      }
      report_.filter.documents += searches[number] * documents;
      report_.filter.estimated += searches[number] * filter.estimated();
      report_.filter.passing += searches[number] * filter.passing();
    }
  }
}

}  // namespace gannet::query::cuda
