// Ranked plans of one call that no other search takes: window by window, in batches that fit the
// buffers, two of them in flight.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/backend/partial_result.hpp"
#include "query/gpu/device/matching/match_binder.hpp"
#include "query/gpu/device/ranked/rank_run.hpp"
#include "query/gpu/device/unions/call_unions.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// What a task needs to pack plans. Used by one thread at a time.
struct RankWorkspace {
  RankCompiler compiler;
  BindMemory bound;
  std::vector<RankOperand> operands;
};

/// The streams and buffers of one call. They are kept from call to call.
struct RankRuns {
  std::array<RankRun, 2> runs;
  std::array<std::optional<RankBatch>, 2> batches;
  std::array<std::vector<RankSlice>, 2> slices;  ///< of the batches
  std::vector<RankWorkspace> workspaces;         ///< one per slice
  // Held until the kernels that read it have ended, also those of a call that failed:
  std::shared_ptr<KeptListCache::Segments> kept;
  /// Bitmaps of filters that had only steps (DeviceFilter::counted()), by plan.
  std::vector<std::shared_ptr<const DeviceFilter>> filters;

  /// Lets go of bitmaps. Call it when the kernels have ended.
  void forget() {
    kept = nullptr;
    filters.clear();
  }
};

/// Finds the best documents of plans of any shape, with any scorer. Not thread-safe; uses the
/// arena's threads. The device must be current.
class RankCall {
 public:
  /// Refers to all of its arguments. `matching`: of the call; its pool is what this takes.
  RankCall(const MatchContext& matching, DeviceFilters& filters, const CallUnions& unions,
           RankRuns& runs, const BoundPlans& plans, std::span<PartialResult> results,
           Report& report)
      : context_(matching),
        filters_(filters),
        unions_(unions),
        runs_(runs),
        plans_(plans),
        results_(results),
        report_(report) {}

  /// Merges the hits that the plans with the numbers `chosen`, which want hits, have in a segment
  /// into their results. With k hits of other segments, a plan starts from the k-th one. Waits for
  /// the device. Throws CancelledError,
  /// FormatError for a damaged list or column, DeviceMemoryError, CudaError; batches may be in
  /// flight then, which RankRun::abandon() ends.
  void run(std::span<const std::size_t> chosen, std::size_t segment);

 private:
  const DeviceSegment& segment() const { return context_.segments[segment_]; }
  std::uint32_t documents() const { return segment().copy->view().documents; }
  /// Null if the call uses no kept lists.
  KeptListTable* kept() const {
    return context_.kept == nullptr ? nullptr : (*runs_.kept)[segment_].get();
  }
  std::vector<RankSlice>& slices() { return runs_.slices[next_]; }
  void make_filters(std::span<const std::size_t> chosen);
  const DeviceFilter* filter_of(std::size_t plan) const;
  std::size_t most_plans(std::span<const std::size_t> waiting) const;
  std::size_t pack(std::span<const std::size_t> plans);
  void pack_slice(std::span<const std::size_t> plans, std::size_t slice);
  void pack_plan(std::size_t plan, RankSlice& slice, RankWorkspace& memory) const;
  void find_operands(std::size_t plan, std::span<const char> scores,
                     std::vector<RankOperand>& operands) const;
  std::size_t fitting(std::size_t slices);
  void start(std::size_t slices);
  std::uint64_t start_of(std::size_t plan) const;
  void finish(std::size_t run);

  const MatchContext& context_;
  DeviceFilters& filters_;
  const CallUnions& unions_;
  RankRuns& runs_;
  const BoundPlans& plans_;
  std::span<PartialResult> results_;
  Report& report_;
  std::size_t segment_ = 0;
  std::size_t next_ = 0;  ///< the run that takes the next batch
};

}  // namespace gannet::query::cuda
