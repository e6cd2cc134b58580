// The largest of many keys that a kernel finds, without writing all of them down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"

namespace gannet::query::cuda {

/// The k largest keys of a sample of the items are a threshold, which about as many items reach as
/// the sample has; the k largest are chosen among these. Queues work on its stream. The memory is
/// kept for the next use. Not thread-safe.
class LargestKeys {
 public:
  /// The largest k.
  static constexpr std::uint32_t kMost = tuning::kBlockSorted;

  explicit LargestKeys(cudaStream_t stream) : stream_(stream) {}

  /// Queues the search for the k (1 to kMost) largest keys. `append(stride, order, list, last)`
  /// queues a kernel that appends the keys of every stride-th of `groups` groups of `group` items
  /// that reach the threshold of `order`; it is called for the sample, if there is one, and then,
  /// with `last`, for all items. Keys differ. Waits for nothing. Throws DeviceMemoryError.
  template <class Append>
  void start(std::uint32_t groups, std::uint32_t group, std::uint32_t k, CodeOrder order,
             const Append& append) {
    const std::uint64_t items = std::uint64_t{groups} * group;
    begin();
    order.k = k;
    if (items > kFewItems) {
      const std::uint32_t stride = stride_of(groups, group, k);
      const KeyList sample = sample_list(codecs::ceil_div(groups, stride) * group);
      append(stride, order, sample, false);
      choose_sample(k, sample, order);
    }
    const KeyList list = all_list(items);
    append(1u, order, list, true);
    choose(k, list);
  }

  // After a wait for the stream:

  /// Whether more items reached the threshold than there is room for; there are no keys then.
  bool lost() const { return selection_.lost(0); }
  /// The largest keys, the largest first; k of them, if there are so many.
  std::span<const std::uint64_t> keys() { return selection_.keys(0); }

 private:
  /// Up to this many items are all candidates: choosing among them costs less than a sample.
  static constexpr std::uint64_t kFewItems = 4096;

  static std::uint32_t stride_of(std::uint32_t groups, std::uint32_t group, std::uint32_t k);
  void begin();
  KeyList sample_list(std::uint32_t room);
  KeyList all_list(std::uint64_t items);
  void choose_sample(std::uint32_t k, const KeyList& list, CodeOrder& order);
  void choose(std::uint32_t k, const KeyList& list);

  cudaStream_t stream_;
  Selection selection_;
  BudgetArray<std::uint32_t> counters_;  ///< keys of the sample, of all; those that were chosen
  BudgetArray<std::uint64_t> sample_, best_, keys_;
  codecs::cuda::PinnedArray<SelectQuery> queries_;
};

}  // namespace gannet::query::cuda
