// Deadlines: an operation's deadline becomes a stop token of which a stop is requested when the
// deadline passes. The parts of an operation know only tokens (cancellation.hpp): loops check the
// token, and a stop request wakes waits. So a deadline adds no cost to loops.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet {

/// The time by which an operation must end, complete or not.
using Deadline = std::chrono::steady_clock::time_point;

/// No deadline: an operation takes as long as it needs.
inline constexpr Deadline kNoDeadline = Deadline::max();

/// The time `seconds` from now. Returns kNoDeadline for NaN and for times that the clock cannot
/// represent, the current time for numbers that are not positive.
Deadline deadline_after(double seconds);

/// The deadline of an operation passed before the operation was done. The state afterwards is that
/// after any other CancelledError.
struct DeadlineError : CancelledError {
  using CancelledError::CancelledError;
};

/// Options of operations that take only a token and a deadline. Converts implicitly from a token.
struct Limits {
  Limits(std::stop_token token = {}, Deadline at = kNoDeadline)
      : stop(std::move(token)), deadline(at) {}

  std::stop_token stop;
  Deadline deadline;
};

/// A token of which a stop is requested when a stop is requested of another token, or once a
/// deadline has passed. One thread of the process waits for the deadlines of all objects; the first
/// object starts it. Callbacks of the token may run in that thread, where they delay other
/// deadlines. Thread-safe except for construction and destruction, which take time logarithmic in
/// the number of objects.
class DeadlineStop {
 public:
  /// Throws DeadlineError if the deadline has passed, std::system_error if the thread cannot start.
  DeadlineStop(const std::stop_token& stop, Deadline deadline);
  ~DeadlineStop();
  DeadlineStop(const DeadlineStop&) = delete;
  DeadlineStop& operator=(const DeadlineStop&) = delete;

  /// The token. After the end of the object, neither the deadline nor the other token stops it.
  std::stop_token token() const;
  /// Whether a stop was requested of this token and none of the other one: the deadline passed.
  bool passed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Throws DeadlineError.
[[noreturn]] void fail_deadline();

/// Calls f with a copy of `options` in which a stop token replaces the deadline, and returns the
/// result of f. `Options` is copyable and has the members `stop` and `deadline`. Without a deadline
/// the call is f(options). Throws DeadlineError without a call if the deadline has passed already,
/// and in place of a CancelledError of f that the deadline caused. Passes on all other exceptions
/// of f.
template <class Options, class F>
auto within_limits(const Options& options, const F& f) {
  if (options.deadline == kNoDeadline) return f(options);
  const DeadlineStop limit(options.stop, options.deadline);
  Options inner = options;
  inner.stop = limit.token();
  inner.deadline = kNoDeadline;
  try {
    return f(std::as_const(inner));
  } catch (const CancelledError&) {
    if (limit.passed()) fail_deadline();
    throw;
  }
}

}  // namespace gannet
