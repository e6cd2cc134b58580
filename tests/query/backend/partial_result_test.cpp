// Results while they are being gathered.
#include "query/backend/partial_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <span>
#include <vector>

namespace gannet::query {
namespace {

/// Lists of all lengths, with keys before, among and behind those that are there.
TEST(PartialResult, MergingKeepsTheBest) {
  std::mt19937_64 random(5);
  std::size_t cut = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto k = static_cast<std::uint32_t>(1 + random() % (round % 2 == 0 ? 8 : 40));
    std::vector<std::uint64_t> all;
    PartialResult result;
    for (std::uint64_t part = 0; part < 3; ++part) {
      std::vector<std::uint64_t> more(random() % (k + 5));  // and more than k, too
      const std::uint64_t range = std::uint64_t{1} << (random() % 10);
      for (std::size_t i = 0; i < more.size(); ++i) {
        more[i] = random() % range * 4096 + part * 1024 + i;  // no two alike
      }
      std::ranges::sort(more, std::greater<>());
      all.insert(all.end(), more.begin(), more.end());
      std::ranges::sort(all, std::greater<>());
      result.merge(more, k);
      const std::size_t kept = std::min<std::size_t>(k, all.size());
      cut += all.size() - kept;
      ASSERT_TRUE(std::ranges::equal(result.keys, std::span(all).first(kept))) << round;
    }
  }
  EXPECT_GT(cut, 1000u);
}

/// Memory for as many keys as are often wanted stays, for more it does not.
TEST(PartialResult, ClearingKeepsLittle) {
  PartialResult result;
  for (const std::size_t keys : {std::size_t{1000}, 100 * kKeptKeys}) {
    result.count = 7;
    result.docids.assign(1000, 5);
    result.keys.assign(keys, 9);
    result.clear();
    EXPECT_TRUE(result.keys.empty() && result.docids.empty());
    EXPECT_EQ(result.count, 0u);
    EXPECT_LE(result.keys.capacity(), kKeptKeys);
    EXPECT_EQ(result.docids.capacity(), 0u);
  }
}

TEST(PartialResults, AreKeptAndEmpty) {
  const PartialResult* before = nullptr;
  {
    PartialResults first(5000);
    before = first.all().data();
    first.all()[4999].keys.assign(5, 5);
    first.all()[4999].clear();
    first.keep();
  }
  PartialResults second(4000);
  EXPECT_EQ(second.all().data(), before);
  EXPECT_EQ(second.all().size(), 4000u);
  for (const PartialResult& one : second.all()) EXPECT_TRUE(one.keys.empty());
  PartialResults third(5000);
  EXPECT_NE(third.all().data(), before) << "is in use";
  EXPECT_EQ(third.all().size(), 5000u);
}

}  // namespace
}  // namespace gannet::query
