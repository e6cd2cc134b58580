// Votes, matches and reductions of the lanes that a mask names.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using test::Random;

constexpr std::uint32_t kAll = 0xffffffffu;

class Votes : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(Votes, CountWhatTheLanesOfTheMaskSay) {
  const std::uint32_t mask = GetParam();
  for (const std::uint32_t yes : {0u, 1u, 0x80000000u, 0x00ff00ffu, 0x12345678u, kAll, mask}) {
    int wrong = 0;
    launch({1, 32}, [&] {
      const std::uint32_t lane = threadIdx.x;
      if ((mask >> lane & 1) == 0) return;
      // Whatever is not 0 is a yes.
      const int predicate = (yes >> lane & 1) != 0 ? static_cast<int>(lane) - 40 : 0;
      if (__ballot_sync(mask, predicate) != (yes & mask)) ++wrong;
      if (__any_sync(mask, predicate) != ((yes & mask) != 0 ? 1 : 0)) ++wrong;
      if (__all_sync(mask, predicate) != ((yes & mask) == mask ? 1 : 0)) ++wrong;
    });
    EXPECT_EQ(wrong, 0) << std::hex << yes;
  }
}

class Matches : public Votes {};

TEST_P(Matches, NameTheLanesWithTheSameValue) {
  const std::uint32_t mask = GetParam();
  Random random(2);
  std::uint64_t values[kWarp];
  // Halves that are alike in some, so that both count.
  for (std::uint64_t& value : values) value = std::uint64_t{random() % 3} << 32 | random() % 3;
  std::uint32_t any[kWarp];
  std::uint32_t narrow[kWarp];
  std::uint32_t all[kWarp][2];
  int agree[kWarp][2];
  launch({1, 32}, [&] {
    const std::uint32_t lane = threadIdx.x;
    if ((mask >> lane & 1) == 0) return;
    any[lane] = __match_any_sync(mask, values[lane]);
    narrow[lane] = __match_any_sync(mask, static_cast<float>(values[lane] >> 32));
    all[lane][0] = __match_all_sync(mask, values[lane], &agree[lane][0]);
    all[lane][1] = __match_all_sync(mask, 77, &agree[lane][1]);
  });
  bool one_value = true;
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    std::uint32_t same = 0;
    std::uint32_t same_half = 0;
    for (std::uint32_t other = 0; other < kWarp; ++other) {
      if ((mask >> other & 1) == 0) continue;
      if (values[other] == values[lane]) same |= 1u << other;
      if (values[other] >> 32 == values[lane] >> 32) same_half |= 1u << other;
    }
    one_value = one_value && same == mask;
    EXPECT_EQ(any[lane], same);
    EXPECT_EQ(narrow[lane], same_half);
  }
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    EXPECT_EQ(all[lane][0], one_value ? mask : 0);
    EXPECT_EQ(agree[lane][0], one_value ? 1 : 0);
    EXPECT_EQ(all[lane][1], mask);
    EXPECT_EQ(agree[lane][1], 1);
  }
}

class Reductions : public Votes {
 protected:
  /// f over the values of the mask's lanes, one after the other.
  template <class T, class F>
  T fold(const T (&values)[kWarp], F f) const {
    bool first = true;
    T result{};
    for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
      if ((GetParam() >> lane & 1) == 0) continue;
      result = first ? values[lane] : f(result, values[lane]);
      first = false;
    }
    return result;
  }

  /// Counts the lanes that get something else from `reduce` than `expected`.
  template <class T, class F>
  int lanes_that_differ(const T (&values)[kWarp], F reduce, T expected) const {
    int wrong = 0;
    launch({1, 32}, [&] {
      if ((GetParam() >> threadIdx.x & 1) == 0) return;
      if (reduce(GetParam(), values[threadIdx.x]) != expected) ++wrong;
    });
    return wrong;
  }
};

TEST_P(Reductions, OfUnsignedNumbers) {
  Random random(3);
  unsigned values[kWarp];
  for (unsigned& value : values) value = random() | random();
#define GANNET_EXPECT(reduce, combination)                                                     \
  EXPECT_EQ(lanes_that_differ(                                                                 \
                values, [](unsigned mask, unsigned x) { return reduce(mask, x); },             \
                fold(values, [](unsigned a, unsigned b) -> unsigned { return combination; })), \
            0)                                                                                 \
      << #reduce
  GANNET_EXPECT(__reduce_add_sync, a + b);
  GANNET_EXPECT(__reduce_min_sync, a < b ? a : b);
  GANNET_EXPECT(__reduce_max_sync, a > b ? a : b);
  GANNET_EXPECT(__reduce_and_sync, a & b);
  GANNET_EXPECT(__reduce_or_sync, a | b);
  GANNET_EXPECT(__reduce_xor_sync, a ^ b);
#undef GANNET_EXPECT
}

TEST_P(Reductions, OfSignedNumbers) {
  Random random(4);
  int values[kWarp];
  for (int& value : values) value = static_cast<int>(random());
#define GANNET_EXPECT(reduce, combination)                                      \
  EXPECT_EQ(lanes_that_differ(                                                  \
                values, [](unsigned mask, int x) { return reduce(mask, x); },   \
                fold(values, [](int a, int b) -> int { return combination; })), \
            0)                                                                  \
      << #reduce
  // Modulo 2^32.
  GANNET_EXPECT(__reduce_add_sync,
                static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)));
  GANNET_EXPECT(__reduce_min_sync, a < b ? a : b);
  GANNET_EXPECT(__reduce_max_sync, a > b ? a : b);
#undef GANNET_EXPECT
}

const auto kMasks = ::testing::Values(kAll, 1u, 0x80000000u, 0x0000ffffu, 0x55555555u, 0xf00f1001u);
INSTANTIATE_TEST_SUITE_P(Masks, Votes, kMasks);
INSTANTIATE_TEST_SUITE_P(Masks, Matches, kMasks);
INSTANTIATE_TEST_SUITE_P(Masks, Reductions, kMasks);

}  // namespace
}  // namespace gannet::simt
