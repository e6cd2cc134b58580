#include "index/lists/frequency_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace gannet::index {
namespace {

TEST(FrequencyCache, KnowsNothingAtFirst) {
  const FrequencyCache cache;
  EXPECT_FALSE(cache.find(0));
  EXPECT_FALSE(cache.find(0xffffffff));
}

TEST(FrequencyCache, KeepsWhatItIsGiven) {
  const FrequencyCache cache;
  cache.keep(0, 7);
  EXPECT_EQ(cache.find(0), 7u);
  cache.keep(0xffffffff, 0xffffffff);
  EXPECT_EQ(cache.find(0xffffffff), 0xffffffffu);
}

/// Many more terms than places: what is found is right, and nearly all places are used.
TEST(FrequencyCache, MoreTermsThanPlaces) {
  constexpr std::uint32_t kTerms = 1u << 17;
  const FrequencyCache cache;
  const auto frequency = [](std::uint32_t term) { return term * 3 + 1; };
  std::uint32_t found = 0;
  for (std::uint32_t term = 0; term < kTerms; ++term) {
    cache.keep(term, frequency(term));
    ASSERT_EQ(cache.find(term), frequency(term));
  }
  for (std::uint32_t term = 0; term < kTerms; ++term) {
    const auto known = cache.find(term);
    if (!known) continue;
    ++found;
    ASSERT_EQ(*known, frequency(term));
  }
  EXPECT_GT(found, 12'000u);
  EXPECT_LT(found, kTerms / 2);
}

TEST(FrequencyCache, ThreadsSeeWholeEntries) {
  const FrequencyCache cache;
  std::vector<std::thread> threads;
  std::atomic<std::uint32_t> wrong{0};
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 100'000; ++i) {
        const std::uint32_t term = (i * 4 + t) % 40'000;
        if (const auto known = cache.find(term); known && *known != term + 1) ++wrong;
        cache.keep(term, term + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace gannet::index
