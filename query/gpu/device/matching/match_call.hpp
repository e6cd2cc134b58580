// Plans of one call that want counts or docids: in batches that fit the buffers, two of them in
// flight.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/matching/call_predicates.hpp"
#include "query/gpu/device/matching/kept_lists.hpp"
#include "query/gpu/device/matching/match_run.hpp"
#include "query/gpu/plan/assign.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// What a task needs to pack plans. Used by one thread at a time.
struct MatchWorkspace {
  MatchCompiler compiler;
  std::vector<MatchOperand> operands;
  std::vector<std::uint32_t> ends;
  std::vector<const std::uint64_t*> predicates;
  std::vector<index::TermId> terms;
  std::vector<index::TermId> missing;  ///< lists that are not kept yet
};

/// The streams and buffers of one call. They are kept from call to call.
struct MatchRuns {
  std::array<MatchRun, 2> runs;
  std::array<std::optional<MatchBatch>, 2> batches;
  std::vector<MatchSlice> slices;
  std::vector<MatchWorkspace> workspaces;  ///< one per slice
  /// Held until the kernels that read it have ended, also those of a call that failed.
  std::shared_ptr<KeptListCache::Segments> kept;
};

/// Everything that a MatchCall needs from its call. Refers to memory of others.
struct MatchContext {
  std::span<const DeviceSegment> segments;
  const DeviceShape& shape;
  std::uint64_t pool;  ///< device memory for batches
  /// Null: lists are checked each time, and none has a bitmap.
  KeptListCache* kept;
  bool exhaustive;  ///< every list is decoded from end to end
  const CallFilters& filters;
  const CallPredicates& predicates;
  MatchRuns& runs;
  tbb::task_arena& arena;  ///< threads that pack plans
  const std::stop_token& stop;
};

/// Finds what plans match. Not thread-safe; uses the arena's threads. The device must be current.
class MatchCall {
 public:
  /// Refers to all of its arguments.
  MatchCall(const MatchContext& context, const BoundPlans& plans, std::span<PartialResult> results,
            Report& report)
      : context_(context), plans_(plans), results_(results), report_(report) {}

  /// Adds what the plans with the numbers `chosen` match in all segments to their results: counts,
  /// or docids too. Waits for the device. Throws CancelledError, FormatError for a damaged list,
  /// DeviceMemoryError, CudaError; batches may be in flight then, which MatchRun::abandon() ends.
  void run(std::span<const std::size_t> chosen, bool docids);

 private:
  const DeviceSegment& segment() const { return context_.segments[segment_]; }
  /// Null if the call uses no kept lists.
  KeptListTable* kept() const {
    return context_.kept == nullptr ? nullptr : (*context_.runs.kept)[segment_].get();
  }
  std::uint64_t docid_bytes() const;
  std::size_t most_plans(bool docids) const;
  void run_segment(std::span<const std::size_t> waiting, bool docids);
  std::size_t pack(std::span<const std::size_t> plans);
  template <class F>
  void for_each_slice(std::size_t slices, const F& f) const;
  void pack_slice(std::span<const std::size_t> plans, std::size_t slice) const;
  void pack_plan(std::size_t plan, MatchSlice& slice, MatchWorkspace& memory) const;
  void bind(std::size_t plan, MatchWorkspace& memory) const;
  bool add_missing(std::size_t slices);
  std::size_t fitting(std::size_t slices) const;
  void start(std::size_t slices, bool docids);
  void finish(std::size_t run);

  const MatchContext& context_;
  const BoundPlans& plans_;
  std::span<PartialResult> results_;
  Report& report_;
  std::size_t segment_ = 0;
  std::size_t next_ = 0;  ///< the run that takes the next batch
};

}  // namespace gannet::query::cuda
