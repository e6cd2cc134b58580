// Packs plans into batches of the pruned search.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "query/gpu/device/run/pruned_places.hpp"
#include "query/plan/term_binding.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// A batch, and whose it is.
struct SubBatch {
  PrunedBatch batch;
  // One a query:
  std::vector<std::size_t> plans;
  std::vector<std::uint32_t> k;  ///< of the plan
  /// Others that were taken away: nothing can match.
  std::vector<std::size_t> without_match;
};

/// What one call does in some segments, but for running it. Not thread-safe; uses the arena's
/// threads.
class PrunedPacker {
 public:
  /// `results`: by plan, as they are so far. Refers to all of
  /// its arguments.
  PrunedPacker(const PrunedPlace& place, PrunedPath path, const BoundPlans& plans,
               std::span<const PartialResult> results, Report& report);

  /// Packs as many of the first of `waiting` as the memory takes and `most` allows, at least one,
  /// into the tables of a run, and takes them away. `others` gets the plans that must be run in
  /// another way.
  SubBatch pack(std::span<const std::size_t>& waiting, std::size_t most, PrunedRun& run,
                std::vector<std::size_t>& others);

 private:
  ListKnowledge& knowledge_of(std::size_t segment, const DeviceFilter* filter) const;
  std::span<const std::size_t> affordable(std::span<const std::size_t> plans) const;
  std::size_t take_fitting(std::size_t slices, SubBatch& batch);
  std::size_t cut_to_fit(PreparedSlice& slice) const;
  bool fits(const PrunedSizes& sizes) const;
  void prepare(std::span<const std::size_t> chosen);
  void learn(std::span<const PreparedSlice> slices);
  std::size_t terms_of(std::size_t plan) const;
  void prepare_slice(PreparedSlice& slice) const;
  void prepare_one(std::size_t i, std::size_t first_term, PreparedSlice& slice) const;
  std::optional<PrunedPath> path_of(std::size_t plan) const;
  KnownPart find_part(std::size_t plan, std::size_t at, PreparedSlice& slice) const;
  void fill(const PreparedSlice& slice, SubBatch& batch) const;
  template <class F>
  void for_each_slice(std::size_t slices, F f) const;
  float reached(std::size_t plan) const;

  const PrunedPlace& place_;
  const PrunedPath path_;
  const BoundPlans& plans_;
  std::span<const PartialResult> results_;
  Report& report_;
  std::vector<PreparedSlice>& slices_;  ///< the memory is kept from call to call
  const SharedScores shared_;
  /// Plans that are prepared for a batch: not many more than the memory took of the last one.
  std::size_t at_once_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace gannet::query::cuda
