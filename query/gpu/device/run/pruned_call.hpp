// Plans of one call that the pruned search runs: in batches that fit the buffers, several of them
// in flight.
#pragma once

#include <span>
#include <vector>

#include "query/gpu/device/run/pruned_packer.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

/// Plans by segment.
using PlansBySegment = std::vector<std::vector<std::size_t>>;

/// Runs plans by one path of the pruned search. A batch searches as many segments together as
/// SegmentViews takes. More segments are searched one set after the other: the scores that plans
/// have reached in one set let them skip more in the next one. Not thread-safe; uses the arena's
/// threads.
class PrunedCall {
 public:
  /// Refers to all of its arguments.
  PrunedCall(const PrunedContext& context, PrunedPath path, const BoundPlans& plans,
             std::span<PartialResult> results, Report& report);

  /// Runs plans that are scored alike, given by their numbers, in the segments of these numbers,
  /// and merges what they find into their results. Returns, for all segments of the index, the
  /// plans that must be run there in another way: nothing was done for them. Waits for the device.
  /// Throws CancelledError, FormatError for a damaged list, DeviceMemoryError; batches may be in
  /// flight then, which PrunedRun::abandon() ends.
  PlansBySegment run(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);

 private:
  void close_all(std::span<const std::size_t> chosen) const;
  void find_filtered_stats(std::span<const std::size_t> segments,
                           std::span<const std::size_t> chosen);
  SegmentSet next_segments(std::span<const std::size_t>& segments,
                           std::span<const std::size_t> chosen) const;
  std::vector<std::size_t> run_in(const SegmentSet& segments, std::span<const std::size_t> chosen);
  void tell();
  void finish(PrunedRun& run, SubBatch& batch, std::vector<std::size_t>& others);

  const PrunedContext& context_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  std::span<PartialResult> results_;
  Report& report_;
  /// Plans that are finished, and of which the caller was not told yet.
  std::vector<std::size_t> found_;
};

}  // namespace gannet::query::cuda
