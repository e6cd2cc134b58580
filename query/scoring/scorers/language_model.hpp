// What the scorers by query likelihood share.
#pragma once

#include <algorithm>

#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

/// The probability of a term in the collection: occurrences / tokens, in (0, 1]; of a term that
/// does not occur as if it did once.
inline double collection_probability(const CollectionStatistics& collection,
                                     const TermStatistics& term) {
  const double occurrences = std::max(1.0, static_cast<double>(term.occurrences));
  return occurrences / std::max(occurrences, static_cast<double>(collection.tokens));
}

}  // namespace gannet::query
