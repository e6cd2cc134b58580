// What a call needs to know of each plan before it sorts them into batches.
#pragma once

#include <cstdint>

#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// Traits of a plan, side by side in one array. Plans are large: a thread that sorted them by their
/// own members would wait for memory at each. Therefore several threads compute the traits first.
struct PlanTraits {
  bool no_hits;            ///< it asks for the best 0
  bool many_terms;         ///< PrunedPath::kWindows is possible
  bool like_first;         ///< same_scoring() as the first plan of the call
  bool filtered;           ///< it has a filter
  bool filtered_as_first;  ///< its filter is that of the first plan of the call
  bool unions;             ///< it is ranked and has unions of terms, or has phrases
  bool predicates;         ///< it has predicates inside its expression
  bool by_bounds;          ///< it takes PrunedPath::kBounds if it has all of its lists
  Want want;
  std::uint32_t size;   ///< k, rounded up to a power of two: plans of one size may share a batch
  std::uint32_t lists;  ///< count_lists()
};

/// The traits of a plan. `first`: the first plan of the call.
PlanTraits traits_of(const Plan& plan, const Plan& first);

}  // namespace gannet::query::cuda
