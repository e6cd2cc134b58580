// Bitmaps of a segment's documents on a stack in device memory: what filters and plans are
// evaluated with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/columns/code_leaf.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream and waits for nothing. Keeps its memory for the next time. Not
/// thread-safe.
class BitmapStack {
 public:
  explicit BitmapStack(cudaStream_t stream) : stream_(stream) {}

  /// Empties the stack. Bitmaps are of `documents` documents from now on.
  void begin(std::uint32_t documents);

  void push_none();
  void push_all();
  /// A copy of a bitmap; null stands for all documents.
  void push(const std::uint64_t* words);
  /// Documents of any of the lists.
  void push_lists(std::span<const MarkedList> lists);
  /// Documents that have the field with one of the codes.
  void push_codes(const CodeLeaf& leaf);

  /// The two on top become one.
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
  BudgetArray<std::uint64_t> values_;  ///< a bit per value
  std::size_t size_ = 0;
  std::uint32_t documents_ = 0;
};

}  // namespace gannet::query::cuda
