// The merged list of a union of terms in device memory.
#pragma once

#include <cstdint>
#include <memory>

#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/placed_union.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query::cuda {

/// Immutable. Kernels read it as a list of its segment, from memory of its own.
class DeviceUnion {
 public:
  /// Copies the list to the current device. `segment`: that of the list, with `view` as its copy on
  /// the device; `number`: see PlacedUnion. Synchronous. Throws DeviceMemoryError.
  DeviceUnion(const index::Segment& segment, const IndexView& view,
              std::shared_ptr<const MadeList> list, index::TermId number);

  const PlacedUnion& placed() const { return placed_; }
  const std::shared_ptr<const MadeList>& list() const { return list_; }
  /// Bytes of device memory.
  std::uint64_t bytes() const { return words_.bytes(); }

 private:
  std::shared_ptr<const MadeList> list_;
  BudgetArray<std::uint32_t> words_;  ///< of the list, then the last docid of each tile
  PlacedUnion placed_;
};

}  // namespace gannet::query::cuda
