// What a call needs to know of each plan before it sorts them into batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/plan/assign.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/term_binding.hpp"
#include "query/results/host_plans.hpp"

namespace gannet::query::cuda {

/// Traits of a plan, side by side in one array. Plans are large: a thread that sorted them by their
/// own members would wait for memory at each. Therefore several threads compute the traits first.
struct PlanTraits {
  std::optional<HostReason> for_host;  ///< why the device cannot run it; nothing: it can
  bool no_hits;                        ///< it asks for the best 0
  bool many_terms;                     ///< PrunedPath::kWindows is possible
  bool like_first;                     ///< same_scoring() as the first plan of the call
  bool filtered;                       ///< it has a filter
  bool filtered_as_first;              ///< its filter is that of the first plan of the call
  bool unions;                         ///< it is ranked and has unions of terms
  bool predicates;                     ///< it is not ranked and has predicates in its expression
  Want want;
  std::uint32_t size;   ///< k, rounded up to a power of two: plans of one size may share a batch
  std::uint32_t lists;  ///< count_lists()
};

/// The traits of a plan, with an empty `for_host`. `first`: the first plan of the call.
PlanTraits traits_of(const Plan& plan, const Plan& first);

/// Why the device cannot run a plan in the segments; nothing if it can. `pruned`: whether searches
/// are pruned. Takes lists * segments steps for plans of many terms, else constant time.
std::optional<HostReason> reason_for_host(const BoundPlans& plans, std::size_t plan, bool pruned,
                                          std::span<const DeviceSegment> segments,
                                          const DeviceShape& shape);

}  // namespace gannet::query::cuda
