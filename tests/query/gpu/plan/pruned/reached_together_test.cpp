// Which score k documents reach, by the statistics of several segments.
#include "query/gpu/plan/pruned/reached_together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace gannet::query::cuda {
namespace {

/// Contributions of a part, and their statistics.
struct Part {
  std::vector<float> contributions;
  ListStats stats;
};

Part part_of(std::vector<float> contributions) {
  std::ranges::sort(contributions, std::greater<>());
  Part part{std::move(contributions), {}};
  if (!part.contributions.empty()) part.stats.best = part.contributions.front();
  for (std::uint32_t i = 0; i < kKnownRankCount; ++i) {
    const std::uint32_t rank = kKnownRanks[i];
    if (rank <= part.contributions.size()) part.stats.at_rank[i] = part.contributions[rank - 1];
  }
  return part;
}

float reached(const std::vector<Part>& parts, std::uint32_t k) {
  std::vector<const ListStats*> stats;
  for (const Part& part : parts) stats.push_back(&part.stats);
  return reached_together(stats, k);
}

TEST(ReachedTogether, NeverMoreThanTheKthBestOfAll) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Part> parts;
    std::vector<float> all;
    for (std::size_t p = random() % 13; p-- > 0;) {
      std::vector<float> some(random() % (round % 3 == 0 ? 20 : 3000));
      for (float& value : some) value = std::ldexp(static_cast<float>(random() % 997), -8);
      all.insert(all.end(), some.begin(), some.end());
      parts.push_back(part_of(std::move(some)));
    }
    std::ranges::sort(all, std::greater<>());
    for (const std::uint32_t k : {1u, 2u, 10u, 11u, 100u, 999u, 1000u, 5000u, 10001u}) {
      const float kth = k <= all.size() ? all[k - 1] : 0;
      ASSERT_LE(reached(parts, k), kth) << "round " << round << ", k " << k;
    }
  }
}

TEST(ReachedTogether, TenPartsReachWhatATenthOfThemDoesInEach) {
  std::vector<Part> parts;
  for (int p = 0; p < 10; ++p) {
    std::vector<float> some(1000);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<float>(1000 - i + p);
    parts.push_back(part_of(std::move(some)));
  }
  EXPECT_EQ(reached(parts, 10), 1000);   // the largest of each
  EXPECT_EQ(reached(parts, 100), 991);   // ten of each
  EXPECT_EQ(reached(parts, 1000), 901);  // a hundred of each
  EXPECT_EQ(reached(parts, 10000), 1);   // a thousand of each
  EXPECT_EQ(reached(parts, 10001), 0);
  EXPECT_EQ(reached({parts[3]}, 1000), 4);  // of one, what it reaches itself
  EXPECT_EQ(reached({}, 10), 0);
}

}  // namespace
}  // namespace gannet::query::cuda
