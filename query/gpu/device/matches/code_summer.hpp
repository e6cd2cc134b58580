// Number, extremes and sum of the values of matches, on the device.
#pragma once

#include <cstdint>
#include <optional>

#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/plan/columns/float_sums.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream. The memory is kept for the next use. Not thread-safe.
class CodeSummer {
 public:
  explicit CodeSummer(cudaStream_t stream) : stream_(stream) {}

  /// Queues the work. `sums` is 0. Waits for nothing. False if there is no way to do it; then
  /// nothing is queued. Throws DeviceMemoryError.
  bool start(const DeviceField& field, const std::uint64_t* matches, FieldSums* sums);
  /// What start() queued, after a wait for the stream: CodeCounter::take(). Waits for the device
  /// again where floats differ so much that 128 bits did not hold all.
  std::optional<CodeTotals> take(const FieldSums& sums, std::uint64_t matches);

 private:
  bool start_floats(const DeviceField& field, const std::uint64_t* matches, FieldSums* sums);
  const unsigned long long* fetch_rare();

  cudaStream_t stream_;
  std::optional<FloatSums> floats_;  ///< nothing: the field has other values
  BudgetArray<unsigned long long> rare_;
  codecs::cuda::PinnedArray<unsigned long long> host_rare_;
};

}  // namespace gannet::query::cuda
