// What orders accesses, and what does not: votes, masks, atomics, fences.
#include "tests/simt/races.hpp"

namespace gannet::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kAll = 0xffffffffu;

class RaceOrders : public Races {};

/// Lanes that have met in a vote have read before. What they have written need not be seen.
TEST_P(RaceOrders, VotesOrderReadsBeforeWritesOnly) {
  EXPECT_THAT(race([] {
                room()[threadIdx.x] = threadIdx.x;
                __syncwarp();
                const std::uint32_t seen = room()[threadIdx.x ^ 1];
                if (__any_sync(kAll, seen > 7)) room()[threadIdx.x] = 1;
              }),
              IsEmpty());
  EXPECT_THAT(race([] {
                room()[threadIdx.x] = threadIdx.x;
                __ballot_sync(kAll, 1);
                volatile std::uint32_t seen = room()[threadIdx.x ^ 1];
                static_cast<void>(seen);
              }),
              kIsRace);
}

TEST_P(RaceOrders, OnlyLanesOfTheMaskAreOrdered) {
  const auto read_neighbour = [](std::uint32_t group) {
    return [group] {
      room()[threadIdx.x] = threadIdx.x;
      const std::uint32_t first = lane() / group * group;
      __syncwarp((group == 32 ? kAll : (1u << group) - 1) << first);
      volatile std::uint32_t seen = room()[threadIdx.x ^ 4];
      static_cast<void>(seen);
    };
  };
  EXPECT_THAT(race(read_neighbour(4)), kIsRace);
  EXPECT_THAT(race(read_neighbour(8)), IsEmpty());
}

/// Lane 0 meets 1, then 1 meets 2: what 0 has written, 2 may read.
TEST_P(RaceOrders, OrderIsHandedOn) {
  const auto chain = [](bool whole) {
    return [whole] {
      if (warp() != 0 || lane() > 2) return;
      if (lane() == 0) room()[0] = 1;
      if (lane() < 2) __syncwarp(0x3u);
      if (lane() > 0 && whole) __syncwarp(0x6u);
      if (lane() == 2) room()[1] = room()[0];
    };
  };
  EXPECT_THAT(race(chain(true)), IsEmpty());
  EXPECT_THAT(race(chain(false)), kIsRace);
}

TEST_P(RaceOrders, AtomicsAreOrderedAmongThemselves) {
  const auto count = [](bool barrier) {
    return [barrier] {
      if (threadIdx.x == 0) room()[0] = 0;
      __syncthreads();
      atomicAdd(room(), 1u);
      if (barrier) __syncthreads();
      volatile std::uint32_t total = 0;
      if (threadIdx.x == 5) total = room()[0];
      static_cast<void>(total);
    };
  };
  EXPECT_THAT(race(count(true)), IsEmpty());
  EXPECT_THAT(race(count(false)), AllOf(kIsRace, HasSubstr("changes atomically")));
}

/// A fence, then something atomic, tells others what was before.
TEST_P(RaceOrders, FencesAndAtomicsTellOthers) {
  const auto hand_over = [](bool fenced, bool by_volatile) {
    return [=] {
      std::uint32_t* const flag = room() + 1;
      if (threadIdx.x == 0) *flag = 0;
      __syncthreads();
      if (threadIdx.x == 0) {
        room()[0] = 42;
        if (fenced) __threadfence_block();
        if (by_volatile) {
          *static_cast<volatile std::uint32_t*>(flag) = 1;
        } else {
          atomicExch(flag, 1u);
        }
      } else if (threadIdx.x == 40) {
        while (*static_cast<volatile std::uint32_t*>(flag) == 0) __nanosleep(10);
        room()[2] = room()[0];
      }
    };
  };
  EXPECT_THAT(race(hand_over(true, false)), IsEmpty());
  EXPECT_THAT(race(hand_over(true, true)), IsEmpty());
  EXPECT_THAT(race(hand_over(false, false)), kIsRace);
}

/// What a lane has learned by an atomic, its warp learns from it at __syncwarp.
TEST_P(RaceOrders, WarpsLearnFromOneLane) {
  const auto hand_over = [](bool meet) {
    return [meet] {
      std::uint32_t* const flag = room() + 63;
      if (threadIdx.x == 0) *flag = 0;
      __syncthreads();
      if (warp() == 0) {
        room()[lane()] = lane();
        __syncwarp();
        __threadfence();
        if (lane() == 0) atomicExch(flag, 1u);
        return;
      }
      if (lane() == 0) {
        while (atomicAdd(flag, 0u) == 0) {
        }
      }
      if (meet) {
        __syncwarp();
      } else {
        __ballot_sync(kAll, 1);
      }
      if (lane() < 30) room()[32 + lane()] = room()[lane() + 1];
    };
  };
  EXPECT_THAT(race(hand_over(true)), IsEmpty());
  EXPECT_THAT(race(hand_over(false)), kIsRace);
}

INSTANTIATE_TEST_SUITE_P(Orders, RaceOrders, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace gannet::simt
