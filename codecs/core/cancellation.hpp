// Cancelling long operations: options carry a std::stop_token, loops ask it.
#pragma once

#include <cstddef>
#include <stop_token>

#include "codecs/error.hpp"

namespace gannet {

/// Throws CancelledError if `stop` asks for it. A load of an atomic: cheap enough for every few
/// microseconds of work. A token without a source (`{}`) never stops anything. Thread-safe.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw CancelledError("cancelled");
}

/// Asks a token once every `kPeriod` calls, for loops whose steps take nanoseconds. Not
/// thread-safe: one object a loop. The token must outlive it.
class StopCheck {
 public:
  explicit StopCheck(const std::stop_token& stop) : stop_(stop) {}

  void operator()() {
    if (++steps_ % kPeriod == 0) throw_if_stopped(stop_);
  }

 private:
  static constexpr std::size_t kPeriod = 4096;
  const std::stop_token& stop_;
  std::size_t steps_ = 0;
};

}  // namespace gannet
