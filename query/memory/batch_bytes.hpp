// How much memory batches should take, as it turns out, and their filters.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gannet::query {

/// Falls by half when there was less memory than that, and doubles after many calls that found it:
/// another process, or a part of this one, may have taken memory for a while. Thread-safe.
class BatchBytes {
 public:
  /// It is never less than both of these, if `most` is not: a call that never fits, whatever the
  /// others take, is not to make those slow.
  static constexpr std::uint64_t kMin = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kMinShare = 64;
  /// Calls after which more is tried.
  static constexpr std::uint32_t kPatience = 64;

  explicit BatchBytes(std::uint64_t most)
      : most_(most), least_(std::min(most, std::max(kMin, most / kMinShare))), bytes_(most) {}

  std::uint64_t get() const { return bytes_.load(std::memory_order_relaxed); }

  /// `bytes`: what get() said when the work began, so that of several calls that fail at the same
  /// time one halves it.
  void failed(std::uint64_t bytes) {
    found_.store(0, std::memory_order_relaxed);
    const std::uint64_t half = std::max(least_, bytes / 2);
    bytes_.compare_exchange_strong(bytes, half, std::memory_order_relaxed);
  }

  void found() {
    std::uint64_t now = get();
    if (now == most_) return;
    if (found_.fetch_add(1, std::memory_order_relaxed) + 1 < kPatience) return;
    found_.store(0, std::memory_order_relaxed);
    bytes_.compare_exchange_strong(now, now > most_ / 2 ? most_ : 2 * now,
                                   std::memory_order_relaxed);
  }

 private:
  const std::uint64_t most_, least_;
  std::atomic<std::uint64_t> bytes_;
  std::atomic<std::uint32_t> found_{0};
};

/// What bitmaps of filters of one call may take on a device that has so many bytes for all: the
/// calls that run at the same time, so many at most, leave half of these to others. `wanted`: if
/// the device has not much more.
inline std::uint64_t room_for_filters(std::uint64_t there, std::uint64_t wanted,
                                      std::size_t calls) {
  return std::min(std::max(wanted, there / 4), there / 2) / calls;
}

}  // namespace gannet::query
