// Which terms of a damaged lexicon go together.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// The longest sequence of these terms in strictly ascending bytewise order: one that reads too
/// large or too small is left out, not all that stand behind it. Calls `term` about log2(n) times
/// for each. Throws CancelledError, and what `term` throws.
std::vector<TermId> longest_ascending(std::span<const TermId> ids,
                                      const std::function<std::string(TermId)>& term,
                                      const std::stop_token& stop = {});

}  // namespace gannet::index
