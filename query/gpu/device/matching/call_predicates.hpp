// Bitmaps of the predicates inside expressions of a call's plans.
#pragma once

#include <tbb/task_arena.h>

#include <memory>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// Holds the bitmaps as long as it lives. Immutable.
class CallPredicates {
 public:
  /// No plan has any.
  CallPredicates() = default;
  /// Makes the bitmaps of the plans `chosen`, which have predicates, in all segments of the index.
  /// Throws what DeviceFilters::of() throws.
  CallPredicates(DeviceFilters& filters, const BoundPlans& plans,
                 std::span<const std::size_t> chosen, std::size_t segments, tbb::task_arena& arena,
                 const std::stop_token& stop);

  /// Of a plan with predicates, which must be one of these plans: one per predicate.
  std::span<const std::shared_ptr<const DeviceFilter>> of(std::size_t segment,
                                                          std::size_t plan) const {
    return by_segment_[segment].at(plan);
  }

 private:
  using Pointers = std::vector<std::shared_ptr<const DeviceFilter>>;
  std::vector<std::unordered_map<std::size_t, Pointers>> by_segment_;
};

}  // namespace gannet::query::cuda
