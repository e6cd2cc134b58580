// What a call of the pruned search works with: the device's copies of the segments, what is cached
// for them, and the memory that calls reuse.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/list_stats_cache.hpp"
#include "query/gpu/device/run/call_options.hpp"
#include "query/gpu/device/run/plan_traits.hpp"
#include "query/gpu/device/run/pruned_run.hpp"
#include "query/gpu/device/unions/call_unions.hpp"
#include "query/gpu/plan/pruned/scale.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

/// Plans that one task binds, bounds and scales, with the memory for it. Used by one thread at a
/// time.
struct PlanSlice {
  std::vector<std::size_t> numbers;  ///< of the plans in the call
  std::vector<ScaledPlan> plans;     ///< one per number
  // What the scaled plans refer to, plan by plan:
  std::vector<PrunedTerm> terms;
  std::vector<ScaledPart> parts;
  // What the binding of the plan under way refers to:
  std::vector<PartBinding> bindings;
  std::vector<const ListStats*> lists;
  /// Lists of all its plans without statistics.
  std::vector<MissingList> missing;
  /// What its usable plans take; once slices are taken into a batch, what the slices before it
  /// take.
  PrunedSizes sizes;
  bool all_usable = false;
};

/// The streams and buffers of one call. They are kept from call to call, since allocating memory
/// costs more than writing to it.
struct PrunedRuns {
  std::array<PrunedRun, tuning::kPrunedRuns> runs;
  std::vector<PlanSlice> slices;
  /// By segment, list statistics among the documents that filters of the call let pass. Kept until
  /// the kernels that read them have ended, also those of a call that failed.
  std::vector<std::vector<std::shared_ptr<ListStatsTable>>> filtered;
  /// List statistics among all documents, for the scorer of the plans under way.
  std::shared_ptr<ListStatsCache::Segments> list_stats;

  /// Lets go of list statistics. Call it when the kernels have ended.
  void forget() {
    filtered.clear();
    list_stats = nullptr;
  }
};

/// Everything that a pruned search needs from its call. Refers to memory of others.
struct PrunedContext {
  std::span<const DeviceSegment> segments;
  ListStatsCache::Segments& list_stats;  ///< by segment
  const CallFilters& filters;
  const CallUnions& unions;
  PrunedRuns& runs;
  tbb::task_arena& arena;              ///< threads that pack plans and unpack results
  std::span<const PlanTraits> traits;  ///< by plan
  std::uint64_t bytes;                 ///< device memory for all batches in flight
  const CallOptions& options;
};

/// Segments of the index in which plans are searched together.
struct SegmentSet {
  const PrunedContext& call;
  std::span<const std::size_t> numbers;  ///< of the segments in the index
  SegmentViews views;                    ///< one per number
  /// Whether these are all segments of the index. If so, other shards are told of plans, and plans
  /// are found as soon as they are searched.
  bool all;
  SharedScores shared;  ///< with other shards; empty if they are not told

  /// Device memory for one batch.
  std::uint64_t batch_bytes() const { return call.bytes / call.runs.runs.size(); }
};

}  // namespace gannet::query::cuda
