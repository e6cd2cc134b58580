#include "query/gpu/device/run/bind.hpp"

#include <boost/container/static_vector.hpp>

#include "query/bounds/word_lists.hpp"
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
  const auto locations = copy.split() != nullptr ? copy.lists() : std::span<const DeviceList>();
  PartBinding part{ids, lists, locations, &copy.texts(), segments_.call.unions.of(segment, plan)};
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const PlacedUnion* const placed = part.union_of(t);
    const ListKey key{placed != nullptr ? placed->number : ids[t],
                      unit_statistics(plans_.plan(plan), static_cast<std::uint32_t>(t))};
    lists[t] = key.id == kNoTerm ? nullptr : stats.find(key);
    if (lists[t] != nullptr || key.id == kNoTerm) continue;
    slice.missing.push_back(
        {&stats, key, &plans_.plan(plan), t, placed != nullptr ? &placed->place : nullptr});
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
