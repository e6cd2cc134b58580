#include "query/phrases/window_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace gannet::query {

std::vector<std::uint8_t> window_groups(std::span<const std::vector<std::uint32_t>> terms) {
  std::vector<std::uint8_t> groups;
  std::unordered_map<std::uint32_t, std::size_t> word_of;  // the first word that may be the term
  for (std::size_t i = 0; i < terms.size(); ++i) {
    groups.push_back(static_cast<std::uint8_t>(i));
    for (const std::uint32_t term : terms[i]) {
      const std::uint8_t other = groups[word_of.try_emplace(term, i).first->second];
      const std::uint8_t own = groups[i];
      if (own == other) continue;
      std::ranges::replace(groups, std::max(own, other), std::min(own, other));
    }
  }
  return groups;
}

}  // namespace gannet::query
