// What lanes do together, held to what the CUDA programming guide and PTX say of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using test::Random;

constexpr std::uint32_t kAll = 0xffffffffu;

/// A value of any type that shuffles take, from random bits.
template <class T>
T value_of(Random& random) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random()) / 3;
  } else {
    return static_cast<T>(test::random64(random));
  }
}

template <class T>
class Shuffle : public ::testing::Test {
 protected:
  /// What every lane gets where `lane_read(lane)` is the lane that it reads.
  std::vector<T> expected(const std::vector<T>& values,
                          const std::function<std::uint32_t(std::uint32_t)>& lane_read) {
    std::vector<T> result(kWarp);
    for (std::uint32_t lane = 0; lane < kWarp; ++lane) result[lane] = values[lane_read(lane)];
    return result;
  }

  template <class F>
  std::vector<T> shuffled(const std::vector<T>& values, F shuffle) {
    std::vector<T> result(kWarp);
    launch({1, 32}, [&] { result[threadIdx.x] = shuffle(values[threadIdx.x]); });
    return result;
  }

  std::vector<T> values() {
    Random random(1);
    std::vector<T> some(kWarp);
    for (T& value : some) value = value_of<T>(random);
    return some;
  }
};

using Types = ::testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long,
                               float, double>;
TYPED_TEST_SUITE(Shuffle, Types);

constexpr int kWidths[] = {1, 2, 4, 8, 16, 32};

TYPED_TEST(Shuffle, ReadsALaneOfTheSameGroup) {
  const auto values = this->values();
  for (const int width : kWidths) {
    for (int from = -3; from < 70; ++from) {
      const auto w = static_cast<std::uint32_t>(width);
      EXPECT_EQ(this->shuffled(values, [&](auto x) { return __shfl_sync(kAll, x, from, width); }),
                this->expected(values,
                               [&](std::uint32_t lane) {
                                 return lane / w * w + static_cast<std::uint32_t>(from) % w;
                               }))
          << width << ' ' << from;
    }
  }
}

TYPED_TEST(Shuffle, ReadsALaneBelow) {
  const auto values = this->values();
  for (const int width : kWidths) {
    for (unsigned by = 0; by < 32; ++by) {
      const auto w = static_cast<std::uint32_t>(width);
      EXPECT_EQ(this->shuffled(values, [&](auto x) { return __shfl_up_sync(kAll, x, by, width); }),
                this->expected(
                    values, [&](std::uint32_t lane) { return lane % w >= by ? lane - by : lane; }));
    }
  }
}

TYPED_TEST(Shuffle, ReadsALaneAbove) {
  const auto values = this->values();
  for (const int width : kWidths) {
    for (unsigned by = 0; by < 32; ++by) {
      const auto w = static_cast<std::uint32_t>(width);
      EXPECT_EQ(
          this->shuffled(values, [&](auto x) { return __shfl_down_sync(kAll, x, by, width); }),
          this->expected(values,
                         [&](std::uint32_t lane) { return lane % w + by < w ? lane + by : lane; }));
    }
  }
}

/// Groups before the own one may be read, those behind it not.
TYPED_TEST(Shuffle, ReadsTheLaneThatDiffersInBits) {
  const auto values = this->values();
  for (const int width : kWidths) {
    for (int bits = 0; bits < 32; ++bits) {
      const auto w = static_cast<std::uint32_t>(width);
      EXPECT_EQ(
          this->shuffled(values, [&](auto x) { return __shfl_xor_sync(kAll, x, bits, width); }),
          this->expected(values, [&](std::uint32_t lane) {
            const std::uint32_t other = lane ^ static_cast<std::uint32_t>(bits);
            return other / w <= lane / w ? other : lane;
          }));
    }
  }
}

TYPED_TEST(Shuffle, LanesMayReadDifferentLanes) {
  const auto values = this->values();
  EXPECT_EQ(this->shuffled(values,
                           [&](auto x) {
                             return __shfl_sync(kAll, x, static_cast<int>(threadIdx.x * 7 % 32));
                           }),
            this->expected(values, [](std::uint32_t lane) { return lane * 7 % 32; }));
}

/// Without a width it is 32.
TEST(Shuffles, AreOfTheWholeWarpIfTheyDoNotSay) {
  std::uint32_t seen[kWarp][4];
  launch({1, 32}, [&] {
    const std::uint32_t lane = threadIdx.x;
    seen[lane][0] = __shfl_sync(kAll, lane, 31);
    seen[lane][1] = __shfl_up_sync(kAll, lane, 1);
    seen[lane][2] = __shfl_down_sync(kAll, lane, 1);
    seen[lane][3] = __shfl_xor_sync(kAll, lane, 16);
  });
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    EXPECT_EQ(seen[lane][0], 31u);
    EXPECT_EQ(seen[lane][1], lane == 0 ? 0 : lane - 1);
    EXPECT_EQ(seen[lane][2], lane == 31 ? 31 : lane + 1);
    EXPECT_EQ(seen[lane][3], lane ^ 16);
  }
}

/// CUDA leaves it undefined. Here it is no value that anybody had.
TEST(Shuffles, ALaneThatTakesNoPartHasNothingToRead) {
  std::uint32_t seen[kWarp]{};
  launch({1, 32}, [&] {
    if (threadIdx.x < 16) seen[threadIdx.x] = __shfl_down_sync(0xffffu, threadIdx.x, 1);
  });
  EXPECT_EQ(seen[14], 15u);
  EXPECT_GT(seen[15], 31u);
}

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
