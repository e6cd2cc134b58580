// From plans to a batch of the pruned search. Host code; needs no GPU.
#pragma once

#include <span>
#include <vector>

#include "query/device/assign.hpp"
#include "query/device/pruned/known_list.hpp"
#include "query/device/pruned/tables.hpp"

namespace gannet::query::cuda {

/// A batch in host memory.
struct PrunedBatch {
  std::vector<PrunedQuery> queries;
  std::vector<SelectQuery> selections;  ///< one a query
  std::vector<PrunedTerm> terms;
  std::vector<WeightedRow> rows;
  std::vector<ShortList> shorts;
  std::vector<Node> nodes;
  ScorerId scorer{};
  std::uint32_t documents = 0;
  std::uint32_t short_tiles = 0;
  std::uint32_t chunk_pointers = 0;
  std::uint32_t max_terms = 1;
  std::uint32_t stride = 0;     ///< the largest k
  std::uint32_t wave_size = 0;  ///< superblocks of a query's first wave
  std::uint64_t finalists = 0;
};

/// Whether the pruned search can run a plan in a segment: top k, only documents with a scored term
/// match, no more than kMaxPrunedTerms terms, and k no more than tuning::kMostPrunedHits.
bool prunes_on_device(const SegmentPlan& plan);

/// A plan with what is known of its terms in the segment, in their order, without those that the
/// segment does not have.
struct KnownPlan {
  SegmentPlan plan;
  std::span<const KnownList* const> lists;
  /// A score that k documents are known to have, from elsewhere in the index; or 0.
  float reached = 0;
};

/// What a plan's bounds are multiplied with.
struct ScaledPlan {
  /// False: what is known is of other statistics, or of no use. The rest is not set then.
  bool usable = false;
  float scale = 0;
  /// PrunedQuery::start.
  float start = 0;
};

/// Scales a plan for which prunes_on_device() holds, and fills in `terms`, as many as the segment
/// has, but for what depends on the batch. Any number of threads may call it.
ScaledPlan scale_plan(const KnownPlan& plan, std::span<const DeviceList> lists,
                      std::span<PrunedTerm> terms);

/// Adds a plan with its usable scale and its terms to the batch.
void add_pruned(const SegmentPlan& plan, const ScaledPlan& scaled,
                std::span<const PrunedTerm> terms, PrunedBatch& batch);

}  // namespace gannet::query::cuda
