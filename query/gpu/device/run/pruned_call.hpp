// Plans of one call that the pruned search runs, in all segments: in batches that fit the buffers,
// several of them in flight.
#pragma once

#include <span>
#include <vector>

#include "query/gpu/device/run/pruned_packer.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

/// Plans by segment.
using PlansBySegment = std::vector<std::vector<std::size_t>>;

/// A batch searches as many segments together as SegmentViews takes; more of them one such group
/// after the other, since the scores that plans have reached let them skip more in the next one.
class PrunedCall {
 public:
  PrunedCall(const PrunedPlaces& places, PrunedPath path, const BoundPlans& plans,
             std::span<PartialResult> results, Report& report);

  /// Runs plans that are scored alike, given by their numbers, in the segments of these numbers;
  /// merges what they give into their results. Returns, for all segments of the index, those that
  /// must be run there in another way: nothing was done for them.
  PlansBySegment run(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);

 private:
  void close_all(std::span<const std::size_t> chosen) const;
  void look_up_filters(std::size_t segment, std::span<const std::size_t> chosen);
  PrunedPlace place_of(std::span<const std::size_t>& segments,
                       std::span<const std::size_t> chosen) const;
  std::vector<std::size_t> run_in(const PrunedPlace& place, std::span<const std::size_t> chosen);
  void tell();
  void finish(PrunedRun& run, SubBatch& batch, std::vector<std::size_t>& others);

  const PrunedPlaces& places_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  std::span<PartialResult> results_;
  Report& report_;
  /// Plans that are finished, and of which nobody was told.
  std::vector<std::size_t> found_;
};

}  // namespace gannet::query::cuda
