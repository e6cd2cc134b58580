// Plans of one call that the pruned search runs, in all segments: in batches that fit the buffers,
// several of them in flight.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "query/device/pruned/pruned_packer.hpp"

namespace gannet::query::cuda {

/// Batches in flight, at most.
inline constexpr std::size_t kPrunedRuns = 4;

/// The streams and buffers of one call. They are kept from call to call, as new memory costs more
/// than what is written to it.
struct PrunedRuns {
  std::array<PrunedRun, kPrunedRuns> runs;
  std::vector<PreparedSlice> slices;
  /// By segment, what is known of lists among what filters of the call let pass: kept until its
  /// kernels, also those of a call that failed, have ended.
  std::vector<std::vector<std::shared_ptr<ListKnowledge>>> filtered;
};

/// Where plans are run, and with what.
struct PrunedPlaces {
  std::span<const DeviceSegment> segments;
  KnowledgeCache::Segments& knowledge;  ///< by segment
  const CallFilters& filters;
  PrunedRuns& runs;
  /// Threads that pack plans and unpack results.
  tbb::task_arena& arena;
  /// Device memory for all batches in flight.
  std::uint64_t bytes;
};

/// Plans by segment.
using PlansBySegment = std::vector<std::vector<std::size_t>>;

/// Plans are cut into parts, and each part goes through the segments, one after the other, since
/// the scores that it has reached let it skip more in the next one. Parts are in flight at the same
/// time: while one is searched in a segment, the host packs another one for its next.
class PrunedCall {
 public:
  PrunedCall(const PrunedPlaces& places, PrunedPath path, const BoundPlans& plans,
             const std::stop_token& stop, std::span<PartialResult> results, Report& report);

  /// Runs plans that are scored alike, given by their numbers, in the segments of these numbers;
  /// merges what they give into their results. Returns, for all segments of the index, those that
  /// must be run there in another way: nothing was done for them.
  PlansBySegment run(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);

 private:
  /// A run, and the part whose turn it is there.
  struct Lane {
    PrunedRun& run;
    SubBatch in_flight = {};
    std::size_t place = 0;  ///< of the batch in flight, in packers_
    std::size_t next_place = 0;
    std::span<const std::size_t> part = {};
    std::span<const std::size_t> waiting = {};  ///< of the part, in the next place
  };

  void look_up_filters(std::size_t segment, std::span<const std::size_t> chosen);
  std::size_t enter(std::span<const std::size_t> chosen, std::span<const std::size_t> segments);
  void run_lanes(std::span<const std::size_t> chosen, std::size_t size);
  bool advance(Lane& lane, std::span<const std::size_t>& chosen, std::size_t size);
  void start_next(Lane& lane);
  void finish(Lane& lane);

  const PrunedPlaces& places_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  const std::stop_token& stop_;
  std::span<PartialResult> results_;
  Report& report_;
  PlansBySegment others_;
  std::size_t runs_ = 0;  ///< that are used
  std::optional<StartFloors> floors_;
  std::vector<PrunedPacker> packers_;     ///< one for each segment that is searched
  std::vector<std::size_t> sub_batches_;  ///< plans of a batch there, at most
};

}  // namespace gannet::query::cuda
