// Where plans of a call are run by the pruned search, and with what.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/knowledge_cache.hpp"
#include "query/gpu/device/run/call_options.hpp"
#include "query/gpu/device/run/plan_look.hpp"
#include "query/gpu/device/run/pruned_run.hpp"
#include "query/gpu/plan/pruned/pruned_prepare.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {

/// Some plans on their way into a batch: what one task prepares.
struct PreparedSlice {
  std::vector<PreparedPlan> plans;
  std::vector<std::size_t> numbers;  ///< of the plans
  /// Of all of its plans, one behind the other.
  std::vector<PrunedTerm> terms;
  std::vector<PreparedPart> parts;
  // Of the plan that is being prepared:
  std::vector<KnownPart> known;
  std::vector<const KnownList*> lists;
  /// What its usable plans take; later what those of the slices before it take.
  PrunedSizes sizes;
  bool all_usable = false;
  std::vector<WantedList> unknown;
};

/// The streams and buffers of one call. They are kept from call to call, as new memory costs more
/// than what is written to it.
struct PrunedRuns {
  std::array<PrunedRun, tuning::kPrunedRuns> runs;
  std::vector<PreparedSlice> slices;
  /// By segment, what is known of lists among what filters of the call let pass: kept until its
  /// kernels, also those of a call that failed, have ended.
  std::vector<std::vector<std::shared_ptr<ListKnowledge>>> filtered;
  /// What is known of lists among all documents, for the scorer of the plans under way.
  std::shared_ptr<KnowledgeCache::Segments> knowledge;

  /// When the kernels have ended: what they read may go.
  void forget() {
    filtered.clear();
    knowledge = nullptr;
  }
};

/// Where plans are run, and with what.
struct PrunedPlaces {
  std::span<const DeviceSegment> segments;
  KnowledgeCache::Segments& knowledge;  ///< by segment
  const CallFilters& filters;
  PrunedRuns& runs;
  /// Threads that pack plans and unpack results.
  tbb::task_arena& arena;
  std::span<const PlanLook> looks;  ///< by plan
  /// Device memory for all batches in flight.
  std::uint64_t bytes;
  const CallOptions& options;
};

/// Segments in which plans are searched together.
struct PrunedPlace {
  const PrunedPlaces& call;
  /// Of the segments.
  std::span<const std::size_t> numbers;
  SegmentViews views;
  /// Whether these are all segments of the index: then other shards are told of plans, and plans
  /// are found as soon as they are searched.
  bool all;
  /// With other shards; empty if they are not told.
  SharedScores shared;

  /// Device memory for one batch.
  std::uint64_t batch_bytes() const { return call.bytes / call.runs.runs.size(); }
};

}  // namespace gannet::query::cuda
