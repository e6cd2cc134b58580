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

/// Made on the host, run on the device. Not thread-safe.
class FilterProgram {
 public:
  /// `filter` outlives it. Brings the fields that it asks to the device.
  FilterProgram(const SegmentFilter& filter, DeviceFields& fields, tbb::task_arena& arena,
                const std::stop_token& stop);

  /// Whether all of its fields are on the device; else there is nothing to run.
  bool usable() const { return usable_; }

  /// Room in the arena that its tables take.
  std::size_t room() const;
  void put(Arena& arena);
  /// After the arena was sent: pushes the documents that pass.
  void push(BitmapStack& stack) const;

 private:
  struct Step {
    SegmentFilter::Kind kind;
    std::size_t leaf = 0;                           ///< kCodes
    std::shared_ptr<const DeviceField> texts = {};  ///< kCodes of a stored field: who has it
    std::size_t live = 0;                           ///< kLive: number in live_
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
