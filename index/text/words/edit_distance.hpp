// How many edits lead from one word to another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace gannet::index {

/// The Damerau-Levenshtein distance, as optimal string alignment: the least number of characters
/// (bytes, or code points) that are put in, left out or replaced, and of neighbours that are
/// swapped, where no part is edited twice. What Lucene's FuzzyQuery with transpositions counts.
/// Takes O(a * b). Thread-safe.
template <class Char>
std::uint32_t edit_distance(std::basic_string_view<Char> a, std::basic_string_view<Char> b) {
  std::vector<std::uint32_t> before(b.size() + 1);
  std::vector<std::uint32_t> above(b.size() + 1);
  std::vector<std::uint32_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace gannet::index
