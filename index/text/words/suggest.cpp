#include "index/text/words/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace gannet::index {
namespace {

/// Damerau-Levenshtein distance (optimal string alignment): swapped neighbours count as one typo.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

/// Names differ by their letters before they do by capitals; bytes of other scripts are as they
/// are.
std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

}  // namespace

std::string did_you_mean(std::string_view typed, std::span<const std::string> candidates) {
  const std::string wanted = in_small_letters(typed);
  // A third of the letters may be wrong, but not all of them; or what was typed is the beginning of
  // the name.
  std::size_t best = std::min(std::max<std::size_t>(1, wanted.size() / 3) + 1, wanted.size());
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::string name = in_small_letters(candidate);
    const std::size_t letters = edit_distance(wanted, name);
    const bool prefix = wanted.size() >= 2 && name.starts_with(wanted);
    const std::size_t distance = prefix ? std::min<std::size_t>(1, letters) : letters;
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

}  // namespace gannet::index
