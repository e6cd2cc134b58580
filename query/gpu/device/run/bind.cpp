#include "query/gpu/device/run/bind.hpp"

#include <boost/container/static_vector.hpp>

#include "query/gpu/plan/assign.hpp"

namespace gannet::query::cuda {

std::optional<PlanBinding> PlanBinder::bind(std::size_t plan, PlanSlice& slice) const {
  if (path_of(plan) != path_) return std::nullopt;
  const std::size_t missing_before = slice.missing.size();
  if (slice.lists.size() < max_terms(plan)) slice.lists.resize(max_terms(plan));
  slice.bindings.clear();
  for (std::size_t at = 0; at < segments_.numbers.size(); ++at) {
    slice.bindings.push_back(bind_part(plan, at, slice));
  }
  if (slice.missing.size() != missing_before) return std::nullopt;
  return PlanBinding{&plans_.plan(plan), slice.bindings, reached(plan),
                     static_cast<std::uint32_t>(plan), segments_.shared.has(plan)};
}

/// Calls f(table, segment, id) for the lists of plans, but for those of unions.
template <class F>
void PlanBinder::for_lists(std::span<const std::size_t> plans, F f) const {
  for (const std::size_t plan : plans) {
    for (const std::size_t segment : segments_.numbers) {
      const ListStatsTable& stats = stats_of(segment, segments_.call.filters.of(segment, plan));
      const std::size_t terms = segments_.call.segments[segment].copy->lists().size();
      for (const index::TermId id : plans_.ids(plan, segment)) {
        if (id < terms) f(stats, segment, id);
      }
    }
  }
}

void PlanBinder::prefetch(std::span<const std::size_t> plans) const {
  for_lists(plans, [&](const ListStatsTable& stats, std::size_t segment, index::TermId id) {
    stats.prefetch(id);
    __builtin_prefetch(&segments_.call.segments[segment].copy->lists()[id]);
  });
  for_lists(plans, [](const ListStatsTable& stats, std::size_t, index::TermId id) {
    constexpr std::size_t kLine = 64;
    const auto* const value = reinterpret_cast<const char*>(stats.find(id));
    if (value == nullptr) return;
    for (std::size_t at = 0; at < sizeof(ListStats); at += kLine) __builtin_prefetch(value + at);
  });
}

/// The path that a plan takes, by how many of its terms the segments have together.
std::optional<PrunedPath> PlanBinder::path_of(std::size_t plan) const {
  const Plan& searched = plans_.plan(plan);
  const auto path = pruned_path(searched, segments_.call.traits[plan].lists);
  if (path == PrunedPath::kBounds) return path;  // fewer lists take this path too
  boost::container::static_vector<std::span<const index::TermId>, kMaxBatchSegments> ids;
  for (const std::size_t segment : segments_.numbers) ids.push_back(plans_.ids(plan, segment));
  return pruned_path(searched, {ids.data(), ids.size()});
}

/// A plan in the segment that is searched as number `at`. Statistics go into slice.lists, lists
/// without statistics into slice.missing.
PartBinding PlanBinder::bind_part(std::size_t plan, std::size_t at, PlanSlice& slice) const {
  const std::size_t segment = segments_.numbers[at];
  const auto ids = plans_.ids(plan, segment);
  const DeviceFilter* const filter = segments_.call.filters.of(segment, plan);
  if (matches_nothing({&plans_.plan(plan), ids}) || (filter != nullptr && filter->none())) {
    return {};
  }
  ListStatsTable& stats = stats_of(segment, filter);
  const auto lists = std::span(slice.lists).subspan(at * ids.size(), ids.size());
  const DeviceIndex& copy = *segments_.call.segments[segment].copy;
  PartBinding part{ids, lists, copy.lists(), &copy.texts(),
                   segments_.call.unions.of(segment, plan)};
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const PlacedUnion* const placed = part.union_of(t);
    const index::TermId id = placed != nullptr ? placed->number : ids[t];
    lists[t] = id == kNoTerm ? nullptr : stats.find(id);
    if (lists[t] != nullptr || id == kNoTerm) continue;
    slice.missing.push_back(
        {&stats, id, &plans_.plan(plan), t, placed != nullptr ? &placed->place : nullptr});
  }
  part.filtered = stats.filter() != nullptr;
  if (filter == nullptr) return part;
  part.filter = filter->view();
  if (part.filtered) return part;
  // Documents that the filter lets pass are live if the plan asks for that; else not all of them
  // may have ranks.
  const std::uint64_t ranked = plans_.plan(plan).live() ? stats.counted() : stats.documents();
  part.held_back = ranked - filter->passing();
  return part;
}

/// The statistics among the documents that pass the filter, if the call has them, or else among
/// all.
ListStatsTable& PlanBinder::stats_of(std::size_t segment, const DeviceFilter* filter) const {
  if (filter != nullptr) {
    for (const auto& stats : segments_.call.runs.filtered[segment]) {
      if (stats->filter().get() == filter) return *stats;
    }
  }
  return segments_.call.list_stats[segment]->all;
}

/// A score that k documents of other segments have, or 0.
float PlanBinder::reached(std::size_t plan) const {
  const auto& keys = results_[plan].keys;
  const std::uint32_t k = plans_.plan(plan).k();
  return keys.size() < k ? 0 : hit_of(keys[k - 1]).score;
}

}  // namespace gannet::query::cuda
