// Inverse document frequencies, computed on the host.
#pragma once

#include <algorithm>
#include <cmath>

#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

/// Robertson and Sparck Jones' idf with Lucene's + 1: ln(1 + (N - df + 0.5) / (df + 0.5)). > 0 for
/// df <= N.
inline double lucene_idf(const CollectionStatistics& collection, const TermStatistics& term) {
  const auto n = static_cast<double>(collection.documents);
  const auto df = static_cast<double>(term.documents);
  return std::log1p((n - df + 0.5) / (df + 0.5));
}

/// ln((N - df + 0.5) / (df + 0.5)): below 0 for a term of more than half of the documents.
/// Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, (3.21).
inline double robertson_idf(const CollectionStatistics& collection, const TermStatistics& term) {
  const auto n = static_cast<double>(collection.documents);
  const auto df = static_cast<double>(term.documents);
  return std::log((n - df + 0.5) / (df + 0.5));
}

/// ln((N + 1) / df), > 0 for df <= N; of a term that no document has as if one had it.
inline double plain_idf(const CollectionStatistics& collection, const TermStatistics& term) {
  const auto n = static_cast<double>(collection.documents);
  const double df = std::max(1.0, static_cast<double>(term.documents));
  return std::log1p((n + 1 - df) / df);
}

/// `unit` if it is large enough that `unit` / `largest_divisor` is no less than kMinContribution,
/// else what is.
inline double clipped_factor(double unit, double largest_divisor) {
  return std::max(unit, double{kMinContribution} * largest_divisor);
}

/// Documents' lengths are below this.
inline constexpr double kLengthLimit = 4294967296.0;

}  // namespace gannet::query
