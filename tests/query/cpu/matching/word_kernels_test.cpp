// The kernels of rows of words: every level that this processor has against plain definitions.
#include "query/cpu/matching/word_kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace gannet::query {
namespace {

using codecs::SimdLevel;

class Words : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > codecs::best_simd_level()) {
      GTEST_SKIP() << "this processor has no " << name_of(GetParam());
    }
  }
  /// Some words are full, or empty.
  std::vector<std::uint64_t> row(std::size_t words) {
    std::vector<std::uint64_t> made(words);
    for (std::uint64_t& word : made) {
      const std::uint64_t kind = random_() % 8;
      word = kind == 0 ? ~std::uint64_t{0} : kind == 1 ? 0 : random_();
    }
    return made;
  }
  const WordKernels& kernels() const { return word_kernels(GetParam()); }

  std::mt19937_64 random_{7};
};

TEST_P(Words, AreJoinedAndCounted) {
  for (std::size_t words : {0, 1, 2, 15, 16, 17, 31, 64, 111, 112, 113, 128, 256, 1000, 1024}) {
    for (std::size_t n = 1; n <= 6; ++n) {
      std::vector<std::vector<std::uint64_t>> rows;
      std::vector<const std::uint64_t*> pointers;
      for (std::size_t r = 0; r < n; ++r) rows.push_back(row(words));
      for (const auto& one : rows) pointers.push_back(one.data());
      std::vector<std::uint64_t> any(words + 1, 17);
      std::vector<std::uint64_t> all(words + 1, 17);
      kernels().any(pointers, words, any.data());
      kernels().all(pointers, words, all.data());
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t some = 0;
        std::uint64_t every = ~std::uint64_t{0};
        for (const auto& one : rows) {
          some |= one[i];
          every &= one[i];
        }
        ASSERT_EQ(any[i], some) << words << " words, " << n << " rows, word " << i;
        ASSERT_EQ(all[i], every) << words << " words, " << n << " rows, word " << i;
        bits += static_cast<std::uint64_t>(std::popcount(some));
      }
      ASSERT_EQ(any[words], 17u);
      ASSERT_EQ(all[words], 17u);
      ASSERT_EQ(kernels().count(any.data(), words), bits);
      kernels().any(pointers, words, rows[n - 1].data());  // into one of them
      any.pop_back();
      ASSERT_EQ(rows[n - 1], any);
    }
  }
}

TEST_P(Words, CountsFullRows) {
  const std::vector<std::uint64_t> full(5000, ~std::uint64_t{0});
  for (std::size_t words = 0; words <= full.size(); words += 1 + words / 7) {
    ASSERT_EQ(kernels().count(full.data(), words), words * 64);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Words,
                         testing::Values(SimdLevel::kPortable, SimdLevel::kAvx2,
                                         SimdLevel::kAvx512),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace gannet::query
