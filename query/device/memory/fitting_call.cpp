#include "query/device/memory/fitting_call.hpp"

#include <algorithm>
#include <iterator>

#include "query/device/pruned/exchange/shared_score_memory.hpp"
#include "query/filter/parts_by_filter.hpp"
#include "query/memory/split_until_fits.hpp"

namespace gannet::query::cuda {
namespace {

/// Filters that take no more together are made without a look at what there is.
constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 20;

}  // namespace

FittingCall::FittingCall(const FittingPlaces& places, const BoundPlans& plans,
                         std::span<const PlanLook> looks, const CallOptions& options,
                         std::span<PartialResult> results, Report& report)
    : places_(places),
      plans_(plans),
      looks_(looks),
      options_(options),
      results_(results),
      report_(report),
      told_(plans.size(), 0) {
  if (!options.found) return;
  found_ = [this](std::span<const std::size_t> some) {
    for (const std::size_t plan : some) told_[plan] = 1;
    options_.found(some);
  };
}

std::vector<std::size_t> FittingCall::run(std::span<const std::size_t> chosen) {
  const auto run_some = [&](std::span<const std::size_t> plans, unsigned depth) {
    run_part(plans, depth);
  };
  const auto failed = [&](std::span<const std::size_t> plans) { forget(plans); };
  const auto give_up = [&](std::span<const std::size_t> plans) {
    leave(unfinished(plans), HostReason::kDeviceMemory);
  };
  const auto all = parts(chosen);
  for (const std::vector<std::size_t>& part : all) {
    report_.memory.splits +=
        split_until_fits(std::span<const std::size_t>(part), run_some, failed, give_up);
    if (all.size() > 1) places_.filters.trim();
  }
  std::ranges::sort(for_host_);
  return std::move(for_host_);
}

/// Different filters of a call whose bitmaps are on the device at the same time: those that there
/// is room for, if they do not take more than half of what there is.
std::size_t FittingCall::filters_at_once(std::size_t different) const {
  std::uint64_t bytes = 0;  // of one
  for (const DeviceSegment& segment : places_.device.segments) {
    bytes += DeviceFilter::bytes_for(segment.copy->view().documents);
  }
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (different <= kFewBytes / bytes) return different;
  const MemoryBudget& budget = device_budget(places_.device.number);
  const std::uint64_t there = budget.available() + budget.state().used_by(MemoryUse::kFilters);
  const std::uint64_t room = std::min(std::max(places_.filter_bytes, there / 4), there / 2);
  return std::max<std::size_t>(1, room / bytes);
}

std::vector<std::vector<std::size_t>> FittingCall::parts(
    std::span<const std::size_t> chosen) const {
  const auto filtered =
      std::ranges::count_if(chosen, [&](std::size_t i) { return looks_[i].filtered; });
  if (filtered == 0) return {{chosen.begin(), chosen.end()}};
  const auto filter_of = [&](std::size_t i) {
    return looks_[i].filtered ? &plans_.plan(i).filter() : nullptr;
  };
  return parts_by_filter(chosen, filter_of, filters_at_once(static_cast<std::size_t>(filtered)));
}

/// Those of which the caller was not told yet.
std::vector<std::size_t> FittingCall::unfinished(std::span<const std::size_t> plans) const {
  std::vector<std::size_t> some;
  std::ranges::copy_if(plans, std::back_inserter(some),
                       [&](std::size_t plan) { return told_[plan] == 0; });
  return some;
}

void FittingCall::run_part(std::span<const std::size_t> plans, unsigned depth) {
  const std::vector<std::size_t> some = unfinished(plans);
  if (some.empty()) return;
  std::vector<std::size_t> filtered;
  std::ranges::copy_if(some, std::back_inserter(filtered),
                       [&](std::size_t i) { return looks_[i].filtered; });
  // Made before, and gone after, the context whose batches read them.
  const CallFilters filters(places_.filters, plans_, filtered, places_.device.segments.size(),
                            places_.arena, options_.stop);
  const std::uint64_t pool = places_.pool.get();
  ContextLease runs(places_.contexts, options_.stop);
  try {
    run_with(runs, std::max(pool >> depth, std::min(pool, BatchBytes::kLeast)), filters, some,
             depth);
  } catch (const DeviceMemoryError&) {
    if (depth == 0) places_.pool.failed(pool);  // smaller parts have less anyway
    runs.discard();  // what it has is for the next attempt, which takes less
    throw;
  }
  places_.pool.found();
  std::erase_if(filtered, [&](std::size_t i) { return std::ranges::binary_search(for_host_, i); });
  count(filters, filtered);
}

void FittingCall::run_with(const ContextLease& runs, std::uint64_t pool, const CallFilters& filters,
                           std::span<const std::size_t> plans, unsigned depth) {
  // Other shards are told once of a plan; forget() has said that they need not wait.
  const CallOptions how{options_.stop, found_, depth == 0 ? options_.shared : SharedScores{}};
  const std::vector<std::size_t> left =
      DeviceCall(places_.device, pool, runs, places_.arena, places_.knowledge, filters, plans_,
                 looks_, how, results_, report_)
          .run(plans);
  leave(left, HostReason::kUnprunedFilter);
}

/// Nothing is found of plans that were not finished; they are run again.
void FittingCall::forget(std::span<const std::size_t> plans) {
  for (const std::size_t plan : unfinished(plans)) {
    results_[plan] = PartialResult{};
    close(options_.shared, plan);
  }
}

void FittingCall::leave(std::span<const std::size_t> plans, HostReason reason) {
  for (const std::size_t plan : plans) results_[plan] = PartialResult{};
  report_.host_plans.add(reason, plans.size());
  for_host_.insert(for_host_.end(), plans.begin(), plans.end());
  std::ranges::sort(for_host_);
}

/// What the filters of those plans that ran on the device let pass.
void FittingCall::count(const CallFilters& filters, std::span<const std::size_t> filtered) {
  for (std::size_t s = 0; s < places_.device.segments.size(); ++s) {
    for (const std::size_t i : filtered) {
      const DeviceFilter& filter = *filters.of(s, i);
      report_.filter.documents += places_.device.segments[s].segment->statistics().documents;
      report_.filter.estimated += filter.estimated();
      report_.filter.passing += filter.passing();
    }
  }
}

}  // namespace gannet::query::cuda
