// Blocks and grids: who a thread is, barriers, orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// Numbers every thread of a three-dimensional grid of three-dimensional blocks.
__global__ void number_threads(std::uint32_t* count, std::uint32_t* warp_lanes) {
  const std::uint32_t in_block =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const std::uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  ++count[block * blockDim.x * blockDim.y * blockDim.z + in_block];
  // Warps are made of neighbours, x first.
  const std::uint32_t first = __shfl_sync(0xffffffffu, in_block, 0);
  warp_lanes[in_block] = in_block - first;
}

TEST(Grid, EveryThreadOfEveryBlockRunsOnce) {
  for (const std::uint64_t seed : {0, 1}) {
    std::vector<std::uint32_t> count(2 * 3 * 4 * 5 * 6 * 7);
    std::vector<std::uint32_t> warp_lanes(5 * 6 * 7);
    launch({.grid = {2, 3, 4}, .block = {5, 6, 7}, .seed = seed}, number_threads, count.data(),
           warp_lanes.data());
    EXPECT_THAT(count, Each(1));
    for (std::uint32_t i = 0; i < warp_lanes.size(); ++i) EXPECT_EQ(warp_lanes[i], i % 32);
  }
}

TEST(Grid, ThreadsHaveParametersOfTheirOwn) {
  struct Parameter {
    int value;
  };
  std::vector<int> seen(64);
  void (*const kernel)(Parameter, int*) = [](Parameter p, int* out) {
    p.value += static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = p.value;
  };
  launch({1, 64}, kernel, Parameter{100}, seen.data());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], 100 + i);
}

TEST(Grid, BlocksAscendUnlessShuffled) {
  const auto order = [](std::uint64_t seed) {
    std::vector<std::uint32_t> blocks;
    launch({.grid = 40, .block = 1, .seed = seed}, [&] { blocks.push_back(blockIdx.x); });
    return blocks;
  };
  const auto ascending = order(0);
  EXPECT_TRUE(std::is_sorted(ascending.begin(), ascending.end()));
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(order(seed), order(seed));
    EXPECT_TRUE(std::is_permutation(ascending.begin(), ascending.end(), order(seed).begin()));
    orders.insert(order(seed));
  }
  EXPECT_EQ(orders.size(), 20u);
}

TEST(Block, ThreadsRunInAnyOrderIfShuffled) {
  const auto order = [](std::uint64_t seed) {
    std::vector<std::uint32_t> threads;
    launch({.grid = 1, .block = 96, .seed = seed, .check_races = false}, [&] {
      threads.push_back(threadIdx.x);
      __syncthreads();
      threads.push_back(threadIdx.x + 1000);
    });
    return threads;
  };
  std::set<std::vector<std::uint32_t>> orders;
  std::set<std::uint32_t> first;
  std::set<std::uint32_t> last;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto threads = order(seed);
    ASSERT_EQ(threads.size(), 192u);
    // Nobody passes the barrier before all have come.
    EXPECT_LT(*std::max_element(threads.begin(), threads.begin() + 96), 1000u);
    orders.insert(threads);
    first.insert(threads.front());
    last.insert(threads.back());
  }
  EXPECT_EQ(orders.size(), 20u);
  EXPECT_GT(first.size(), 10u);
  EXPECT_GT(last.size(), 10u);
}

/// A kernel that is wrong in some orders only: nothing keeps a lane from reading what its
/// neighbour has not written yet.
__global__ void race(const std::uint32_t* in, std::uint32_t* out) {
  __shared__ std::uint32_t room[32];
  room[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = room[threadIdx.x ^ 1];
}

TEST(Block, ShuffledOrdersFindWhatDependsOnTheOrder) {
  std::vector<std::uint32_t> in(32);
  for (std::uint32_t i = 0; i < 32; ++i) in[i] = i;
  std::set<std::vector<std::uint32_t>> results;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<std::uint32_t> out(32);
    launch({.grid = 1, .block = 32, .seed = seed, .check_races = false}, race, in.data(),
           out.data());
    results.insert(out);
  }
  EXPECT_GT(results.size(), 1u);
}

class Barriers : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Launch threads(unsigned count) const { return {.grid = 1, .block = count, .seed = GetParam()}; }
};

TEST_P(Barriers, WhatIsWrittenBeforeIsReadBehind) {
  std::vector<std::uint32_t> values(1000);
  bool right = true;
  launch(threads(1000), [&] {
    const std::uint32_t i = threadIdx.x;
    for (std::uint32_t round = 1; round <= 5; ++round) {
      values[i] = i * round;
      __syncthreads();
      const std::uint32_t other = (i + 501) % 1000;
      if (values[other] != other * round) right = false;
      __syncthreads();
    }
  });
  EXPECT_TRUE(right);
}

TEST_P(Barriers, Vote) {
  std::vector<int> seen;
  launch(threads(100), [&] {
    const int i = static_cast<int>(threadIdx.x);
    const int results[] = {__syncthreads_count(i % 3 == 0 ? i + 1 : 0), __syncthreads_and(i < 99),
                           __syncthreads_and(i < 100), __syncthreads_or(i == 77 ? -5 : 0),
                           __syncthreads_or(i > 99)};
    if (i == 50) seen.assign(std::begin(results), std::end(results));
    int same = 0;
    for (const int result : results) same += result;
    if (__syncthreads_count(same == 36) != 100) seen.clear();
  });
  EXPECT_THAT(seen, ElementsAre(34, 0, 1, 1, 0));
}

/// Threads that have returned count as arrived, and not as having voted.
TEST_P(Barriers, DoNotWaitForThreadsThatHaveReturned) {
  std::vector<int> counts(128);
  launch(threads(128), [&] {
    const std::uint32_t i = threadIdx.x;
    if (i % 2 == 1) return;
    counts[i] = __syncthreads_count(1);
    if (i >= 64) return;
    counts[i] += 1000 * __syncthreads_count(1);
  });
  for (std::uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(counts[i], i % 2 == 1 ? 0 : i < 64 ? 32064 : 64);
  }
}

TEST_P(Barriers, AreReachedWhenTheLastReturns) {
  int behind = 0;
  launch(threads(64), [&] {
    if (threadIdx.x == 63) {
      for (int i = 0; i < 100; ++i) __nanosleep(1);
      return;
    }
    __syncthreads();
    atomicAdd(&behind, 1);
  });
  EXPECT_EQ(behind, 63);
}

/// Warps run at their own pace between barriers.
TEST_P(Barriers, WarpsDoDifferentThingsInBetween) {
  std::vector<std::uint32_t> sums(3);
  launch(threads(96), [&] {
    const std::uint32_t warp = threadIdx.x / 32;
    std::uint32_t sum = 0;
    for (std::uint32_t round = 0; round < 10 * warp; ++round) {
      sum += __reduce_add_sync(0xffffffffu, round);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) sums[warp] = sum;
  });
  EXPECT_THAT(sums, ElementsAre(0, 32 * 45, 32 * 190));
}

TEST_P(Barriers, ThreadsMayWaitForOthersByAtomics) {
  unsigned turn = 0;
  std::vector<unsigned> order;
  launch(threads(70), [&] {
    const unsigned mine = 69 - threadIdx.x;
    while (atomicAdd(&turn, 0u) != mine) {
    }
    order.push_back(threadIdx.x);
    __threadfence();
    atomicExch(&turn, mine + 1);
  });
  ASSERT_EQ(order.size(), 70u);
  for (unsigned i = 0; i < 70; ++i) EXPECT_EQ(order[i], 69 - i);
}

INSTANTIATE_TEST_SUITE_P(Orders, Barriers, ::testing::Range<std::uint64_t>(0, 6));

}  // namespace
}  // namespace gannet::simt
