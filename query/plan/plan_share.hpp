// Which plans of a call a back end runs, where several that have the same index share them.
#pragma once

#include <algorithm>
#include <cstddef>

namespace gannet::query {

/// Stripes in turn: so all are through with about the first plans at the same time, whose results
/// can be laid out then. The same ones in every call: what a device knows of the lists of its plans
/// serves when they come again.
struct PlanShare {
  std::size_t number = 0;  ///< of this one
  std::size_t of = 1;      ///< shares in all
  std::size_t stripe = 1;  ///< plans

  bool has(std::size_t plan) const { return plan / stripe % of == number; }
};

/// The share of one of several back ends: none has more than a quarter more plans than another. Not
/// plan by plan, since neighbours are in the same cache lines.
inline PlanShare share_of(std::size_t number, std::size_t of, std::size_t plans) {
  constexpr std::size_t kMaxStripe = 32;
  return {number, of, std::clamp<std::size_t>(plans / (4 * of), 1, kMaxStripe)};
}

}  // namespace gannet::query
