// One call of the pruned search: plans with one scorer in one segment, in sub-batches that fit the
// buffers, two of them in flight.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <span>
#include <stop_token>
#include <vector>

#include "query/device/device_segment.hpp"
#include "query/device/pruned/list_knowledge.hpp"
#include "query/device/pruned/pruned_prepare.hpp"
#include "query/device/pruned/pruned_run.hpp"
#include "query/results.hpp"
#include "query/term_binding.hpp"

namespace gannet::query::cuda {

/// Plans on their way into a batch.
struct PreparedPlans {
  std::vector<PreparedPlan> plans;
  /// Of all plans, one behind the other; those of plan i begin at first_terms[i].
  std::vector<std::size_t> first_terms;
  std::vector<const KnownList*> lists;
  std::vector<PrunedTerm> terms;
};

/// The streams and buffers of one call. They are kept from call to call, as new memory costs more
/// than what is written to it.
struct PrunedRuns {
  std::array<PrunedRun, 2> runs;
  PreparedPlans prepared;
};

/// Where plans are run, and with what.
struct PrunedPlace {
  const DeviceSegment& segment;
  std::size_t number;  ///< of the segment
  ListKnowledge& knowledge;
  PrunedRuns& runs;
  /// Threads that unpack results.
  tbb::task_arena& arena;
  /// Device memory for one batch.
  std::uint64_t batch_bytes;
};

class PrunedCall {
 public:
  PrunedCall(const PrunedPlace& place, PrunedPath path, const BoundPlans& plans,
             const std::stop_token& stop, std::span<PartialResult> results, Report& report);

  /// Runs plans, given by their numbers, whose pruned_path() is this one; merges what they give
  /// into their results. Returns those that must be run in another way: nothing was done for them.
  std::vector<std::size_t> run(std::span<const std::size_t> chosen);

 private:
  /// A sub-batch on its way.
  struct SubBatch {
    PrunedBatch batch;
    std::vector<std::size_t> plans;  ///< one a query
  };

  SubBatch assign_some(std::span<const std::size_t>& waiting, PrunedRun& run);
  SubBatch take_fitting(std::span<const std::size_t>& waiting, std::vector<PrunedSizes>& places);
  void prepare(std::span<const std::size_t> chosen);
  void prepare_one(std::size_t plan, std::size_t i, std::vector<WantedList>& unknown) const;
  template <class F>
  void for_each_in_parallel(std::size_t count, F f) const;
  SegmentPlan bound(std::size_t plan) const {
    return {&plans_.plan(plan), plans_.ids(plan, place_.number)};
  }
  std::uint32_t documents() const {
    return static_cast<std::uint32_t>(place_.segment.segment->statistics().documents);
  }
  float reached(std::size_t plan) const;
  void finish(std::size_t run, SubBatch& batch);

  const PrunedPlace& place_;
  const PrunedPath path_;
  PreparedPlans& prepared_;
  const BoundPlans& plans_;
  const std::stop_token& stop_;
  std::span<PartialResult> results_;
  Report& report_;
  std::vector<std::size_t> others_;
};

}  // namespace gannet::query::cuda
