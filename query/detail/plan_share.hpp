// Which plans of a call a back end runs, where several that have the same index share them.
#pragma once

#include <cstddef>

namespace gannet::query {

/// Stripes in turn: so all are through with about the first plans at the same time, whose results
/// can be laid out then. The same ones in every call: what a device knows of the lists of its plans
/// serves when they come again.
struct PlanShare {
  static constexpr std::size_t kStripe = 32;

  std::size_t number = 0;  ///< of this one
  std::size_t of = 1;      ///< so many

  bool has(std::size_t plan) const { return plan / kStripe % of == number; }
};

}  // namespace gannet::query
