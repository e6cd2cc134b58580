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
/// of the most used lists are in device memory too. Whoever lets kernels read lists holds() the
/// words meanwhile; adapt() moves lists only when nobody does.
class SplitWords {
 public:
  /// Copies `first` and then `second`, and as many lists as fit into `room` on the current device,
  /// but for 8 words that decoders may read behind the last one. `table`: where the lists are, as
  /// offsets in both; changed to offsets from data(), now and by adapt(). It must outlive this.
  /// Synchronous. Throws DeviceMemoryError if the host has not the memory.
  SplitWords(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
             BudgetArray<std::uint32_t> room, std::span<DeviceList> table);

  const std::uint32_t* data() const { return device_.data(); }
  /// Offsets from here on are in host memory.
  std::uint64_t device_words() const { return device_.size(); }
  std::uint64_t device_bytes() const { return device_.bytes() + read_.bytes(); }
  /// In device memory: where kernels count what they read of the host's.
  unsigned long long* host_bytes_read() { return read_.data(); }

  /// Thread-safe.
  void count_use(index::TermId term) { uses_[term].fetch_add(1, std::memory_order_relaxed); }
  /// While it lives, no list moves. Any number of threads may hold the words. Waits while lists are
  /// moved; throws CancelledError when a stop is requested meanwhile.
  std::shared_lock<std::shared_timed_mutex> hold(const std::stop_token& stop) const;
  /// What kernels read of the host's memory since the last call of this, in bytes, about. Waits for
  /// no kernel. Thread-safe.
  std::uint64_t take_host_bytes();
  /// Brings the lists that were used the most since the last time to the device, if enough was read
  /// over the bus since to pay for it, and nobody holds the words. If the host has no memory for
  /// it, all lists are read from the host. Thread-safe.
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
