// The unions of terms of one call's plans, on the device.
#pragma once

#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "query/gpu/device/unions/device_unions.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// Keeps them there. Immutable.
class CallUnions {
 public:
  /// No plan has unions.
  CallUnions() = default;
  /// Copies the unions of the plans `chosen`, which have some, to the device, unless they are
  /// there, as many as find memory. The device must be current. Throws CancelledError.
  CallUnions(DeviceUnions& unions, const BoundPlans& plans, std::span<const std::size_t> chosen,
             std::size_t segments, tbb::task_arena& arena, const std::stop_token& stop);

  /// Plans with unions.
  std::size_t plans() const { return of_plans_.size(); }
  /// Plans of which a union found no memory, ascending: they have none here.
  std::span<const std::size_t> without_memory() const { return without_memory_; }

  /// Those of a plan in a segment, by term: one without a number where the term is the segment's
  /// own. Empty: the plan has no unions.
  std::span<const PlacedUnion> of(std::size_t segment, std::size_t plan) const {
    if (numbers_.empty() || numbers_[plan] == 0) return {};
    const OfPlan& some = of_plans_[numbers_[plan] - 1];
    return std::span(some.placed).subspan(segment * some.terms, some.terms);
  }

 private:
  struct OfPlan {
    std::size_t terms = 0;
    std::vector<PlacedUnion> placed;  ///< by segment and term
    std::vector<std::shared_ptr<const DeviceUnion>> held;
    bool complete = true;
  };
  template <class Find>
  static void place(const BoundPlans& plans, std::size_t plan, std::size_t segments, OfPlan& some,
                    Find find);

  std::vector<std::uint32_t> numbers_;  ///< by plan: 1 + its number in of_plans_, or 0
  std::vector<OfPlan> of_plans_;
  std::vector<std::size_t> without_memory_;
};

}  // namespace gannet::query::cuda
