// The first step of packing: a plan's lists and filter are looked up in the segments where the plan
// is searched.
#pragma once

#include <optional>
#include <span>

#include "query/backend/partial_result.hpp"
#include "query/gpu/device/run/pruned_context.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// Binds plans to segments. Refers to its arguments. Any number of threads may bind plans, each
/// with its own slice.
class PlanBinder {
 public:
  /// `results`: by plan, as they are so far.
  PlanBinder(const SegmentSet& segments, PrunedPath path, const BoundPlans& plans,
             std::span<const PartialResult> results)
      : segments_(segments), path_(path), plans_(plans), results_(results) {}

  /// The plan's lists and filters in the segments. Refers to the slice, until it is used for the
  /// next plan. Nothing if the plan takes another path, or if lists have no statistics yet: these
  /// are appended to `slice.missing`. Takes one look-up per term and segment.
  std::optional<PlanBinding> bind(std::size_t plan, PlanSlice& slice) const;

  /// Entries for the lists of a plan in all segments, at most.
  std::size_t max_terms(std::size_t plan) const {
    return segments_.call.traits[plan].lists * segments_.numbers.size();
  }

 private:
  std::optional<PrunedPath> path_of(std::size_t plan) const;
  PartBinding bind_part(std::size_t plan, std::size_t at, PlanSlice& slice) const;
  ListStatsTable& stats_of(std::size_t segment, const DeviceFilter* filter) const;
  float reached(std::size_t plan) const;

  const SegmentSet& segments_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  const std::span<const PartialResult> results_;
};

}  // namespace gannet::query::cuda
