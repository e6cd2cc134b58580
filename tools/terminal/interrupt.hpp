// Ctrl-C as a std::stop_token, for commands that must clean up behind them.
#pragma once

#include <memory>
#include <stop_token>

namespace gannet::tools {

/// While an object of this class lives, the first SIGINT or SIGTERM only stops its token; a second
/// one ends the process at once. A signal that the process was started to ignore (by nohup, or as a
/// shell's background job) stays ignored. The destructor brings back the actions that were there
/// before. One object at a time: a second is a UsageError.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// For the options of what runs meanwhile. Stops within milliseconds of the signal.
  std::stop_token token() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The token of the guard that lives; one that is never stopped while there is none. Not while
/// another thread makes or destroys a guard.
std::stop_token interrupt_token();

/// Throws CancelledError if a signal has come since the guard was made. Thread-safe.
void check_interrupted();

}  // namespace gannet::tools
