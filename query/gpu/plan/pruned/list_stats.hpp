// Statistics of a posting list that the pruned search needs, for one scorer with its parameters.
#pragma once

#include <array>
#include <compare>
#include <cstddef>

#include "query/bounds/contribution.hpp"
#include "query/gpu/plan/device_lists.hpp"
#include "query/gpu/plan/pruned/facts.hpp"

namespace gannet::query::cuda {

/// Statistics of one list, among all documents or those that pass a filter. Immutable. A batch
/// reads those of tens of thousands of lists, which no cache keeps: what packing needs is in the
/// first two lines.
struct alignas(64) ListStats {
  /// The contributions, at weight 1, that the statistics are of.
  Contribution unit;
  /// No contribution is larger. The codes of the list's bounds are multiples of it.
  float largest = 0;
  /// The largest contribution of a document that is counted (ListStatsTable::counted()). It may be
  /// less than `largest`: deleted documents are not counted, and a list without bounds of what
  /// passes a filter keeps the `largest` of all documents.
  float best = 0;
  BoundsRoom room{};   ///< the list's bounds in device memory; null pointers: it has none
  DeviceList place{};  ///< where the list is, unless lists move (DeviceIndex::split())
  /// Lower bounds of the contributions at the ranks kKnownRanks among the documents that are
  /// counted; 0 where these are fewer.
  std::array<float, kKnownRankCount> at_rank{};

  BoundsRow row() const { return {room.codes, room.steps, room.bases, room.groups}; }
};

/// Which statistics of a list: contributions depend on how many documents of the collection have
/// the term. A word that a segment has as the only one of a union is one list there for two terms.
struct ListKey {
  index::TermId id;   ///< of the list
  TermStatistics of;  ///< unit_statistics() of the term
  auto operator<=>(const ListKey&) const = default;
};

class ListStatsTable;

/// A list whose statistics a plan needs and that nobody has computed yet.
struct MissingList {
  ListStatsTable* table;  ///< where they are to be
  ListKey key;
  const Plan* plan;
  std::size_t term;  ///< the term's number in the plan
  /// Where it is, if it is the list of a union; null: it is the segment's.
  const DeviceList* place = nullptr;
};

}  // namespace gannet::query::cuda
