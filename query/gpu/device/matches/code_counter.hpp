// How often the codes of a field occur among matches, on the device.
#pragma once

#include <cstdint>
#include <optional>

#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/device/matches/largest_keys.hpp"
#include "query/gpu/device/matches/repeated_codes.hpp"
#include "query/gpu/plan/columns/counting_way.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream. The memory is kept for the next use. Not thread-safe.
class CodeCounter {
 public:
  explicit CodeCounter(cudaStream_t stream) : stream_(stream), largest_(stream) {}

  /// Queues the counting. `repeated`: of the field, or null. `most`: a bound of the number of
  /// matches. `sums` is 0. Waits for nothing. False if there is no way to do it; then nothing is
  /// queued. Throws DeviceMemoryError.
  bool start(const DeviceField& field, const RepeatedCodes* repeated, const CountsWanted& wanted,
             const std::uint64_t* matches, std::uint64_t most, FieldSums* sums);

  /// What start() queued, after a wait for the stream. `sums`: as they are now; `matches`: how many
  /// these are. Nothing if it is not known.
  std::optional<CodeCounts> take(const FieldSums& sums, std::uint64_t matches);

 private:
  void count_all(const FieldMatches& of, FieldSums* sums);
  void count_largest(const FieldMatches& of, std::uint32_t wanted, FieldSums* sums);
  void count_number(const FieldMatches& of, FieldSums* sums);
  void count_repeated(const FieldMatches& of, const RepeatedCodes& repeated, std::uint64_t most,
                      FieldSums* sums);
  CodeCounters count(const FieldMatches& of, FieldSums* sums);
  HashSlots empty_table();

  cudaStream_t stream_;
  std::uint32_t limit_ = 0;  ///< codes are below it; of 2^32 codes it is not used
  CountingWay way_;
  bool nothing_ = false;      ///< no document has the field
  bool repeated_ = false;     ///< FieldSums::documents is of those that share their code
  bool all_have_it_ = false;  ///< all documents have the field
  LargestKeys largest_;
  BudgetArray<std::uint32_t> counts_, table_;
  codecs::cuda::PinnedArray<std::uint32_t> host_counts_;
};

}  // namespace gannet::query::cuda
