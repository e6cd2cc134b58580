// How many matches have a value in each bin of a histogram, on the device.
#pragma once

#include <cstdint>

#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/plan/columns/code_bins.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream. The memory is kept for the next use. Not thread-safe.
class BinCounter {
 public:
  explicit BinCounter(cudaStream_t stream) : stream_(stream) {}

  /// Queues the counting. `firsts`: those of the bins in device memory; `sums` is 0. Waits for
  /// nothing. Throws DeviceMemoryError.
  void start(const DeviceField& field, const CodeBins& bins, const std::uint32_t* firsts,
             const std::uint64_t* matches, FieldSums* sums);
  /// What start() queued, after a wait for the stream: CodeCounter::take().
  BinCounts take(const FieldSums& sums, std::uint64_t matches) const;

 private:
  cudaStream_t stream_;
  std::uint64_t first_ = 0;
  std::uint32_t bins_ = 0;
  BudgetArray<std::uint32_t> counts_;
  codecs::cuda::PinnedArray<std::uint32_t> host_counts_;
};

}  // namespace gannet::query::cuda
