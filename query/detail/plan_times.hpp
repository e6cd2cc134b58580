// What planning a batch spends on its parts, added up over the threads that plan.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace gannet::query {

class PlanTimes {
 public:
  using Clock = std::chrono::steady_clock;

  /// A query whose planning began at `start`, and whose words were known at `analyzed`, is planned.
  void add(Clock::time_point start, Clock::time_point analyzed) {
    analysis_ += nanoseconds(analyzed - start);
    all_ += nanoseconds(Clock::now() - start);
  }

  /// Which part of the threads' time analysis took, 0 .. 1.
  double analysis_share() const {
    const std::int64_t all = all_;
    return all > 0 ? static_cast<double>(analysis_) / static_cast<double>(all) : 0;
  }

 private:
  static std::int64_t nanoseconds(Clock::duration duration) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  }

  std::atomic<std::int64_t> analysis_ = 0;
  std::atomic<std::int64_t> all_ = 0;
};

}  // namespace gannet::query
