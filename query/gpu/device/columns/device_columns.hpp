// Columns on a device: fields, and bitmaps of filters.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/gpu/device/columns/bitmap_stack.hpp"
#include "query/gpu/device/columns/device_fields.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/columns/match_counter.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/filter_programs.hpp"
#include "query/memory/bounded_pool.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query::cuda {

/// The stream and buffers of work on filters.
struct ColumnContext {
  codecs::cuda::OwnedStream stream;
  BitmapStack stack{stream};
  MatchCounter counter{stream};
  Arena arena;
};

/// Thread-safe. The device must be current, and the caller must not be inside the arena that it
/// passes. A limited number of calls run at the same time; others wait.
class DeviceColumns {
 public:
  struct Options {
    std::uint64_t bytes;  ///< of device memory for fields
    std::size_t calls;    ///< that run at the same time
  };
  /// `segments`: the copies of the index's segments on the device. `budget`: that of the device.
  DeviceColumns(std::shared_ptr<const index::Index> index, std::vector<DeviceSegment> segments,
                const Options& options, MemoryBudget& budget);

  /// A field of a segment on the device; null if it cannot be there. Throws CancelledError.
  std::shared_ptr<const DeviceField> field(const index::FieldColumn& column, tbb::task_arena& arena,
                                           const std::stop_token& stop) {
    return fields_.of(column, arena, stop);
  }

  /// Writes the bitmaps and ranges of all `programs`, filters of one segment of `documents`
  /// documents, to as many slots. Returns how many documents pass each. Waits for the device.
  /// Throws CancelledError, DeviceMemoryError, CudaError.
  std::vector<std::uint64_t> find_filters(FilterPrograms& programs, std::uint32_t documents,
                                          std::span<const FilterSlot> slots,
                                          const std::stop_token& stop);

  /// The fields of the index that are on the device.
  DeviceFields& fields() { return fields_; }

  /// Bytes of device memory that fields take.
  std::uint64_t bytes() const { return fields_.bytes(); }

 private:
  std::shared_ptr<const index::Index> index_;
  std::vector<DeviceSegment> segments_;
  DeviceFields fields_;
  BoundedPool<ColumnContext> contexts_;
  MemoryBudget::Owner owner_;  ///< of the contexts; last, since it refers to them
};

}  // namespace gannet::query::cuda
