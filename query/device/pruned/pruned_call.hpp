// Plans of one call that the pruned search runs, in all segments: in parts, several at a time.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "query/device/pruned/pruned_lane.hpp"
#include "query/device/pruned/tuning.hpp"

namespace gannet::query::cuda {

/// The streams and buffers of one call. They are kept from call to call, as new memory costs more
/// than what is written to it.
struct PrunedRuns {
  std::array<LaneBuffers, tuning::kMostLanes> lanes;
  /// By segment, what is known of lists among what filters of the call let pass: kept until its
  /// kernels, also those of a call that failed, have ended.
  std::vector<std::vector<std::shared_ptr<ListKnowledge>>> filtered;
};

/// Where plans are run, and with what.
struct PrunedPlaces {
  int device;  ///< its number
  std::span<const DeviceSegment> segments;
  KnowledgeCache::Segments& knowledge;  ///< by segment
  const CallFilters& filters;
  PrunedRuns& runs;
  /// Threads that pack plans and unpack results.
  tbb::task_arena& arena;
  /// Device memory for all batches in flight.
  std::uint64_t bytes;
};

/// Plans are cut into parts, which lanes take one after the other: while one waits for the device,
/// another one packs plans or merges hits.
class PrunedCall {
 public:
  PrunedCall(const PrunedPlaces& places, PrunedPath path, const BoundPlans& plans,
             const std::stop_token& stop, std::span<PartialResult> results, Report& report);

  /// Runs plans that are scored alike, given by their numbers, in the segments of these numbers;
  /// merges what they give into their results. Returns, for all segments of the index, those that
  /// must be run there in another way: nothing was done for them.
  PlansBySegment run(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);

 private:
  void look_up_filters(std::size_t segment, std::span<const std::size_t> chosen);
  /// Looks at the segments; returns how many plans are to be a part.
  std::size_t enter(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);
  void run_lanes(std::span<const std::size_t> chosen, std::size_t size);
  void add(const PrunedLane& lane);

  const PrunedPlaces& places_;
  const std::stop_token& stop_;
  Report& report_;
  PlansBySegment others_;
  std::size_t lanes_ = 0;  ///< at most
  std::optional<StartFloors> floors_;
  PrunedWork work_;
};

}  // namespace gannet::query::cuda
