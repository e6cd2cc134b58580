#include "query/gpu/plan/pruned/reached_together.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "query/bounds/list_bounds.hpp"

namespace gannet::query::cuda {
namespace {

/// What any of the parts reach is reached, so that looking at some of very many is enough.
constexpr std::size_t kMaxParts = kMaxBatchSegments;

/// The `needed`-th largest of `of` over the parts; 0 if there are fewer parts.
template <class F>
float nth_largest(std::span<const ListStats* const> parts, std::uint64_t needed, F of) {
  if (needed > parts.size()) return 0;
  if (needed == 1) {  // mostly: k is no larger than the rank
    float largest = 0;
    for (const ListStats* const part : parts) largest = std::max(largest, of(*part));
    return largest;
  }
  std::array<float, kMaxParts> values;  // those of the parts are set
  std::ranges::transform(parts, values.begin(), [&](const ListStats* part) { return of(*part); });
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(needed - 1);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(parts.size());
  std::nth_element(values.begin(), nth, end, std::greater<>());
  return *nth;
}

}  // namespace

float reached_together(std::span<const ListStats* const> parts, std::uint64_t k) {
  parts = parts.first(std::min(parts.size(), kMaxParts));
  float reached = nth_largest(parts, std::max<std::uint64_t>(k, 1),
                              [](const ListStats& part) { return part.best; });
  for (std::uint32_t i = 0; i < kKnownRankCount; ++i) {
    const std::uint64_t needed =
        std::max<std::uint64_t>(1, (k + kKnownRanks[i] - 1) / kKnownRanks[i]);
    const auto at_rank = [&](const ListStats& part) { return part.at_rank[i]; };
    reached = std::max(reached, nth_largest(parts, needed, at_rank));
    if (needed == 1) break;  // contributions at higher ranks are smaller
  }
  return reached;
}

}  // namespace gannet::query::cuda
