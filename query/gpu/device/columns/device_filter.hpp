// A filter of a segment as searches on the device read it.
#pragma once

#include <cstdint>
#include <utility>

#include "query/gpu/device/columns/filter_slots.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// The documents of a segment that pass a filter: as a bitmap, or as steps that searches evaluate
/// for the documents that they look at. Immutable.
class DeviceFilter {
 public:
  /// With a bitmap and its ranges, which are in `slot`.
  DeviceFilter(FilterSlot slot, std::uint64_t passing, std::uint64_t estimated)
      : slot_(std::move(slot)),
        view_(slot_.view()),
        passing_(passing),
        estimated_(estimated),
        counted_(true) {}
  /// Without a bitmap. The steps, and what they read, must outlive it. `passing`: at least so many
  /// documents pass.
  DeviceFilter(const FilterStep* steps, std::uint32_t count, std::uint64_t passing,
               std::uint64_t estimated)
      : view_{nullptr, nullptr, steps, count}, passing_(passing), estimated_(estimated) {}

  /// Whether there is a bitmap, whose documents are counted.
  bool counted() const { return counted_; }
  bool none() const { return counted_ && passing_ == 0; }
  /// How many documents pass, or pass at least if they are not counted.
  std::uint64_t passing() const { return passing_; }
  std::uint64_t estimated() const { return estimated_; }
  FilterView view() const { return view_; }
  /// Bytes of device memory of its own.
  std::uint64_t bytes() const { return slot_.bytes(); }
  /// Bytes of device memory that a bitmap over `documents` documents takes.
  static std::uint64_t bytes_for(std::uint32_t documents) {
    return FilterSlots::bytes_for(documents);
  }

 private:
  FilterSlot slot_;
  FilterView view_;
  std::uint64_t passing_, estimated_;
  bool counted_ = false;
};

}  // namespace gannet::query::cuda
