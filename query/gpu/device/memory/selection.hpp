// From the finalists of a batch to each query's k best, sorted, in host memory.
#pragma once

#include <span>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/launch.hpp"

namespace gannet::query::cuda {

/// The finalists of a batch, and counters for the host, in device memory.
struct Finalists {
  const SelectQuery* queries;
  std::uint32_t query_count;
  std::uint32_t stride;  ///< the largest k
  const std::uint64_t* keys;
  const std::uint32_t* counts;
  std::span<const std::uint64_t> counters;
};

/// Buffers for the results of one batch at a time. Not thread-safe.
class Selection {
 public:
  /// Queues the selection and the copies to the host. Waits for nothing. The kernel writes small
  /// results to host memory itself. Throws DeviceMemoryError.
  void start(const Finalists& finalists, cudaStream_t stream);
  /// The event before the copy of the keys, which is the last work that start() queued; null if the
  /// kernel wrote them.
  const codecs::cuda::Event* copying() const { return direct_ ? nullptr : &selected_last_; }

  // After a wait for the stream:

  /// Whether a query had more finalists than room; it has no keys then.
  bool lost(std::size_t q) const { return counts_.data()[q] == kLost; }
  /// The keys of query q, best first. The caller may change them.
  std::span<std::uint64_t> keys(std::size_t q) {
    return {keys_.data() + q * stride_, counts_.data()[q]};
  }
  /// A number of Finalists::counters.
  std::uint64_t counter(std::size_t i) const { return counters_.data()[i]; }

  /// Bytes of device memory that the results of a batch take.
  static std::uint64_t bytes(std::size_t queries, std::uint32_t stride) {
    return std::uint64_t{queries} * stride * 2 * sizeof(std::uint64_t);
  }

 private:
  std::uint32_t stride_ = 0;
  bool direct_ = true;
  codecs::cuda::Event selected_last_;
  codecs::cuda::PinnedArray<std::uint64_t> keys_, counters_;
  codecs::cuda::PinnedArray<std::uint32_t> counts_;
  BudgetArray<std::uint64_t> selected_, sorted_;
  BudgetArray<std::int64_t> ends_;
  BudgetArray<unsigned char> scratch_;
};

}  // namespace gannet::query::cuda
