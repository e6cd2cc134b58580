// Shuffles of every type and width, held to what the CUDA programming guide and PTX say of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
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

}  // namespace
}  // namespace gannet::simt
