// Counts and orders the documents of a bitmap on the device, by a column.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"

namespace gannet::query::cuda {

/// Queues work on its stream and waits for it. `matches`: finished bitmaps of the segment that the
/// fields are of. The memory is kept for the next use. Not thread-safe. Throws DeviceMemoryError.
class MatchCounter {
 public:
  /// Documents that first() gives, at most.
  static constexpr std::uint32_t kMaxFirst = tuning::kBlockSorted;
  /// Codes of a field that count_codes() takes, at most.
  static constexpr std::uint64_t kMaxCodes = std::uint64_t{1} << 22;

  explicit MatchCounter(cudaStream_t stream) : stream_(stream) {}

  /// The number of documents in the bitmap. Unless null, `ranges` gets FilterView::ranges.
  std::uint64_t count(const std::uint64_t* matches, std::uint32_t documents,
                      std::uint16_t* ranges = nullptr);

  /// How often each code occurs among the matches; codes that do not occur are left out. For fields
  /// with at most one value per document and kMaxCodes codes.
  std::vector<NumberCount> count_codes(const DeviceField& field, const std::uint64_t* matches);

  /// The first k of `count` matches in the order of a field; only documents that have it. For
  /// fields with at most one value per document; k is from 1 to kMaxFirst. Nothing if there were
  /// too many to choose from.
  std::optional<std::vector<FirstDocument>> first(const DeviceField& field,
                                                  const FirstWanted& wanted,
                                                  const std::uint64_t* matches,
                                                  std::uint64_t count);

  /// Copies the bitmap to the host.
  DocumentBitmap fetch(const std::uint64_t* matches, std::uint32_t documents);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

 private:
  void wait();
  CodeOrder order_by_sample(const DeviceField& field, const FirstWanted& wanted,
                            const std::uint64_t* matches);

  cudaStream_t stream_;
  Selection selection_;
  BudgetArray<std::uint32_t> counts_, counters_;
  BudgetArray<std::uint64_t> sample_, best_, keys_;
  codecs::cuda::PinnedArray<std::uint32_t> host_counts_, host_counters_;
  codecs::cuda::PinnedArray<std::uint64_t> host_words_;
  codecs::cuda::PinnedArray<SelectQuery> queries_;
};

}  // namespace gannet::query::cuda
