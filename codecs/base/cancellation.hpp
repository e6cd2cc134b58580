// Cancelling long operations: options carry a std::stop_token, loops ask it. Codecs have no
// options: they ask the token of the StopScope that their caller has opened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stop_token>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet {

/// Throws CancelledError if `stop` asks for it. A load of an atomic: cheap enough for every few
/// microseconds of work. A token without a source (`{}`) never stops anything. Thread-safe.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw CancelledError("cancelled");
}

/// While one lives, what the same thread encodes or validates throws CancelledError soon after
/// `stop` asks for it; what was appended until then is to be thrown away. Scopes nest: the
/// innermost whose token has a source counts. Not to be moved between threads.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop) : stop_(std::move(stop)), outer_(innermost_) {
    if (stop_.stop_possible()) innermost_ = &stop_;
  }
  ~StopScope() { innermost_ = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The token that counts for this thread; null without one.
  static const std::stop_token* token() { return innermost_; }

 private:
  static inline constinit thread_local const std::stop_token* innermost_ = nullptr;
  std::stop_token stop_;
  const std::stop_token* outer_;
};

/// Asks the token of the StopScope, if there is one: for loops of codecs.
inline void throw_if_stopped() {
  if (StopScope::token() != nullptr) throw_if_stopped(*StopScope::token());
}

/// Asks a token once every `kPeriod` calls, for loops whose steps take nanoseconds. Not
/// thread-safe: one object a loop. The token must outlive it.
class StopCheck {
 public:
  /// The token of the StopScope, if there is one.
  StopCheck() : stop_(StopScope::token()) {}
  explicit StopCheck(const std::stop_token& stop) : stop_(&stop) {}

  void operator()() {
    if (++steps_ % kPeriod == 0 && stop_ != nullptr) throw_if_stopped(*stop_);
  }

 private:
  static constexpr std::size_t kPeriod = 4096;
  const std::stop_token* stop_;
  std::size_t steps_ = 0;
};

/// Calls f(first, size) for stretches of [0, count), in order, and asks the token of the StopScope
/// before each. Their size is a multiple of every codec's block.
template <class F>
void for_stretches(std::size_t count, const F& f) {
  constexpr std::size_t kStretch = std::size_t{1} << 16;
  for (std::size_t first = 0; first < count; first += kStretch) {
    throw_if_stopped();
    f(first, std::min(kStretch, count - first));
  }
}

}  // namespace gannet
