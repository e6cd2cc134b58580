// Lanes of one warp that go different ways.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

constexpr std::uint32_t kAll = 0xffffffffu;

/// In ascending order, and in a few others.
class Divergence : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Launch warp() const { return {.grid = 1, .block = 32, .seed = GetParam()}; }
};

TEST_P(Divergence, BranchesHaveShufflesOfTheirOwn) {
  std::vector<std::uint32_t> seen(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane < 8) {
      seen[lane] = __shfl_sync(0xffu, lane, 3);
    } else if (lane < 20) {
      seen[lane] = __reduce_add_sync(0x000fff00u, lane);
    } else {
      seen[lane] = __ballot_sync(0xfff00000u, lane % 2 == 0);
    }
  });
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t sum_of_8_to_19 = 162;
    EXPECT_EQ(seen[lane], lane < 8 ? 3u : lane < 20 ? sum_of_8_to_19 : 0x55500000u) << lane;
  }
}

/// Since Volta, lanes meet by what they do, not by where they do it.
TEST_P(Divergence, LanesMeetFromDifferentPlaces) {
  std::vector<std::uint32_t> seen(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane % 2 == 0) {
      seen[lane] = __shfl_xor_sync(kAll, lane, 1);
    } else {
      seen[lane] = __shfl_xor_sync(kAll, lane + 100, 1);
    }
  });
  for (std::uint32_t lane = 0; lane < 32; lane += 2) {
    EXPECT_EQ(seen[lane], lane + 101);
    EXPECT_EQ(seen[lane + 1], lane);
  }
}

/// Half of a warp waits for the other half, which first has something else to do together.
TEST_P(Divergence, SomeComeLaterThanOthers) {
  std::vector<std::uint32_t> seen(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    std::uint32_t x = lane;
    if (lane >= 16) {
      for (int i = 0; i < 5; ++i) x = __shfl_xor_sync(0xffff0000u, x + 1, 1);
    }
    seen[lane] = __shfl_xor_sync(kAll, x, 16);
  });
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(seen[lane], (lane ^ 1) + 16 + 5);
    EXPECT_EQ(seen[lane + 16], lane);
  }
}

TEST_P(Divergence, LoopsOfDifferentLength) {
  std::vector<std::uint32_t> rounds(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    std::uint32_t left = lane % 7;
    while (__any_sync(kAll, left != 0)) {
      if (left != 0) --left;
      ++rounds[lane];
    }
  });
  EXPECT_EQ(rounds, std::vector<std::uint32_t>(32, 6));
}

/// "All non-exited threads named in mask": a lane that has returned is not waited for.
TEST_P(Divergence, LanesThatHaveReturnedAreNotWaitedFor) {
  std::vector<std::uint32_t> seen(32, 7);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane >= 10) return;
    seen[lane] = __ballot_sync(kAll, 1);
  });
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(seen[lane], lane < 10 ? 0x3ffu : 7u);
}

TEST_P(Divergence, ReturningCompletesWhatOthersWaitFor) {
  std::vector<std::uint32_t> seen(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane == 31) {
      for (int i = 0; i < 10; ++i) __nanosleep(1);  // the others wait by then
      return;
    }
    __syncwarp();
    seen[lane] = __reduce_add_sync(kAll, 1u);
  });
  EXPECT_EQ(seen[0], 31u);
  EXPECT_EQ(seen[30], 31u);
  EXPECT_EQ(seen[31], 0u);
}

TEST_P(Divergence, AnIncompleteWarpHasTheLanesThatItHas) {
  std::vector<std::uint32_t> seen(45);
  launch({.grid = 1, .block = 45, .seed = GetParam()},
         [&] { seen[threadIdx.x] = __ballot_sync(kAll, 1); });
  EXPECT_EQ(seen[0], kAll);
  EXPECT_EQ(seen[32], 0x1fffu);
  EXPECT_EQ(seen[44], 0x1fffu);
}

/// Those that come to one __activemask() while all others are elsewhere.
TEST_P(Divergence, ActiveLanesAreThoseOfTheBranch) {
  std::vector<std::uint32_t> seen(32);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane % 3 == 0) {
      seen[lane] = __activemask();
    } else {
      seen[lane] = __activemask();
      seen[lane] &= __ballot_sync(seen[lane], 1);
    }
    __syncwarp();
  });
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(seen[lane], lane % 3 == 0 ? 0x49249249u : ~0x49249249u) << lane;
  }
}

/// The usual sum of those that come by, with one atomic operation for all of them.
TEST_P(Divergence, AggregatedAtomics) {
  unsigned count = 0;
  std::vector<unsigned> slots(32, 99);
  launch(warp(), [&] {
    const std::uint32_t lane = threadIdx.x;
    if (lane % 5 != 2) return;
    const unsigned active = __activemask();
    const int leader = __ffs(static_cast<int>(active)) - 1;
    unsigned first = 0;
    if (static_cast<int>(lane) == leader) {
      first = atomicAdd(&count, static_cast<unsigned>(__popc(active)));
    }
    first = __shfl_sync(active, first, leader);
    slots[lane] = first + static_cast<unsigned>(__popc(active & ((1u << lane) - 1)));
  });
  EXPECT_EQ(count, 6u);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(slots[lane], lane % 5 == 2 ? lane / 5 : 99u);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Divergence, ::testing::Range<std::uint64_t>(0, 9));

}  // namespace
}  // namespace gannet::simt
