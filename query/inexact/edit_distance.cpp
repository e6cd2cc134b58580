#include "query/inexact/edit_distance.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gannet::query {

std::uint32_t edit_distance(std::u32string_view a, std::u32string_view b) {
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

}  // namespace gannet::query
