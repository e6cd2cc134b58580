#include "index/text/words/suggest.hpp"

#include <algorithm>
#include <cstddef>

#include "index/text/words/edit_distance.hpp"

namespace gannet::index {
namespace {

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
    // Swapped neighbours count as one typo.
    const std::size_t letters = edit_distance(std::string_view(wanted), std::string_view(name));
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
