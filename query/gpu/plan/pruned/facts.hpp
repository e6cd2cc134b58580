// What is to be known of lists before they are searched, and how kernels are asked for it.
#pragma once

#include <cstdint>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Where the bounds of a list go; see BoundsRow.
struct BoundsRoom {
  std::uint8_t* codes;   ///< superblocks * 16
  std::uint16_t* steps;  ///< superblocks + 1
  std::uint32_t* bases;
  std::uint32_t* groups;  ///< kGroupsPerTile a tile, and one; null: groups are tiles
};

/// A list of which something is to be known.
struct FactList : ListPlace {
  TermConstants constants;  ///< at weight 1
  /// Null pointers: no bounds are wanted. With a filter all but the codes is there already.
  BoundsRoom row;
};

/// Bits of contributions at weight 1. 0 before the kernels.
struct ListFacts {
  std::uint32_t largest;
  /// Lower bounds of those at the ranks kKnownRanks; 0 where the list is shorter.
  std::uint32_t at_rank[kKnownRankCount];
};

/// Lists of one segment for one scorer: of all documents, or of those that pass a filter.
struct FactsView {
  IndexView index;
  const std::uint64_t* filter;  ///< FilterView::words; null: all documents
  PlanConstants scoring;
  std::uint32_t superblocks;  ///< padded_superblocks()
  std::uint32_t list_count;   ///< at most 65,535
  std::uint32_t most_tiles;   ///< of the longest list
  std::uint32_t ranks[kKnownRankCount];
  const FactList* lists;
  ListFacts* facts;
  std::uint32_t* sizes;  ///< kSizeBuckets a list; 0 before
};

}  // namespace gannet::query::cuda
