// What columns say of a bitmap of documents on the device.
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

/// Works on its stream, and waits for it. `matches` are finished bitmaps of a segment, those of the
/// fields that are asked. Keeps its memory for the next time. Not thread-safe.
class MatchCounter {
 public:
  /// Documents that are sorted on the device, at most.
  static constexpr std::uint32_t kMaxFirst = tuning::kBlockSorted;
  /// Codes that are counted on the device, at most.
  static constexpr std::uint64_t kMaxCodes = std::uint64_t{1} << 22;

  explicit MatchCounter(cudaStream_t stream) : stream_(stream) {}

  /// How many documents the bitmap has; `ranges` becomes FilterView::ranges, if there are any.
  std::uint64_t count(const std::uint64_t* matches, std::uint32_t documents,
                      std::uint16_t* ranges = nullptr);

  /// Of a field with one value and at most kMaxCodes codes.
  std::vector<NumberCount> count_codes(const DeviceField& field, const std::uint64_t* matches);

  /// The first of `count` matches, as far as they have the field, which has one value; k is from 1
  /// to kMaxFirst. Nothing if there were too many to choose from.
  std::optional<std::vector<FirstDocument>> first(const DeviceField& field,
                                                  const FirstWanted& wanted,
                                                  const std::uint64_t* matches,
                                                  std::uint64_t count);

  /// The bitmap on the host.
  DocumentBitmap fetch(const std::uint64_t* matches, std::uint32_t documents);

  /// Waits for whatever is queued and forgets it.
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
