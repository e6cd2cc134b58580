// Statistics of lists as the kernels that compute them see them: plain structs in device memory. A
// ListStats (list_stats.hpp) is made of a list's facts.
#pragma once

#include <cstdint>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Device memory for the bounds of a list; see BoundsRow.
struct BoundsRoom {
  std::uint8_t* codes;   ///< superblocks * 16
  std::uint16_t* steps;  ///< superblocks + 1
  std::uint32_t* bases;
  std::uint32_t* groups;  ///< kGroupsPerTile per tile, and one; null: groups are tiles
};

/// A list whose statistics are to be computed.
struct FactList : ListLocation {
  PlanConstants scoring;
  TermConstants constants;       ///< at weight 1
  const std::uint32_t* lengths;  ///< of the list's text
  /// Null pointers: the list gets no bounds. With a filter only the codes are written; the other
  /// arrays are those among all documents.
  BoundsRoom row;
};

/// The statistics of a list: contributions at weight 1, as the bits of floats. 0 before the kernels
/// run.
struct ListFacts {
  std::uint32_t largest;
  /// The largest among the documents that are counted.
  std::uint32_t best;
  /// Lower bounds of the contributions at the ranks kKnownRanks among the documents that are
  /// counted; 0 where these are fewer.
  std::uint32_t at_rank[kKnownRankCount];
};

/// Lists of one segment for one scorer, among all documents or those that pass a filter: a
/// parameter of kernels.
struct FactsView {
  IndexView index;
  const std::uint64_t* filter;  ///< FilterView::words; null: all documents
  /// Of the documents that pass the filter, those whose contributions have ranks: one bit each;
  /// null: all. Documents that are deleted have bounds, since that costs nothing, and no ranks.
  const std::uint64_t* counted;
  ScorerId scorer;            ///< of all lists
  std::uint32_t superblocks;  ///< padded_superblocks()
  std::uint32_t list_count;   ///< at most 65,535
  std::uint32_t most_tiles;   ///< tiles of the longest list
  std::uint32_t ranks[kKnownRankCount];
  const FactList* lists;
  ListFacts* facts;
  std::uint32_t* sizes;  ///< kSizeBuckets per list; 0 before the kernels run
};

}  // namespace gannet::query::cuda
