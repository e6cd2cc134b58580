// One of the threads that run a call of the pruned search.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/device/pruned/pruned_packer.hpp"

namespace gannet::query::cuda {

/// The stream and the buffers of a lane.
struct LaneBuffers {
  PrunedRun run;
  std::vector<PreparedSlice> slices;
};

/// What the lanes of a call share. They write nothing but results of their own plans.
struct PrunedWork {
  PrunedPath path;
  const BoundPlans& plans;
  std::span<PartialResult> results;  ///< by plan
  std::vector<PrunedPlace> places;   ///< in the order of the segments
};

/// Plans by segment.
using PlansBySegment = std::vector<std::vector<std::size_t>>;

/// Takes parts of a call's plans through the segments, one after the other, since the scores that a
/// part has reached let it skip more in the next one. Not thread-safe, and waits for the device:
/// each lane has a thread of its own, whose current device is that of the segments' copies.
class PrunedLane {
 public:
  /// All arguments must outlive it.
  PrunedLane(const PrunedWork& work, LaneBuffers& buffers, const std::stop_token& stop);
  // Its packers refer to its report.
  PrunedLane(const PrunedLane&) = delete;
  PrunedLane& operator=(const PrunedLane&) = delete;

  /// Runs plans, by their numbers; merges what they give into their results.
  void search(std::span<const std::size_t> part);

  /// What it did so far: times and counters.
  const Report& report() const { return report_; }
  /// By number in PrunedWork::places, the plans that must be run there in another way: nothing was
  /// done for them.
  const PlansBySegment& others() const { return others_; }

 private:
  void search_in(std::size_t place, std::span<const std::size_t> part);
  void finish(const PrunedPlace& place, const SubBatch& batch, std::vector<std::size_t>& others);

  const PrunedWork& work_;
  PrunedRun& run_;
  Report report_;
  PlansBySegment others_;
  std::vector<PrunedPacker> packers_;  ///< one a place
};

}  // namespace gannet::query::cuda
