// What columns say of all documents that match plans, several plans at the same time.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "query/backend/backend.hpp"
#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/device_columns.hpp"
#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/matches/column_pass.hpp"
#include "query/gpu/device/matches/plan_matches.hpp"
#include "query/memory/bounded_pool.hpp"

namespace gannet::query::cuda {

/// The stream and buffers of one plan at a time.
struct ColumnPassContext {
  codecs::cuda::OwnedStream stream;
  BitmapStack stack{stream};
  ColumnPass pass{stream};
};

/// Streams with their buffers, and what is known of fields, which all calls share. Thread-safe.
class ColumnPassContexts {
 public:
  /// Plans that are on the device at the same time. Each waits for the host now and then: launches,
  /// copies, the way back.
  static constexpr std::size_t kPlans = 8;

  explicit ColumnPassContexts(MemoryBudget& budget);
  BoundedPool<ColumnPassContext>& pool() { return pool_; }
  RepeatedCodesCache& repeated() { return repeated_; }

 private:
  RepeatedCodesCache repeated_;
  BoundedPool<ColumnPassContext> pool_;
  MemoryBudget::Owner owner_;  ///< last, since it refers to the pool
};

/// The columns of one call, whose plans ask for the same. The caller holds the segments' lists
/// (HeldLists). look() is thread-safe.
class MatchColumns {
 public:
  /// What calls share; it must outlive this.
  struct Parts {
    const std::vector<DeviceSegment>& segments;
    DeviceColumns& columns;
    DeviceFilters& filters;
    ColumnPassContexts& contexts;
    tbb::task_arena& arena;  ///< the callers of all functions must not be inside
  };

  /// Copies the fields of `work` to the current device, unless they are there. Throws
  /// CancelledError, CudaError.
  MatchColumns(const Parts& parts, const ColumnWork& work, const std::stop_token& stop);

  /// The parts of the work that the device can do, for plan `number`, by segment: if anything is
  /// left, the matches of all segments too. The device must be current. Waits for it. Throws
  /// DeviceMemoryError if there is no room, and what the host's search throws.
  ColumnFindings look(const BoundPlans& plans, std::size_t number) const;

 private:
  FilterPointers filters_of(const Plan& plan, std::size_t segment) const;
  SegmentFindings look(const BoundPlans& plans, std::size_t number, std::size_t segment,
                       const SegmentFields& fields, const ColumnWork& work) const;

  Parts parts_;
  ColumnWork work_;
  std::stop_token stop_;
  std::vector<SegmentFields> fields_;  ///< by segment
};

}  // namespace gannet::query::cuda
