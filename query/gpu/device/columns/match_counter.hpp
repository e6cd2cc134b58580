// Counts the documents of a bitmap on the device.
#pragma once

#include <cstdint>

#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream and waits for it. `matches`: finished bitmaps of a segment. The memory
/// is kept for the next use. Not thread-safe. Throws DeviceMemoryError.
class MatchCounter {
 public:
  explicit MatchCounter(cudaStream_t stream) : stream_(stream) {}

  /// The number of documents in the bitmap. Unless null, `ranges` gets FilterView::ranges.
  std::uint64_t count(const std::uint64_t* matches, std::uint32_t documents,
                      std::uint16_t* ranges = nullptr);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

 private:
  cudaStream_t stream_;
  BudgetArray<std::uint64_t> count_;
  codecs::cuda::PinnedArray<std::uint64_t> host_count_;
};

}  // namespace gannet::query::cuda
