// Plans of one call that want counts or docids: in batches that fit the buffers, two of them in
// flight.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/gpu/device/matching/match_binder.hpp"
#include "query/gpu/device/matching/match_run.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// What a task needs to pack plans. Used by one thread at a time.
struct MatchWorkspace {
  MatchCompiler compiler;
  BindMemory bound;
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

/// Finds what plans match. Not thread-safe; uses the arena's threads. The device must be current.
class MatchCall {
 public:
  /// Refers to all of its arguments.
  MatchCall(const MatchContext& context, MatchRuns& runs, const BoundPlans& plans,
            std::span<PartialResult> results, Report& report)
      : context_(context), runs_(runs), plans_(plans), results_(results), report_(report) {}

  /// Adds what the plans with the numbers `chosen` match in all segments to their results: counts,
  /// or docids too. Waits for the device. Throws CancelledError, FormatError for a damaged list,
  /// DeviceMemoryError, CudaError; batches may be in flight then, which MatchRun::abandon() ends.
  void run(std::span<const std::size_t> chosen, bool docids);

 private:
  const DeviceSegment& segment() const { return context_.segments[segment_]; }
  /// Null if the call uses no kept lists.
  KeptListTable* kept() const {
    return context_.kept == nullptr ? nullptr : (*runs_.kept)[segment_].get();
  }
  std::uint64_t docid_bytes() const;
  std::size_t most_plans(bool docids) const;
  void run_segment(std::span<const std::size_t> waiting, bool docids);
  std::size_t pack(std::span<const std::size_t> plans);
  void pack_slice(std::span<const std::size_t> plans, std::size_t slice) const;
  void pack_plan(std::size_t plan, MatchSlice& slice, MatchWorkspace& memory) const;
  std::size_t fitting(std::size_t slices) const;
  void start(std::size_t slices, bool docids);
  void finish(std::size_t run);

  const MatchContext& context_;
  MatchRuns& runs_;
  const BoundPlans& plans_;
  std::span<PartialResult> results_;
  Report& report_;
  std::size_t segment_ = 0;
  std::size_t next_ = 0;  ///< the run that takes the next batch
};

}  // namespace gannet::query::cuda
