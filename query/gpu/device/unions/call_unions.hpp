// The unions of terms of one call's plans, on the device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "query/gpu/device/unions/device_unions.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// Keeps them there. Immutable.
class CallUnions {
 public:
  /// Copies the unions of the plans `chosen` to the device, unless they are there. Throws
  /// DeviceMemoryError.
  CallUnions(DeviceUnions& unions, const BoundPlans& plans, std::span<const std::size_t> chosen,
             std::size_t segments);

  /// Those of a plan in a segment, by term: one without a number where the term is the segment's
  /// own. Empty: the plan has no union there.
  std::span<const PlacedUnion> of(std::size_t segment, std::size_t plan) const {
    if (by_plan_.empty()) return {};
    const auto found = by_plan_.find(plan);
    return found == by_plan_.end() ? std::span<const PlacedUnion>() : found->second[segment];
  }

 private:
  std::unordered_map<std::size_t, std::vector<std::vector<PlacedUnion>>> by_plan_;
  std::vector<std::shared_ptr<const DeviceUnion>> held_;
};

}  // namespace gannet::query::cuda
