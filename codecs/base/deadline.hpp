// Deadlines: a time after which an operation ends, as a stop token that asks for it then. What an
// operation is made of knows tokens only (cancellation.hpp): loops ask them, waits are woken by
// them, and a deadline costs them nothing.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet {

/// When an operation is to be over, whatever it has come to.
using Deadline = std::chrono::steady_clock::time_point;

/// As long as it takes.
inline constexpr Deadline kNoDeadline = Deadline::max();

/// The deadline so many seconds from now; none if that is beyond what the clock can hold. Not
/// before now for a negative number.
Deadline deadline_after(double seconds);

/// The deadline of an operation passed before it was done. As after any other CancelledError, what
/// was there before is as it was, and nothing temporary is left.
struct DeadlineError : CancelledError {
  using CancelledError::CancelledError;
};

/// The token and the deadline of an operation whose options have nothing else. Converts from a
/// token.
struct Limits {
  Limits(std::stop_token token = {}, Deadline at = kNoDeadline)
      : stop(std::move(token)), deadline(at) {}

  std::stop_token stop;
  Deadline deadline;
};

/// A token that asks for the end when another does, or once a deadline has passed. One thread of
/// the process keeps the time of all of them. Thread-safe but for its construction and its end.
class DeadlineStop {
 public:
  /// Throws DeadlineError if the deadline has passed already.
  DeadlineStop(const std::stop_token& stop, Deadline deadline);
  ~DeadlineStop();
  DeadlineStop(const DeadlineStop&) = delete;
  DeadlineStop& operator=(const DeadlineStop&) = delete;

  std::stop_token token() const;
  /// Whether it was the deadline alone that asked for the end.
  bool passed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The error of a deadline that passed.
[[noreturn]] void fail_deadline();

/// Calls f with options whose token asks for the end once their deadline has passed; they have no
/// deadline then. Throws what f throws, but DeadlineError for the CancelledError of a deadline.
/// `Options` has `stop` and `deadline`. Without a deadline it is f(options).
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
