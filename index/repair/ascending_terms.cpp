#include "index/repair/ascending_terms.hpp"

#include <algorithm>
#include <cstddef>

#include "codecs/base/cancellation.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};
/// Between two looks at the stop token.
constexpr std::size_t kSteps = 4096;

}  // namespace

std::vector<TermId> longest_ascending(std::span<const TermId> ids,
                                      const std::function<std::string(TermId)>& term,
                                      const std::stop_token& stop) {
  // Of the sequences of each length so far: where the one with the smallest last term ends.
  std::vector<std::size_t> ends;
  std::vector<std::size_t> before(ids.size(), kNone);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kSteps == 0) throw_if_stopped(stop);
    const std::string mine = term(ids[i]);
    // What is behind all others is the rule, and needs no search.
    const bool last = ends.empty() || term(ids[ends.back()]) < mine;
    // (Of equal terms the first stays.)
    const auto place =
        last ? ends.end() : std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
          return term(ids[end]) < mine;
        });
    if (place != ends.begin()) before[i] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(i);
    } else if (mine < term(ids[*place])) {
      *place = i;
    }
  }
  std::vector<TermId> longest;
  for (std::size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = before[i]) {
    longest.push_back(ids[i]);
  }
  std::ranges::reverse(longest);
  return longest;
}

}  // namespace gannet::index
