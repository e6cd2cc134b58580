// Ranking keys and the selection of the k best of them.
#include "query/cpu/topk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace gannet::query {
namespace {

std::uint64_t key(float score, std::uint32_t docid) {
  return rank_key(std::bit_cast<std::uint32_t>(score), docid);
}

TEST(RankKey, OrdersByScoreThenByDocid) {
  EXPECT_GT(key(2.0f, 9), key(1.0f, 0));
  EXPECT_GT(key(1.0f, 3), key(1.0f, 4));
  EXPECT_GT(key(1e-40f, 7), key(0.0f, 0));
  EXPECT_GT(key(0.0f, 0xfffffffeu), 0u);
  EXPECT_EQ(hit_of(key(1.5f, 12345)), (Hit{12345, 1.5f}));
  EXPECT_EQ(hit_of(key(0.0f, 0)), (Hit{0, 0.0f}));
}

class TopKOfMany : public testing::TestWithParam<std::uint32_t> {};

TEST_P(TopKOfMany, IsWhatSortingGives) {
  std::mt19937 random(GetParam());
  for (const std::uint32_t n : {0u, 1u, 2u, 99u, 5000u}) {
    std::vector<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < n; ++i) {
      keys.push_back(key(static_cast<float>(random() % 16) / 4, i));  // many ties
    }
    TopK top(GetParam());
    for (const std::uint64_t k : keys) {
      top.push(k);
      ASSERT_EQ(top.floor_score(), top.floor() >> 32);
    }
    std::sort(keys.begin(), keys.end(), std::greater<>());
    keys.resize(std::min<std::size_t>(n, GetParam()));
    EXPECT_EQ(top.take(), keys) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, TopKOfMany,
                         testing::Values(0u, 1u, 2u, 10u, 1000u, 4999u, 5000u, 0xffffffffu));

TEST(TopK, FloorIsReachedByTheKthBest) {
  TopK top(3);
  for (std::uint32_t i = 0; i < 3; ++i) top.push(key(1.0f + static_cast<float>(i), i));
  EXPECT_EQ(top.floor(), 0u);
  for (std::uint32_t i = 3; i < 100; ++i) top.push(key(1.0f + static_cast<float>(i), i));
  EXPECT_GT(top.floor_score(), 0u);
  EXPECT_LE(top.floor(), key(98.0f, 97));
}

}  // namespace
}  // namespace gannet::query
