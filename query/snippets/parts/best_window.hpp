// The stretch of a text that has the most of a query's terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/snippets/parts/marked_terms.hpp"
#include "query/snippets/parts/matches.hpp"

namespace gannet::query {

/// Bytes [begin, end) of a text.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool empty() const { return begin == end; }
  bool contains(const TermMatch& match) const { return begin <= match.begin && match.end <= end; }
};

/// From the beginning of a match to the end of another or the same, at most `length` code points
/// apart (a longer match stands alone), outside of `taken` (ascending, disjoint): that with the
/// most worth of items that are not yet `shown`; of several that with the most worth of items, then
/// that in which they occur most, then the first. Empty if there is no match outside.
ByteRange best_window(const TermMatches& matches, const MarkedTerms& terms, std::uint64_t length,
                      const std::vector<bool>& shown, std::span<const ByteRange> taken);

}  // namespace gannet::query
