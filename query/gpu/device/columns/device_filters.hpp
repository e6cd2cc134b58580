// Bitmaps of filters in device memory.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/filter/filter_cache.hpp"
#include "query/gpu/device/columns/device_columns.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/memory/memory_budget.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// The filters of an index on one device, by segment and filter. Beyond `bytes`, those that were
/// not used for the longest time are thrown away; who uses one keeps it. Any number of threads may
/// use it, with the device current.
class DeviceFilters {
 public:
  /// Filters are made by `columns`, which outlives it, or where that cannot do it by the host.
  /// `budget`: of the device.
  DeviceFilters(std::shared_ptr<const index::Index> index, DeviceColumns& columns,
                std::uint64_t bytes, MemoryBudget& budget);

  /// A filter's documents in a segment: known ones, or found out now.
  /// Throws FormatError for a damaged column, UsageError for fields that the index has not,
  /// CancelledError, DeviceMemoryError.
  std::shared_ptr<const DeviceFilter> of(std::size_t segment, const Filter& filter,
                                         tbb::task_arena& arena, const std::stop_token& stop);

  /// Throws away what there is no room for and nobody uses any more.
  void trim();

  std::uint64_t bytes() const;
  /// Filters of segments that were made since it was.
  std::uint64_t made() const;

 private:
  std::shared_ptr<const DeviceFilter> make(const FilterKey& key, tbb::task_arena& arena,
                                           const std::stop_token& stop);
  std::shared_ptr<const DeviceFilter> keep(const FilterKey& key,
                                           std::shared_ptr<const DeviceFilter> made);
  bool give_back(std::uint64_t bytes);

  DeviceColumns& columns_;
  FilterCache host_;  ///< keeps none: they are wanted on the device
  std::uint64_t room_;
  mutable std::mutex mutex_;
  FilterTable<const DeviceFilter> table_;
  std::uint64_t made_ = 0;
  MemoryBudget::Owner owner_;  ///< the last: nobody asks for memory before or after
};

/// The filters of the plans of one call.
class CallFilters {
 public:
  /// Those of the `filtered` plans, which have one, in all segments of the index.
  CallFilters(DeviceFilters& filters, const BoundPlans& plans,
              std::span<const std::size_t> filtered, std::size_t segments, tbb::task_arena& arena,
              const std::stop_token& stop);

  /// The plan's filter in the segment; null if it has none.
  const DeviceFilter* of(std::size_t segment, std::size_t plan) const {
    return by_segment_.empty() ? nullptr : by_segment_[segment][plan].get();
  }
  /// The same, to be kept. The plan has a filter.
  const std::shared_ptr<const DeviceFilter>& share(std::size_t segment, std::size_t plan) const {
    return by_segment_[segment][plan];
  }

 private:
  /// By segment and plan; empty if no plan has a filter.
  std::vector<std::vector<std::shared_ptr<const DeviceFilter>>> by_segment_;
};

}  // namespace gannet::query::cuda
