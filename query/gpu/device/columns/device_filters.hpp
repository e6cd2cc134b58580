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

/// The filters of an index on one device, by segment and filter. If they take more than `bytes`,
/// the least recently used ones are freed; filters in use stay. Thread-safe. The device must be
/// current.
class DeviceFilters {
 public:
  /// `columns` makes the filters, or the host if `columns` cannot; it must outlive this. `budget`:
  /// that of the device.
  DeviceFilters(std::shared_ptr<const index::Index> index, DeviceColumns& columns,
                std::uint64_t bytes, MemoryBudget& budget);

  /// A filter's documents in a segment, from the cache or made now.
  /// Throws FormatError for a damaged column, UsageError for fields that the index does not have,
  /// CancelledError, DeviceMemoryError.
  std::shared_ptr<const DeviceFilter> of(std::size_t segment, const Filter& filter,
                                         tbb::task_arena& arena, const std::stop_token& stop);

  /// Frees filters that are not in use, until the others take no more than `bytes`.
  void trim();

  std::uint64_t bytes() const;
  /// How many filters of segments were made so far.
  std::uint64_t made() const;

 private:
  std::shared_ptr<const DeviceFilter> make(const FilterKey& key, tbb::task_arena& arena,
                                           const std::stop_token& stop);
  std::shared_ptr<const DeviceFilter> keep(const FilterKey& key,
                                           std::shared_ptr<const DeviceFilter> made);
  bool give_back(std::uint64_t bytes);

  DeviceColumns& columns_;
  FilterCache host_;  ///< keeps no bitmaps: they are used on the device
  std::uint64_t room_;
  mutable std::mutex mutex_;
  FilterTable<const DeviceFilter> table_;
  std::uint64_t made_ = 0;
  MemoryBudget::Owner owner_;  ///< last, since it refers to the members above
};

/// The filters of the plans of one call. Immutable.
class CallFilters {
 public:
  /// Makes the filters of the plans `filtered`, each of which has one, in all segments of the
  /// index.
  CallFilters(DeviceFilters& filters, const BoundPlans& plans,
              std::span<const std::size_t> filtered, std::size_t segments, tbb::task_arena& arena,
              const std::stop_token& stop);

  /// The plan's filter in the segment; null if it has none.
  const DeviceFilter* of(std::size_t segment, std::size_t plan) const {
    return by_segment_.empty() ? nullptr : by_segment_[segment][plan].get();
  }
  /// The plan's filter in the segment, shared. The plan must have one.
  const std::shared_ptr<const DeviceFilter>& share(std::size_t segment, std::size_t plan) const {
    return by_segment_[segment][plan];
  }

 private:
  /// By segment and plan; empty if no plan has a filter.
  std::vector<std::vector<std::shared_ptr<const DeviceFilter>>> by_segment_;
};

}  // namespace gannet::query::cuda
