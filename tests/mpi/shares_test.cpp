// Sharing pieces out among workers.
#include "tools/building/shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace gannet::tools {
namespace {

using ::testing::ElementsAre;
using Sizes = std::vector<std::uint64_t>;

TEST(Shares, AreAboutTheSame) {
  EXPECT_THAT(share_out(Sizes{5, 5, 5, 5}, 2), ElementsAre(0, 2, 4));
  EXPECT_THAT(share_out(Sizes{1, 1, 1, 9}, 2), ElementsAre(0, 3, 4));
  EXPECT_THAT(share_out(Sizes{9, 1, 1, 1}, 2), ElementsAre(0, 1, 4));
  EXPECT_THAT(share_out(Sizes{7}, 1), ElementsAre(0, 1));
}

TEST(Shares, EachHasAPiece) {
  EXPECT_THAT(share_out(Sizes{100, 1, 1}, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(share_out(Sizes{1, 1, 100}, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(share_out(Sizes{0, 0, 0, 0}, 4), ElementsAre(0, 1, 2, 3, 4));
}

TEST(Shares, OfAnySizesAreRunsOfWhichNoneIsMuchTooLarge) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    Sizes sizes(1 + random() % 60);
    for (std::uint64_t& size : sizes) size = random() % 1000;
    const std::size_t parts = 1 + random() % sizes.size();
    const auto starts = share_out(sizes, parts);
    ASSERT_EQ(starts.size(), parts + 1);
    EXPECT_EQ(starts.front(), 0u);
    EXPECT_EQ(starts.back(), sizes.size());
    const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    const std::uint64_t largest = *std::ranges::max_element(sizes);
    for (std::size_t part = 0; part < parts; ++part) {
      ASSERT_LT(starts[part], starts[part + 1]);
      const std::uint64_t size = std::accumulate(
          sizes.begin() + static_cast<std::ptrdiff_t>(starts[part]),
          sizes.begin() + static_cast<std::ptrdiff_t>(starts[part + 1]), std::uint64_t{0});
      EXPECT_LE(size, all / parts + largest + 1);
    }
  }
}

}  // namespace
}  // namespace gannet::tools
