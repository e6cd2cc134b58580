// What the first step of packing, bind, finds out of a plan: its lists and its filter in each
// segment. Host code; needs no GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "query/gpu/plan/device_lists.hpp"
#include "query/gpu/plan/placed_union.hpp"
#include "query/gpu/plan/pruned/list_stats.hpp"
#include "query/gpu/plan/text_offsets.hpp"

namespace gannet::query::cuda {

/// A plan in one segment. Refers to memory of others.
struct PartBinding {
  /// The numbers of the plan's terms in the segment, kNoTerm where it does not have them.
  std::span<const index::TermId> ids;
  /// The statistics of the terms' lists, one per term; null where the segment does not have the
  /// term. Empty: nothing can match in the segment.
  std::span<const ListStats* const> lists;
  /// All lists of the segment, by term number; empty: they are where the statistics say.
  std::span<const DeviceList> locations;
  /// Where the lengths of the segment's texts are; null only if `lists` is empty.
  const TextOffsets* texts = nullptr;
  /// Unions among the terms, by term; empty: there are none.
  std::span<const PlacedUnion> unions{};
  /// Documents that pass the plan's filter; null pointers without one.
  FilterView filter{};
  /// Whether the statistics are of the documents that pass the filter, not of all documents.
  bool filtered = false;
  /// Documents that have ranks in the statistics and that the filter does not let pass, at most.
  std::uint64_t held_back = 0;

  /// The union that is a term; null: the term's list is the segment's own.
  const PlacedUnion* union_of(std::size_t term) const {
    return unions.empty() || unions[term].number == kNoTerm ? nullptr : &unions[term];
  }
  /// Where the list of a term is that the segment has.
  const DeviceList& location(std::size_t term) const {
    const PlacedUnion* const placed = union_of(term);
    if (placed != nullptr) return placed->place;
    return locations.empty() ? lists[term]->place : locations[ids[term]];
  }
  /// Whether all documents that have ranks in the statistics pass. If not, documents that do not
  /// pass may be those with the largest contributions.
  bool of_what_passes() const { return filtered || held_back == 0; }
};

/// A plan in all segments where it is searched. Refers to memory of others.
struct PlanBinding {
  const Plan* plan;
  std::span<const PartBinding> parts;  ///< one per segment
  /// A score that k documents of other segments are known to have, or 0.
  float reached = 0;
  /// The plan's number in the call.
  std::uint32_t number = 0;
  /// Whether other shards tell the scores that they find for the plan.
  bool shards_tell = false;

  bool matches_nothing() const {
    return std::ranges::all_of(parts, [](const PartBinding& part) { return part.lists.empty(); });
  }
};

}  // namespace gannet::query::cuda
