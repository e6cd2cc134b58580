// One call of the pruned search: plans with one scorer in one segment, in sub-batches that fit the
// buffers, two of them in flight.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "query/device/filters/device_filters.hpp"
#include "query/device/index/device_segments.hpp"
#include "query/device/pruned/knowledge/knowledge_cache.hpp"
#include "query/device/pruned/pruned_prepare.hpp"
#include "query/device/pruned/pruned_run.hpp"
#include "query/results.hpp"
#include "query/term_binding.hpp"

namespace gannet::query::cuda {

/// Some plans on their way into a batch: what one task prepares.
struct PreparedSlice {
  std::vector<PreparedPlan> plans;
  std::vector<std::size_t> numbers;  ///< of the plans
  /// Of all of its plans, one behind the other.
  std::vector<const KnownList*> lists;
  std::vector<PrunedTerm> terms;
  /// What its usable plans take; later what those of the slices before it take.
  PrunedSizes sizes;
  std::vector<WantedList> unknown;
};

/// The streams and buffers of one call. They are kept from call to call, as new memory costs more
/// than what is written to it.
struct PrunedRuns {
  std::array<PrunedRun, 2> runs;
  std::vector<PreparedSlice> slices;
  /// What is known of lists among what filters of the call let pass: kept until its kernels, also
  /// those of a call that failed, have ended.
  std::vector<std::shared_ptr<ListKnowledge>> filtered;
};

/// Where plans are run, and with what.
struct PrunedPlace {
  const DeviceSegment& segment;
  std::size_t number;  ///< of the segment
  SegmentKnowledge& knowledge;
  const CallFilters& filters;
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

  void look_up_filters(std::span<const std::size_t> chosen);
  ListKnowledge& knowledge_of(const DeviceFilter* filter) const;
  SubBatch assign_some(std::span<const std::size_t>& waiting, PrunedRun& run);
  std::size_t take_fitting(std::size_t slices, SubBatch& batch);
  std::size_t cut_to_fit(PreparedSlice& slice) const;
  bool fits(const PrunedSizes& sizes) const;
  void prepare(std::span<const std::size_t> chosen);
  void learn(std::span<const PreparedSlice> slices);
  void prepare_slice(PreparedSlice& slice) const;
  void prepare_one(std::size_t i, std::size_t first_term, PreparedSlice& slice) const;
  void fill(const PreparedSlice& slice, SubBatch& batch) const;
  template <class F>
  void for_each_slice(std::size_t slices, F f) const;
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
  std::vector<PreparedSlice>& slices_;
  const BoundPlans& plans_;
  const std::stop_token& stop_;
  std::span<PartialResult> results_;
  Report& report_;
  std::vector<std::size_t> others_;
  /// Plans that are prepared for a sub-batch: not many more than the memory took of the last one.
  std::size_t at_once_ = 0;
  std::size_t most_at_once_ = 0;
};

}  // namespace gannet::query::cuda
