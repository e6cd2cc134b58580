// One call of the CUDA back end: the plans that the device can run, in all segments.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/matching/match_call.hpp"
#include "query/gpu/device/ranked/rank_call.hpp"
#include "query/gpu/device/run/batch_run.hpp"
#include "query/gpu/device/run/call_options.hpp"
#include "query/gpu/device/run/plan_traits.hpp"
#include "query/gpu/device/run/pruned_call.hpp"
#include "query/memory/bounded_pool.hpp"
#include "query/plan/term_binding.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// The device as all calls share it. Immutable.
struct Device {
  int number;
  DeviceShape shape;
  bool windows;  ///< has_room_for_windows() on the device
  /// Bytes that one call may use for its batches, at most.
  std::uint64_t pool;
  std::vector<DeviceSegment> segments;
};

/// The streams and buffers of one call. Used by one call at a time.
struct ExecutionContext {
  std::array<BatchRun, 2> exhaustive;
  PrunedRuns pruned;
  MatchRuns matching;
  RankRuns ranked;
};

/// The contexts of a device. Calls wait for a free one; idle ones may be freed.
using ContextPool = BoundedPool<ExecutionContext>;

/// A context for the time of a call. At the end it waits for work that is still queued, also after
/// an exception, so that the next call can use the context.
class ContextLease {
 public:
  /// Waits for a free context. Throws CancelledError, DeviceMemoryError.
  ContextLease(ContextPool& pool, const std::stop_token& stop) : lease_(pool.acquire(stop)) {}
  ~ContextLease() { abandon(); }
  ContextLease(const ContextLease&) = delete;
  ContextLease& operator=(const ContextLease&) = delete;
  BatchRun& operator[](std::size_t i) const { return lease_->exhaustive[i]; }
  PrunedRuns& pruned() const { return lease_->pruned; }
  MatchRuns& matching() const { return lease_->matching; }
  RankRuns& ranked() const { return lease_->ranked; }
  /// Frees the context and its memory. The lease has no context afterwards.
  void discard() {
    abandon();
    lease_.discard();
  }

 private:
  void abandon() {
    if (!lease_.has_object()) return;
    for (BatchRun& run : lease_->exhaustive) run.abandon();
    for (PrunedRun& run : lease_->pruned.runs) run.abandon();
    lease_->pruned.forget();
    for (MatchRun& run : lease_->matching.runs) run.abandon();
    lease_->matching.kept = nullptr;
    for (RankRun& run : lease_->ranked.runs) run.abandon();
    lease_->ranked.forget();
  }

  ContextPool::Lease lease_;
};

/// Runs the plans of one call that want hits: pruned, exhaustively, or window by window, in batches
/// of plans that ask for about as many. Not thread-safe; uses the arena's threads. The device must
/// be current.
class DeviceCall {
 public:
  /// `matching`: of the call, with the bytes for its batches; `traits`: by plan; `list_stats`:
  /// null: no search is pruned. Refers to all arguments.
  DeviceCall(const Device& device, const MatchContext& matching, const ContextLease& runs,
             ListStatsCache* list_stats, DeviceFilters& filters, const CallUnions& unions,
             const BoundPlans& plans, std::span<const PlanTraits> traits,
             const CallOptions& options, std::span<PartialResult> results, Report& report);

  /// Runs the plans with the numbers `chosen`, and merges their hits into the results. Waits for
  /// the device. Throws CancelledError, FormatError for a damaged list or column,
  /// DeviceMemoryError, CudaError.
  void run(std::span<const std::size_t> chosen);

 private:
  /// Plans that may share a batch: they have one PlanTraits::size, since buffers are sized by the
  /// largest k.
  struct Group {
    std::uint32_t size;
    std::vector<std::size_t> members;
  };

  /// A sub-batch in flight.
  struct SubBatch {
    Assignment assignment;
    std::vector<Target> targets;
  };

  const DeviceSegment& segment() const { return device_.segments[segment_]; }
  SegmentPlan bound(std::size_t plan) const {
    return {&plans_.plan(plan), plans_.ids(plan, segment_)};
  }

  std::vector<Group> group(std::span<const std::size_t> chosen) const;
  void run_group(const Group& group);
  void run_pruned(std::span<const std::size_t> members);
  PlansBySegment run_path(PrunedPath path, std::span<const std::size_t> plans,
                          std::span<const std::size_t> segments);
  void run_unpruned(std::vector<std::size_t> plans);
  bool is_for_windows(std::size_t plan) const;
  void run_exhaustive(std::span<const std::size_t> waiting);
  bool alike(std::size_t a, std::size_t b) const;
  std::vector<std::size_t> matching(std::span<const std::size_t> plans) const;
  SubBatch assign_some(std::span<const std::size_t>& waiting) const;
  std::uint32_t max_warps(const Assignment& assignment) const;
  void finish(std::size_t run, SubBatch& batch);
  void add(const BatchCounters& counters);

  const Device& device_;
  const MatchContext& matching_;
  const std::uint64_t pool_;
  const ContextLease& runs_;
  tbb::task_arena& arena_;
  ListStatsCache* list_stats_;
  const CallFilters& filters_;
  DeviceFilters& device_filters_;
  const CallUnions& unions_;
  const BoundPlans& plans_;
  std::span<const PlanTraits> traits_;
  const CallOptions& options_;
  std::span<PartialResult> results_;
  Report& report_;
  /// The segment in which plans are run exhaustively, or by windows, at the moment.
  std::size_t segment_ = 0;
};

}  // namespace gannet::query::cuda
