// A stack of bitmaps of a segment's documents in device memory, with which plans are evaluated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

/// All operations queue work on one stream and wait for nothing, except that new bitmaps may be
/// allocated. The memory is kept for the next use. Not thread-safe.
class BitmapStack {
 public:
  explicit BitmapStack(cudaStream_t stream) : stream_(stream) {}

  /// Empties the stack. Bitmaps have `documents` documents from now on.
  void begin(std::uint32_t documents);

  void push_none();
  void push_all();
  /// Pushes a copy of a bitmap; null stands for all documents.
  void push(const std::uint64_t* words);
  /// Pushes the documents that are in any of the lists.
  void push_lists(std::span<const MarkedList> lists);

  /// Combines the two bitmaps on top.
  void all() { combine(BitmapOperation::kAnd); }
  void any() { combine(BitmapOperation::kOr); }
  void negate();

  std::uint32_t documents() const { return documents_; }
  std::uint64_t* top() { return bitmaps_[size_ - 1].data(); }

 private:
  std::uint64_t* grow();
  void combine(BitmapOperation operation);

  cudaStream_t stream_;
  std::vector<BudgetArray<std::uint64_t>> bitmaps_;
  std::size_t size_ = 0;
  std::uint32_t documents_ = 0;
};

}  // namespace gannet::query::cuda
