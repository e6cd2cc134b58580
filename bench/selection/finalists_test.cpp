// The finalists of the selection benchmark, and the result that it compares with.
#include "bench/selection/finalists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "query/results/hits.hpp"

namespace gannet::bench {
namespace {

TEST(SelectionFinalists, AreDistinctWithinAQueryAndAsManyAsTheySay) {
  for (const Scores scores : {Scores::kSpread, Scores::kAlike}) {
    const Finalists made = make_finalists(5, 3000, scores);
    std::set<std::uint32_t> counts;
    for (std::size_t q = 0; q < 5; ++q) {
      const std::uint64_t* const first = made.keys.data() + q * 3000;
      const std::uint32_t count = made.counts[q];
      ASSERT_GT(count, 1500u);
      ASSERT_LE(count, 3000u);
      counts.insert(count);
      EXPECT_EQ(std::set<std::uint64_t>(first, first + count).size(), count);
      EXPECT_EQ(std::count(first, first + count, 0u), 0);
      std::set<float> values;
      for (std::uint32_t i = 0; i < count; ++i) values.insert(query::hit_of(first[i]).score);
      EXPECT_EQ(values.size() == 16, scores == Scores::kAlike) << values.size();
    }
    EXPECT_GT(counts.size(), 1u);
  }
}

TEST(SelectionFinalists, TheBestAreThoseOfSortingAll) {
  const Finalists made = make_finalists(7, 100, Scores::kAlike);
  for (const std::uint32_t k : {1u, 10u, 120u}) {
    const std::vector<std::uint64_t> rows = best_of(made, k);
    ASSERT_EQ(rows.size(), std::size_t{7} * k);
    for (std::size_t q = 0; q < 7; ++q) {
      std::vector<std::uint64_t> all(
          made.keys.begin() + static_cast<std::ptrdiff_t>(q) * 100,
          made.keys.begin() + static_cast<std::ptrdiff_t>(q) * 100 + made.counts[q]);
      std::sort(all.begin(), all.end(), std::greater<>());
      all.resize(k);
      EXPECT_TRUE(
          std::equal(all.begin(), all.end(), rows.begin() + static_cast<std::ptrdiff_t>(q * k)));
    }
  }
}

}  // namespace
}  // namespace gannet::bench
