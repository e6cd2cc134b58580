// Options of a search.
#pragma once

#include <stop_token>

#include "codecs/base/deadline.hpp"

namespace gannet::query {

/// Options of one call that plans or searches.
struct SearchOptions {
  /// After a stop request, the call throws CancelledError, usually within some milliseconds. It
  /// waits for kernels that are running.
  std::stop_token stop = {};
  /// After this time, the call throws DeadlineError, as soon as after a stop request.
  Deadline deadline = kNoDeadline;
  /// Uses no bounds of ranges. The CPU back end then scores every match, which is the reference
  /// that tests compare all other results with; the CUDA back end still skips windows of documents
  /// by bounds of tiles. Results do not depend on this option; exhaustive searches are slower.
  bool exhaustive = false;
};

}  // namespace gannet::query
