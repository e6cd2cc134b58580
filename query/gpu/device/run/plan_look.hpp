// What a call wants to know of each plan before it sorts them.
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

/// Found out in parallel: the thread that sorts would wait for memory at every plan.
struct PlanLook {
  std::optional<HostReason> for_host;  ///< why the device cannot run it; nothing: it can
  bool no_hits;                        ///< it wants the best 0
  bool many_terms;                     ///< it may be searched by windows
  bool like_first;                     ///< same_scoring() as the first plan of the call
  bool filtered;                       ///< it has a filter
  Want want;
  std::uint32_t size;  ///< of k: plans of the same size may share a batch
  std::uint32_t terms;
};

/// But for `for_host`, which says that the device can run it. `first`: of the call.
PlanLook look_at(const Plan& plan, const Plan& first);

/// Why the device cannot run a plan in the segments; nothing if it can. `pruned`: whether searches
/// are pruned.
std::optional<HostReason> reason_for_host(const BoundPlans& plans, std::size_t plan, bool pruned,
                                          std::span<const DeviceSegment> segments,
                                          const DeviceShape& shape);

}  // namespace gannet::query::cuda
