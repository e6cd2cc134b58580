// What a plan's terms are multiplied with, and what the plan takes of a batch: the part of packing
// plans that does not depend on the others. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/pruned/known_list.hpp"
#include "query/gpu/plan/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// How the pruned search runs a plan in segments that have `present` of its terms together, if it
/// can: it wants top k, with k no more than tuning::kMaxPrunedHits, and only documents with a
/// scored term match. With bounds: no more than kMaxPrunedTerms terms. By windows: disjunctions of
/// no more than kMaxWindowTerms terms, where that is estimated to be faster.
std::optional<PrunedPath> pruned_path(const Plan& plan, std::size_t present);
/// pruned_path() in the segments where the plan's terms have the numbers `ids`.
std::optional<PrunedPath> pruned_path(const Plan& plan,
                                      std::span<const std::span<const index::TermId>> ids);

/// A plan in one of the segments.
struct KnownPart {
  /// The plan's terms there.
  std::span<const index::TermId> ids;
  /// What is known of them, null where the segment has them not. None: nothing can match there.
  std::span<const KnownList* const> lists;
  /// The segment's lists.
  std::span<const DeviceList> places;
  /// What the plan's filter lets pass in the segment; nulls without one.
  FilterView filter{};
  /// Whether the lists are known among the documents that pass the filter, not among all.
  bool filtered = false;
  /// Of the documents that the lists are known of, those that do not pass.
  std::uint64_t held_back = 0;

  /// Whether bounds are of what passes; else documents that do not pass may have reached them.
  bool of_what_passes() const { return filtered || filter.words == nullptr; }
};

/// A plan with what is known of its terms in the segments where it is searched.
struct KnownPlan {
  const Plan* plan;
  std::span<const KnownPart> parts;
  /// A score that k documents are known to have, from elsewhere in the index; or 0.
  float reached = 0;
  /// The plan's number in the call, and whether other shards tell what they find of it.
  std::uint32_t number = 0;
  bool shards_tell = false;
};

/// A plan in a segment, on its way into a batch.
struct PreparedPart {
  FilterView filter{};
  /// Of the plan's terms, those that the segment has, follow those of the parts before; none:
  /// nothing matches.
  std::uint32_t terms = 0;
  /// Of PreparedPlan::nodes.
  std::uint32_t nodes = 0;
};

/// A plan on its way into a batch.
struct PreparedPlan {
  /// False: what is known is of other statistics, or of no use. The rest is not set then, but for
  /// whether it is because nothing can match.
  bool usable = false;
  bool matches_nothing = false;
  /// As in PrunedQuery.
  std::uint32_t number = 0;
  std::uint32_t rank = 0;
  float scale = 0;
  float start = 0;
  Match match{};
  /// One a segment.
  std::span<const PreparedPart> parts;
  /// All parts' terms, but for what depends on the batch.
  std::span<const PrunedTerm> terms;
  std::vector<Node> nodes;
  PrunedSizes sizes;
};

/// Room for what a PreparedPlan refers to: a part a segment, and as many terms as the segments have
/// together.
struct PreparedRoom {
  std::span<PreparedPart> parts;
  std::span<PrunedTerm> terms;
};

/// Prepares a plan for its pruned_path(). Any number of threads may call it.
PreparedPlan prepare_plan(PrunedPath path, const KnownPlan& plan, const SegmentViews& segments,
                          const PreparedRoom& room);

}  // namespace gannet::query::cuda
