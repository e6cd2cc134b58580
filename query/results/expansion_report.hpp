// Times and counts of a query expansion.
#pragma once

#include <cstdint>

#include "query/results/results.hpp"

namespace gannet::query {

/// Counts and times of the expansion of a batch of plans. Documents are gathered for many queries
/// at a time; a batch with many feedback documents takes several such passes over the lists.
struct ExpansionReport {
  /// The search for the feedback documents.
  Report first_pass = {};
  /// Feedback documents, distinct within a pass, and the terms gathered from them (summed over
  /// documents).
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;
  /// Tiles of the lists that were read to find these terms, and how many of the tiles were decoded.
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;
  /// Wall time: the first pass, gathering, weighing and planning.
  double seconds = 0;
  /// The part of `seconds` that gathering took.
  double gather_seconds = 0;
};

}  // namespace gannet::query
