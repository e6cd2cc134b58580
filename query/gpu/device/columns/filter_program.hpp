// A filter of a segment as steps on a stack of bitmaps.
#pragma once

#include <tbb/task_arena.h>

#include <memory>
#include <stop_token>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/filter/segment_filter.hpp"
#include "query/gpu/device/columns/bitmap_stack.hpp"
#include "query/gpu/device/columns/code_leaf.hpp"
#include "query/gpu/device/columns/device_fields.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

/// Made on the host, run on the device. Queues work on the stack's stream. Not thread-safe.
class FilterProgram {
 public:
  /// `filter` must outlive it. Copies the fields that it needs to the device, unless they are
  /// there.
  FilterProgram(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
                const std::stop_token& stop);

  /// Whether all of its fields are on the device. If not, it cannot be run.
  bool usable() const { return usable_; }

  /// Bytes in the arena that its tables take.
  std::size_t room() const;
  void put(Arena& arena);
  /// Pushes the documents that pass, after the arena was sent.
  void push(BitmapStack& stack) const;

 private:
  struct Step {
    SegmentFilter::Kind kind;
    std::size_t leaf = 0;  ///< kCodes
    std::shared_ptr<const DeviceField> texts =
        {};                ///< kCodes of a stored field: which documents have it
    std::size_t live = 0;  ///< kLive: number in live_
  };

  void add(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
           const std::stop_token& stop);
  void add_live(const index::LiveDocuments& live);
  void add_leaf(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
                const std::stop_token& stop);

  std::vector<Step> steps_;
  std::vector<CodeLeaf> leaves_;
  std::vector<BudgetArray<std::uint64_t>> live_;
  bool usable_ = true;
};

}  // namespace gannet::query::cuda
