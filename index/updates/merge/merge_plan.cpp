#include "index/updates/merge/merge_plan.hpp"

#include <algorithm>
#include <utility>

namespace gannet::index {
namespace {

/// Segments of so many documents are all alike.
constexpr std::uint64_t kSmall = 1000;

struct Group {
  SegmentRun run;
  std::uint64_t size;
};

std::vector<Group> groups_of(std::span<const std::uint64_t> sizes) {
  std::vector<Group> groups;
  for (std::size_t s = 0; s < sizes.size(); ++s) groups.push_back({{s, 1}, sizes[s]});
  return groups;
}

std::vector<SegmentRun> runs_of(const std::vector<Group>& groups) {
  std::vector<SegmentRun> runs;
  for (const Group& group : groups) {
    if (group.run.count > 1) runs.push_back(group.run);
  }
  return runs;
}

/// Groups [first, end) as one.
Group joined(std::span<const Group> groups) {
  Group all = groups.front();
  for (const Group& group : groups.subspan(1)) {
    all.run.count += group.run.count;
    all.size += group.size;
  }
  return all;
}

/// Joins runs in which `least` groups or more have between `fewest` and `most` documents, and
/// others fewer: from the first of those groups to the last, up to `limit` documents.
void join_alike(std::vector<Group>& groups, std::uint64_t fewest, std::uint64_t most,
                std::size_t least, std::uint64_t limit) {
  std::vector<Group> kept;
  for (std::size_t begin = 0; begin < groups.size();) {
    std::size_t alike = 0;
    std::size_t end = begin;  // behind the last one that is alike
    std::uint64_t size = 0;
    for (std::size_t g = begin; groups[begin].size >= fewest && g < groups.size(); ++g) {
      size += groups[g].size;
      if (groups[g].size > most || size > limit) break;
      if (groups[g].size < fewest) continue;
      ++alike;
      end = g + 1;
    }
    if (alike < least) end = begin + 1;
    kept.push_back(joined(std::span(groups).subspan(begin, end - begin)));
    begin = end;
  }
  groups = std::move(kept);
}

}  // namespace

std::vector<SegmentRun> plan_merges(std::span<const std::uint64_t> sizes, std::size_t most,
                                    std::uint64_t limit) {
  std::vector<Group> groups = groups_of(sizes);
  while (groups.size() > std::max<std::size_t>(most, 1)) {
    std::size_t best = 0;
    std::uint64_t smallest = ~std::uint64_t{0};
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
      const std::uint64_t size = groups[g].size + groups[g + 1].size;
      if (size >= smallest) continue;
      best = g;
      smallest = size;
    }
    if (smallest > limit) break;
    groups[best].run.count += groups[best + 1].run.count;
    groups[best].size += groups[best + 1].size;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return runs_of(groups);
}

std::vector<SegmentRun> plan_tiers(std::span<const std::uint64_t> sizes, unsigned tier,
                                   std::uint64_t limit) {
  std::vector<Group> groups = groups_of(sizes);
  const std::uint64_t largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  std::uint64_t fewest = 0;
  for (std::uint64_t most = kSmall;; most *= tier) {
    join_alike(groups, fewest, most, tier, limit);
    if (most >= largest) break;
    fewest = most + 1;
  }
  return runs_of(groups);
}

}  // namespace gannet::index
