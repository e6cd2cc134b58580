// Fields at work on a device: filters as bitmaps, and what columns say of all documents that match
// a plan.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/columns/filter_program.hpp"
#include "query/gpu/device/columns/match_counter.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/memory/bounded_pool.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

class DeviceFilters;

/// The stream and buffers of work on columns.
struct ColumnContext {
  codecs::cuda::OwnedStream stream;
  BitmapStack stack{stream};
  MatchCounter counter{stream};
  Arena arena;
};

/// Any number of threads may use it, with the device current and outside of the arena that they
/// give; some of them have work under way at the same time.
class DeviceColumns {
 public:
  struct Options {
    std::uint64_t bytes;  ///< of device memory, for fields
    std::size_t calls;    ///< at the same time; others wait
  };
  /// `segments` are those of the index, on the device, whose budget this is.
  DeviceColumns(std::shared_ptr<const index::Index> index, std::vector<DeviceSegment> segments,
                const Options& options, MemoryBudget& budget);

  /// The documents of a segment that pass; null if the host must find out. Throws UsageError for
  /// fields that the index has not, CancelledError, CudaError.
  std::shared_ptr<const DeviceFilter> make_filter(std::size_t segment, const Filter& filter,
                                                  tbb::task_arena& arena,
                                                  const std::stop_token& stop);

  /// What is asked for, as far as it can be found out here, of the documents that match plan
  /// `number`, by segment. Throws what make_filter() and the host's search throw.
  ColumnFindings look(const BoundPlans& plans, std::size_t number, const ColumnWork& work,
                      DeviceFilters& filters, tbb::task_arena& arena, const std::stop_token& stop);

  /// Device memory that fields take.
  std::uint64_t bytes() const { return fields_.bytes(); }

 private:
  /// Null where a field cannot be on the device.
  struct Fields {
    std::vector<std::shared_ptr<const DeviceField>> counted;
    std::shared_ptr<const DeviceField> first;
  };
  using FilterPointers = std::vector<std::shared_ptr<const DeviceFilter>>;

  Fields fields_of(std::size_t segment, const ColumnWork& work, tbb::task_arena& arena,
                   const std::stop_token& stop);
  void push_plan(const BoundPlans& plans, std::size_t number, std::size_t segment,
                 const FilterPointers& filters, BitmapStack& stack) const;
  std::vector<MarkedList> lists_of(std::span<const index::TermId> ids, std::size_t segment) const;
  SegmentFindings look(const BoundPlans& plans, std::size_t number, std::size_t segment,
                       const ColumnWork& work, DeviceFilters& filters, tbb::task_arena& arena,
                       const std::stop_token& stop);
  static SegmentFindings look_at_top(const Fields& fields, const ColumnWork& work,
                                     ColumnContext& context);

  std::shared_ptr<const index::Index> index_;
  std::vector<DeviceSegment> segments_;
  DeviceFields fields_;
  BoundedPool<ColumnContext> contexts_;
  MemoryBudget::Owner owner_;  ///< of the contexts; the last: nobody asks before or after
};

}  // namespace gannet::query::cuda
