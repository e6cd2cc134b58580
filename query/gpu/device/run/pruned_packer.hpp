// Packs plans into batches of the pruned search: bind, bound, scale, fill.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "query/gpu/device/run/bind.hpp"
#include "query/gpu/device/run/pruned_context.hpp"
#include "query/plan/term_binding.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// A batch, and the plans whose queries it has.
struct SubBatch {
  PrunedBatch batch;
  std::vector<std::size_t> plans;  ///< numbers in the call, one per query
  std::vector<std::uint32_t> k;    ///< hits that the plan wants, one per query
  /// Other plans that were taken away: nothing can match them.
  std::vector<std::size_t> without_match;
};

/// Packs the plans of one call for one set of segments. Not thread-safe; uses the arena's threads.
class PrunedPacker {
 public:
  /// `results`: by plan, as they are so far. Refers to all of its arguments.
  PrunedPacker(const SegmentSet& segments, PrunedPath path, const BoundPlans& plans,
               std::span<const PartialResult> results, Report& report);

  /// Packs as many of the first of `waiting` as fit into memory, at least one and at most `most`,
  /// into the tables of a run, and takes them away. `others` gets the plans that must be run in
  /// another way. Queues nothing on the run's stream; waits for the device where list statistics
  /// are missing. Throws CancelledError, FormatError for a damaged list, DeviceMemoryError.
  SubBatch pack(std::span<const std::size_t>& waiting, std::size_t most, PrunedRun& run,
                std::vector<std::size_t>& others);

 private:
  // The steps, in the order in which they happen:
  std::span<const std::size_t> affordable(std::span<const std::size_t> plans) const;
  void scale_all(std::span<const std::size_t> chosen);
  void scale_slice(PlanSlice& slice) const;
  void scale_one(std::size_t i, std::size_t first_term, PlanSlice& slice) const;
  void compute_missing(std::span<const PlanSlice> slices);
  std::size_t take_fitting(std::size_t slices, SubBatch& batch);
  std::size_t cut_to_fit(PlanSlice& slice) const;
  bool fits(const PrunedSizes& sizes) const;
  void fill_slice(const PlanSlice& slice, SubBatch& batch) const;
  void leave_unusable(const PlanSlice& slice, SubBatch& batch,
                      std::vector<std::size_t>& others) const;
  template <class F>
  void for_each_slice(std::size_t slices, F f) const;

  const SegmentSet& segments_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  const PlanBinder binder_;
  Report& report_;
  std::vector<PlanSlice>& slices_;  ///< the memory is kept from call to call
  /// Plans that are scaled for a batch: not many more than fitted into the last one.
  std::size_t at_once_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace gannet::query::cuda
