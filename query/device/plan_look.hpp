// What a call wants to know of each plan before it sorts them.
#pragma once

#include <cstdint>

#include "query/plan.hpp"

namespace gannet::query::cuda {

/// Found out in parallel: the thread that sorts would wait for memory at every plan.
struct PlanLook {
  bool fits;        ///< the device can run it
  bool no_hits;     ///< it wants the best 0
  bool many_terms;  ///< it may be searched by windows
  bool like_first;  ///< same_scoring() as the first plan of the call
  bool filtered;    ///< it has a filter
  Want want;
  std::uint32_t size;  ///< of k: plans of the same size may share a batch
  std::uint32_t terms;
};

/// But for `fits`, which is true. `first`: of the call.
PlanLook look_at(const Plan& plan, const Plan& first);

}  // namespace gannet::query::cuda
