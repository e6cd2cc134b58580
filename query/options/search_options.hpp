// How a batch is searched.
#pragma once

#include <stop_token>

#include "codecs/base/deadline.hpp"

namespace gannet::query {

/// How a batch is run.
struct SearchOptions {
  /// Once a stop is requested, the call ends with CancelledError, within some ms.
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, within some ms.
  Deadline deadline = kNoDeadline;
  /// Score every match, prune nothing by bounds of ranges: slower, and what the other results are
  /// compared with.
  bool exhaustive = false;
};

}  // namespace gannet::query
