// What planning a batch spends on its parts, added up over the threads that plan.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "codecs/base/threads/thread_slot.hpp"

namespace gannet::query {

class PlanTimes {
 public:
  using Clock = std::chrono::steady_clock;

  /// A query whose planning began at `start`, and whose words were known at `analyzed`, is planned.
  void add(Clock::time_point start, Clock::time_point analyzed) {
    Sums& sums = sums_[thread_slot()];
    sums.analysis.fetch_add(nanoseconds(analyzed - start), std::memory_order_relaxed);
    sums.all.fetch_add(nanoseconds(Clock::now() - start), std::memory_order_relaxed);
  }

  /// Which part of the threads' time analysis took, 0 .. 1.
  double analysis_share() const {
    std::int64_t analysis = 0;
    std::int64_t all = 0;
    for (const Sums& sums : sums_) {
      analysis += sums.analysis;
      all += sums.all;
    }
    return all > 0 ? static_cast<double>(analysis) / static_cast<double>(all) : 0;
  }

 private:
  struct alignas(kCacheLine) Sums {
    std::atomic<std::int64_t> analysis = 0;
    std::atomic<std::int64_t> all = 0;
  };

  static std::int64_t nanoseconds(Clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  }

  std::array<Sums, kThreadSlots> sums_;
};

}  // namespace gannet::query
