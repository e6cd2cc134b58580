// What a plan's terms are multiplied with, and what the plan takes of a batch: the part of packing
// plans that does not depend on the others. Host code; needs no GPU.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "query/device/assign.hpp"
#include "query/device/pruned/knowledge/known_list.hpp"
#include "query/device/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// How the pruned search runs a plan in a segment, if it can: it wants top k, with k no more than
/// tuning::kMostPrunedHits, and only documents with a scored term match. With bounds: no more than
/// kMaxPrunedTerms terms. By windows: disjunctions of no more than kMaxWindowTerms terms, where
/// that is estimated to be faster.
std::optional<PrunedPath> pruned_path(const SegmentPlan& plan);

/// A score that is reached for certain where a weight times what is reached at weight 1 is this.
float with_margin(double reached);

/// A plan with what is known of its terms in the segment, in their order, without those that the
/// segment does not have.
struct KnownPlan {
  SegmentPlan plan;
  std::span<const KnownList* const> lists;
  /// A score that k documents are known to have, from elsewhere in the index; or 0.
  float reached = 0;
  /// What the plan's filter lets pass in the segment; nulls without one.
  FilterView filter{};
  /// Whether the lists are known among the documents that pass the filter, not among all.
  bool filtered = false;

  /// What single lists reach, they may else reach in documents that do not pass.
  bool of_what_passes() const { return filtered || filter.words == nullptr; }
};

/// A plan on its way into a batch.
struct PreparedPlan {
  /// False: what is known is of other statistics, or of no use. The rest is not set then.
  bool usable = false;
  /// PrunedQuery::scale and PrunedQuery::start.
  float scale = 0;
  float start = 0;
  FilterView filter{};
  Match match{};
  /// The terms that the segment has, but for what depends on the batch.
  std::span<const PrunedTerm> terms;
  std::vector<Node> nodes;
  PrunedSizes sizes;
};

/// Prepares a plan for its pruned_path(), in a segment of so many documents. `terms`: room for as
/// many as the segment has; the result refers to it. Any number of threads may call it.
PreparedPlan prepare_plan(PrunedPath path, const KnownPlan& plan, std::span<const DeviceList> lists,
                          std::uint32_t documents, std::span<PrunedTerm> terms);

}  // namespace gannet::query::cuda
