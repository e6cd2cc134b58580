// What the pruned search knows of a list, for one scorer with its parameters.
#pragma once

#include <array>
#include <cstddef>

#include "query/bounds/contribution.hpp"
#include "query/gpu/plan/pruned/facts.hpp"

namespace gannet::query::cuda {

/// A list. Immutable.
struct KnownList {
  BoundsRoom room{};  ///< null pointers: it has no bounds
  /// The contributions, at weight 1, that this is about.
  Contribution unit;
  /// No contribution is larger: what its bounds are multiples of.
  float largest = 0;
  /// The largest contribution of a document, and lower bounds of those at the ranks kKnownRanks; 0
  /// where the list has fewer postings. Among documents that pass a filter, `best` may be less than
  /// `largest`, which is of all documents where the list has no bounds of what passes.
  float best = 0;
  std::array<float, kKnownRankCount> at_rank{};

  BoundsRow row() const { return {room.codes, room.steps, room.bases, room.groups}; }
};

class ListKnowledge;

/// A list that is to be known, for a term of a plan.
struct WantedList {
  ListKnowledge* where;  ///< who is to know it
  index::TermId id;
  const Plan* plan;
  std::size_t term;  ///< its number in the plan
};

}  // namespace gannet::query::cuda
