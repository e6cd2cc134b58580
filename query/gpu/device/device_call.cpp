#include "query/gpu/device/device_call.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/gpu/plan/tuning.hpp"

namespace gannet::query::cuda {

DeviceCall::DeviceCall(const Device& device, const MatchContext& matching, const ContextLease& runs,
                       ListStatsCache* list_stats, DeviceFilters& filters, const CallUnions& unions,
                       const BoundPlans& plans, std::span<const PlanTraits> traits,
                       const CallOptions& options, std::span<PartialResult> results, Report& report)
    : device_(device),
      matching_(matching),
      pool_(matching.pool),
      runs_(runs),
      arena_(matching.arena),
      list_stats_(list_stats),
      filters_(matching.filters),
      device_filters_(filters),
      unions_(unions),
      plans_(plans),
      traits_(traits),
      options_(options),
      results_(results),
      report_(report) {}

void DeviceCall::run(std::span<const std::size_t> chosen) {
  for (const Group& each : group(chosen)) run_group(each);
}

std::vector<DeviceCall::Group> DeviceCall::group(std::span<const std::size_t> chosen) const {
  std::vector<Group> groups;
  std::size_t last = 0;  // neighbours are mostly of one group
  for (const std::size_t i : chosen) {
    const PlanTraits& traits = traits_[i];
    const auto is_its = [&](const Group& g) { return g.size == traits.size; };
    if (groups.empty() || !is_its(groups[last])) {
      last = static_cast<std::size_t>(std::ranges::find_if(groups, is_its) - groups.begin());
      if (last == groups.size()) groups.push_back({traits.size, {}});
    }
    groups[last].members.push_back(i);
  }
  return groups;
}

void DeviceCall::run_group(const Group& group) {
  if (list_stats_ != nullptr) return run_pruned(group.members);
  for (segment_ = 0; segment_ < device_.segments.size(); ++segment_) {
    run_unpruned(matching(group.members));
  }
}

/// Runs plans in the current segment without the pruned search.
void DeviceCall::run_unpruned(std::vector<std::size_t> plans) {
  const auto by_windows =
      std::ranges::stable_partition(plans, [&](std::size_t i) { return !is_for_windows(i); });
  for (const std::size_t i : by_windows) close(options_.shared, i);
  RankCall(matching_, device_filters_, unions_, runs_.ranked(), plans_, results_, report_)
      .run({by_windows.begin(), by_windows.end()}, segment_);
  plans.erase(by_windows.begin(), by_windows.end());
  run_exhaustive(plans);
}

/// Whether the exhaustive kernels cannot run a plan: they have neither bitmaps nor lists of unions,
/// and add up lists, not words.
bool DeviceCall::is_for_windows(std::size_t plan) const {
  const Plan& asked = plans_.plan(plan);
  return traits_[plan].predicates || traits_[plan].filtered || traits_[plan].unions ||
         !asked.words().empty() || !runs_on_device(bound(plan), device_.shape);
}

/// Runs plans by the pruned search, and exhaustively where it cannot run them.
void DeviceCall::run_pruned(std::span<const std::size_t> members) {
  // PlanBinder finds the path of a plan, in parallel. Here plans are only kept from a path that
  // they certainly do not take.
  std::vector<std::size_t> few, many, neither;
  for (const std::size_t i : members) {
    const bool by_windows = device_.windows && traits_[i].many_terms;
    (traits_[i].predicates ? neither : by_windows ? many : few).push_back(i);
    if (by_windows) close(options_.shared, i);
  }
  std::vector<std::size_t> segments(device_.segments.size());
  std::iota(segments.begin(), segments.end(), std::size_t{0});
  const PlansBySegment not_by_windows = run_path(PrunedPath::kWindows, many, segments);
  PlansBySegment others = run_path(PrunedPath::kBounds, few, segments);
  for (std::size_t first = 0, end = 0; first < segments.size(); first = end) {
    // Segments in which the same plans are left are searched together.
    while (end < segments.size() && not_by_windows[end] == not_by_windows[first]) ++end;
    const auto some = std::span(segments).subspan(first, end - first);
    const PlansBySegment left = run_path(PrunedPath::kBounds, not_by_windows[first], some);
    for (const std::size_t s : some) {
      others[s].insert(others[s].end(), left[s].begin(), left[s].end());
    }
  }
  for (const std::size_t s : segments) {
    segment_ = s;
    others[s].insert(others[s].end(), neither.begin(), neither.end());
    run_unpruned(matching(others[s]));
  }
}

/// Runs plans in some segments; returns those that must be run in another way, by segment.
PlansBySegment DeviceCall::run_path(PrunedPath path, std::span<const std::size_t> plans,
                                    std::span<const std::size_t> segments) {
  PlansBySegment others(device_.segments.size());
  while (!plans.empty()) {
    const auto end =
        std::ranges::find_if_not(plans, [&](std::size_t i) { return alike(plans.front(), i); });
    const auto some = plans.first(static_cast<std::size_t>(end - plans.begin()));
    auto& list_stats = runs_.pruned().list_stats;
    list_stats = list_stats_->of(plans_.plan(some.front()), device_.segments, options_.stop);
    const PrunedContext context{device_.segments, *list_stats, filters_,  unions_, runs_.pruned(),
                                arena_,           traits_,     pool_ / 2, options_};
    const PlansBySegment left =
        PrunedCall(context, path, plans_, results_, report_).run(some, segments);
    for (const std::size_t s : segments) {
      others[s].insert(others[s].end(), left[s].begin(), left[s].end());
    }
    plans = plans.subspan(some.size());
  }
  return others;
}

/// Whether list statistics of one plan are valid for the other.
bool DeviceCall::alike(std::size_t a, std::size_t b) const {
  if (traits_[a].like_first || traits_[b].like_first) {
    return traits_[a].like_first == traits_[b].like_first;
  }
  return same_scoring(plans_.plan(a), plans_.plan(b));
}

/// The plans that may match a document of the segment.
std::vector<std::size_t> DeviceCall::matching(std::span<const std::size_t> plans) const {
  std::vector<std::size_t> some;
  std::ranges::copy_if(plans, std::back_inserter(some), [&](std::size_t i) {
    const DeviceFilter* const filter = filters_.of(segment_, i);
    return !matches_nothing(bound(i)) && !(filter != nullptr && filter->none());
  });
  return some;
}

/// Packs as many of the first of `waiting` as fit into the pool, at least one, and takes them away.
DeviceCall::SubBatch DeviceCall::assign_some(std::span<const std::size_t>& waiting) const {
  throw_if_stopped(options_.stop);
  std::vector<SegmentPlan> plans;
  for (const std::size_t i : waiting.first(std::min(waiting.size(), tuning::kSubBatch))) {
    plans.push_back(bound(i));
  }
  SubBatch batch;
  for (;; plans.resize(std::max<std::size_t>(1, plans.size() / 2))) {
    batch.assignment = assign(*segment().segment, segment().copy->places(), device_.shape, plans,
                              segment().docid_base);
    const std::uint64_t bytes = BatchRun::key_bytes(batch.assignment);
    if (plans.size() == 1 || bytes <= pool_ / 8) break;
  }
  for (const std::size_t i : waiting.first(plans.size())) {
    batch.targets.push_back({&results_[i], plans_.plan(i).k()});
  }
  waiting = waiting.subspan(plans.size());
  return batch;
}

/// Warps whose candidates fit into an eighth of the pool; at least 2, at most twice what the device
/// runs at a time.
std::uint32_t DeviceCall::max_warps(const Assignment& assignment) const {
  const std::uint64_t bytes = std::uint64_t{assignment.capacity} * sizeof(std::uint64_t);
  const std::uint64_t fitting = std::max<std::uint64_t>(2, pool_ / 8 / bytes);
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(fitting, std::uint64_t{2} * device_.shape.parallel_items));
}

void DeviceCall::run_exhaustive(std::span<const std::size_t> waiting) {
  std::array<SubBatch, 2> in_flight;
  std::size_t next = 0;
  while (!waiting.empty()) {
    finish(next, in_flight[next]);
    SubBatch& batch = in_flight[next] = assign_some(waiting);
    runs_[next].start_top_k(segment().copy->view(), batch.assignment, max_warps(batch.assignment));
    next = 1 - next;
  }
  finish(next, in_flight[next]);
  finish(1 - next, in_flight[1 - next]);
}

void DeviceCall::finish(std::size_t run, SubBatch& batch) {
  if (batch.targets.empty()) return;
  // Waits outside of the arena, whose threads other calls may need.
  add(runs_[run].wait());
  const Sink sink{batch.targets, segment().docid_base};
  arena_.execute([&] { runs_[run].unpack_top_k(batch.assignment, sink); });
  batch.targets.clear();
}

void DeviceCall::add(const BatchCounters& counters) {
  report_.tiles_decoded += counters.tiles_decoded;
  report_.device_seconds += counters.device_seconds;
}

}  // namespace gannet::query::cuda
