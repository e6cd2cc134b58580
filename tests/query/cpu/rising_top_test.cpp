// The k best with a rising threshold, against a sort.
#include "query/cpu/pruned/rising_top.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "query/results/hits.hpp"

namespace gannet::query {
namespace {

std::vector<std::uint64_t> best_of(std::vector<std::uint64_t> keys, std::size_t k) {
  std::ranges::sort(keys, std::greater<>());
  if (keys.size() > k) keys.resize(k);
  return keys;
}

/// Pushes scores made by `make(i)`, i < n, and compares.
template <class Make>
void expect_best(std::uint32_t k, std::uint32_t n, float ceiling, Make make) {
  static RisingTop top;  // reused, as it is between queries
  top.reset(k, 0, ceiling);
  std::vector<std::uint64_t> keys;
  for (std::uint32_t i = 0; i < n; ++i) {
    const float score = make(i);
    keys.push_back(rank_key(std::bit_cast<std::uint32_t>(score), i));
    const float before = top.threshold();
    const bool rose = top.push(score, i);
    ASSERT_EQ(rose, top.threshold() > before);
  }
  const std::vector<std::uint64_t> expected = best_of(keys, k);
  if (n >= k) {
    ASSERT_LE(top.threshold(), hit_of(expected.back()).score);
    if (k <= 64) {
      ASSERT_EQ(top.threshold(), hit_of(expected.back()).score);
    }
  } else {
    ASSERT_EQ(top.threshold(), 0);
  }
  ASSERT_EQ(top.take(), expected) << "k " << k << ", n " << n;
}

TEST(RisingTop, KeepsTheBest) {
  std::mt19937 random(3);
  for (const std::uint32_t k : {1u, 2u, 10u, 64u, 65u, 1000u, 3000u, 0xffffffffu}) {
    for (const std::uint32_t n : {0u, 1u, 9u, 64u, 65u, 999u, 1000u, 30000u, 60000u}) {
      expect_best(k, n, 32, [&](std::uint32_t) { return std::ldexp(float(random() >> 8), -19); });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RisingTop, KeepsTheBestOfAnyOrder) {
  for (const std::uint32_t k : {7u, 100u, 1000u}) {
    expect_best(k, 50000, 51, [](std::uint32_t i) { return 0.001f * float(i); });
    expect_best(k, 50000, 51, [](std::uint32_t i) { return 50.0f - 0.001f * float(i); });
    expect_best(k, 50000, 2, [](std::uint32_t) { return 1.0f; });  // ties
    expect_best(k, 50000, 1, [](std::uint32_t) { return 1.0f; });  // at the ceiling
    expect_best(k, 50000, 1e30f, [](std::uint32_t i) { return 1e-30f * float(i); });
    expect_best(k, 50000, 51,
                [](std::uint32_t i) { return std::nextafter(50.0f, i % 2 == 0 ? 0.0f : 60.0f); });
    if (HasFatalFailure()) return;
  }
}

TEST(RisingTop, ThresholdRisesLongBeforeAllArePushed) {
  std::mt19937 random(4);
  RisingTop top;
  top.reset(1000, 0, 32);
  for (std::uint32_t i = 0; i < 10000; ++i) {
    top.push(std::ldexp(float(random() >> 8), -19), i);
  }
  EXPECT_GT(top.threshold(), 28.0f);  // the best tenth begins at 28.8
}

TEST(RisingTop, StartsFromAThresholdAndTakesOthers) {
  RisingTop top;
  for (const std::uint32_t k : {3u, 300u}) {
    top.reset(k, 5, 10);
    EXPECT_FALSE(top.push(4.99f, 1));
    top.push(5, 2);
    top.push(6, 3);
    top.raise(5.5f);
    top.raise(1);
    EXPECT_EQ(top.threshold(), 5.5f);
    EXPECT_FALSE(top.push(5.25f, 4));
    const std::vector<std::uint64_t> keys = top.take();
    ASSERT_FALSE(keys.empty());
    EXPECT_EQ(hit_of(keys[0]), (Hit{3, 6.0f}));
  }
}

}  // namespace
}  // namespace gannet::query
