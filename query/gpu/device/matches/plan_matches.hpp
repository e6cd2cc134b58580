// The documents that match a plan, as a bitmap in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/gpu/device/columns/bitmap_stack.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

using FilterPointers = std::vector<std::shared_ptr<const DeviceFilter>>;

/// A plan in a segment.
struct PlanInSegment {
  const Plan& plan;
  std::span<const index::TermId> ids;  ///< of the plan's terms in the segment
  const DeviceSegment& segment;
  /// Those of the plan's predicates, then the plan's own one, if it has one.
  const FilterPointers& filters;
};

/// Empties the stack and pushes the documents that match. Returns a bound of how many these are,
/// without waiting for the device. Throws FormatError for a damaged list.
std::uint64_t push_matches(const PlanInSegment& where, BitmapStack& stack);

}  // namespace gannet::query::cuda
