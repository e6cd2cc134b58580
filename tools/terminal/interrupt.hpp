// Ctrl-C as an exception, for commands that must clean up behind them.
#pragma once

#include <stdexcept>

namespace gannet::tools {

/// The user pressed Ctrl-C (or the process was asked to end).
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// While an object of this class lives, the first SIGINT or SIGTERM only sets a flag; a second one
/// ends the process at once. One object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Throws Interrupted if the flag is set. Thread-safe.
void check_interrupted();

}  // namespace gannet::tools
