// The words of lists of an index that is larger than its share of device memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/list_placement.hpp"

namespace gannet::query::cuda {

/// All words are in page-locked host memory, where kernels read them in place over the bus; those
/// of the most used lists are in device memory too. A caller whose kernels read lists must hold()
/// the words meanwhile; adapt() moves lists only when no caller does.
class SplitWords {
 public:
  /// Copies `first` and then `second` to host memory, and as many lists as fit into `room` words to
  /// the current device, 8 words of it excepted, which decoders may read behind the last list.
  /// `table`: where the lists are, as offsets in both; here and in adapt() they become offsets from
  /// data(). It must outlive this. Synchronous. Throws DeviceMemoryError if host memory is short.
  SplitWords(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
             BudgetArray<std::uint32_t> room, std::span<DeviceList> table);

  const std::uint32_t* data() const { return device_.data(); }
  /// Lists at this offset or above are in host memory.
  std::uint64_t device_words() const { return device_.size(); }
  std::uint64_t device_bytes() const { return device_.bytes() + read_.bytes(); }
  /// A counter in device memory: the bytes that kernels read from host memory.
  unsigned long long* host_bytes_read() { return read_.data(); }

  /// Counts a use of a list. Thread-safe.
  void count_use(index::TermId term) { uses_[term].fetch_add(1, std::memory_order_relaxed); }
  /// While it lives, no list moves. Any number of threads may hold the words. Waits while lists are
  /// moved; throws CancelledError when a stop is requested meanwhile.
  std::shared_lock<std::shared_timed_mutex> hold(const std::stop_token& stop) const;
  /// Bytes that kernels read from host memory since the last call of this function, approximately.
  /// Does not wait for kernels. Thread-safe.
  std::uint64_t take_host_bytes();
  /// Brings the lists that were used most since the last call to the device, if so much was read
  /// over the bus since then that it pays, and no caller holds the words. If host memory for the
  /// copy is short, all lists are read from the host. Waits for the device. Thread-safe.
  void adapt();

 private:
  void place(std::vector<PlacedList> placed);
  void upload(std::span<const PlacedList> placed);

  codecs::cuda::PinnedArray<std::uint32_t> host_;
  BudgetArray<std::uint32_t> device_;
  BudgetArray<unsigned long long> read_;
  std::span<DeviceList> table_;
  std::vector<ListWords> lists_;
  std::vector<PlacedList> placed_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> uses_;
  mutable std::shared_timed_mutex mutex_;
  std::mutex read_mutex_;
  std::uint64_t read_before_ = 0;
  std::atomic<std::uint64_t> read_since_{0};
  std::atomic<std::uint64_t> patience_;
};

}  // namespace gannet::query::cuda
