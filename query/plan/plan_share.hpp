// The plans of a call that one of several back ends runs, if they have copies of one index.
#pragma once

#include <algorithm>
#include <cstddef>

namespace gannet::query {

/// The shares take stripes of consecutive plans in turn. So all back ends run the first plans of a
/// call at about the same time, and the results of these can be laid out early. The shares of calls
/// with equal numbers of plans are equal, so a device that gets a batch again has the list
/// statistics of its plans.
struct PlanShare {
  std::size_t number = 0;  ///< number of this share, 0 .. of - 1
  std::size_t of = 1;      ///< number of shares, at least 1
  std::size_t stripe = 1;  ///< plans in a stripe, at least 1

  /// True if plan number `plan` of the call belongs to this share.
  bool has(std::size_t plan) const { return plan / stripe % of == number; }
};

/// Share `number` of `of` (at least 1) shares of a call with `plans` plans. If there are at least
/// 4 * of plans, no share has more than 5/4 of the plans of another; with fewer plans, the shares
/// differ by at most one plan. Stripes have up to 32 plans, since results of neighbouring plans lie
/// in one cache line.
inline PlanShare share_of(std::size_t number, std::size_t of, std::size_t plans) {
  constexpr std::size_t kMaxStripe = 32;
  return {number, of, std::clamp<std::size_t>(plans / (4 * of), 1, kMaxStripe)};
}

}  // namespace gannet::query
