// Cancellation of long operations: options carry a std::stop_token, and loops check it. Codecs have
// no options: they check the token of the StopScope that their caller has opened in their thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stop_token>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet {

/// Throws CancelledError if a stop was requested of `stop`. Costs one load of an atomic: cheap
/// enough for every few microseconds of work. A token without a source (`{}`) never stops anything.
/// Thread-safe.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw CancelledError("cancelled");
}

/// Sets the calling thread's token for the lifetime of the object. Encoders, validators and other
/// functions whose comments name StopScope throw CancelledError soon after a stop is requested of
/// this token. The output of an encoder that threw is incomplete: discard it. Other threads are not
/// affected, so work that is distributed opens a scope in each thread.
///
/// Scopes nest: the innermost scope whose token has a source counts. The thread that made a scope
/// destroys it, in reverse order of construction.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop) : stop_(std::move(stop)), outer_(innermost_) {
    if (stop_.stop_possible()) innermost_ = &stop_;
  }
  ~StopScope() { innermost_ = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The token of the calling thread; null if no scope with a source is open. The pointer is valid
  /// until the scope ends.
  static const std::stop_token* token() { return innermost_; }

 private:
  static inline constinit thread_local const std::stop_token* innermost_ = nullptr;
  std::stop_token stop_;
  const std::stop_token* outer_;
};

/// Throws CancelledError if a stop was requested of the token of the calling thread's StopScope.
/// Does nothing without a scope.
inline void throw_if_stopped() {
  if (StopScope::token() != nullptr) throw_if_stopped(*StopScope::token());
}

/// Checks a token once every kPeriod calls, for loops whose steps take nanoseconds. Not
/// thread-safe: each loop has an object of its own. The token must outlive the object.
class StopCheck {
 public:
  /// Uses the token of the calling thread's StopScope. Without a scope, calls do nothing.
  StopCheck() : stop_(StopScope::token()) {}
  explicit StopCheck(const std::stop_token& stop) : stop_(&stop) {}

  /// Throws CancelledError if this call checks the token and a stop was requested.
  void operator()() {
    if (++steps_ % kPeriod == 0 && stop_ != nullptr) throw_if_stopped(*stop_);
  }

 private:
  static constexpr std::size_t kPeriod = 4096;
  const std::stop_token* stop_;
  std::size_t steps_ = 0;
};

/// Calls f(first, size) for consecutive pieces of [0, count), in ascending order, and checks the
/// token of the calling thread's StopScope before each call. All pieces but the last have 65,536
/// elements, a multiple of every codec's block. Throws CancelledError after a stop request; passes
/// on exceptions of f.
template <class F>
void for_each_chunk(std::size_t count, const F& f) {
  constexpr std::size_t kStretch = std::size_t{1} << 16;
  for (std::size_t first = 0; first < count; first += kStretch) {
    throw_if_stopped();
    f(first, std::min(kStretch, count - first));
  }
}

}  // namespace gannet
