// In which order clauses narrow candidates.
#pragma once

#include <algorithm>
#include <vector>

namespace gannet::query {

/// Sorts clauses in a segment: the one with the fewest postings (`count`) drives; then come those
/// all of whose lists have bitmaps (`has_bitmaps`), then the others, the rarest first.
template <class Clause>
void sort_clauses(std::vector<Clause>& clauses) {
  std::ranges::stable_sort(clauses, {}, &Clause::count);
  if (clauses.size() <= 2) return;
  std::stable_partition(clauses.begin() + 1, clauses.end(),
                        [](const Clause& clause) { return clause.has_bitmaps; });
}

}  // namespace gannet::query
