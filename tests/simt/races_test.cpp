// Accesses that nothing orders are found, in the very order in which they do no harm; those that
// something orders are let through.
#include <cuda_pipeline.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint32_t kAll = 0xffffffffu;

class Races : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
#if !defined(GANNET_SIMT_FINDS_RACES)
    GTEST_SKIP() << "not built with calls at every access";
#endif
  }

  /// What is wrong with a block of 64 threads that run `body`, or nothing.
  std::string race(const std::function<void()>& body) const {
    try {
      launch({.grid = 2, .block = 64, .seed = GetParam()}, [&] { body(); });
    } catch (const KernelFailure& error) {
      return error.what();
    }
    return "";
  }
};

const auto kIsRace = HasSubstr("a race.");

std::uint32_t lane() { return threadIdx.x % 32; }
std::uint32_t warp() { return threadIdx.x / 32; }

/// Sixty-four words a block.
__device__ std::uint32_t* room() {
  __shared__ std::uint32_t words[64];
  return words;
}

TEST_P(Races, ReadingWhatANeighbourHasWritten) {
  const std::string text = race([] {
    room()[threadIdx.x] = threadIdx.x;
    volatile std::uint32_t seen = room()[threadIdx.x ^ 1];
    static_cast<void>(seen);
  });
  EXPECT_THAT(text,
              AllOf(kIsRace, HasSubstr("4 bytes of shared memory"), HasSubstr(" reads"),
                    HasSubstr(" writes"), HasSubstr("races_test.cpp:"), HasSubstr("block (")));
  EXPECT_THAT(race([] {
                room()[threadIdx.x] = threadIdx.x;
                __syncwarp();
                room()[threadIdx.x] += 1;  // one's own
              }),
              IsEmpty());
}

TEST_P(Races, SyncwarpOrdersTheLanesOfAWarp) {
  const auto exchange = [](std::uint32_t by) {
    return [by] {
      room()[threadIdx.x] = threadIdx.x;
      __syncwarp();
      const std::uint32_t seen = room()[threadIdx.x ^ by];
      __syncwarp();
      room()[threadIdx.x] = seen;
    };
  };
  EXPECT_THAT(race(exchange(1)), IsEmpty());
  EXPECT_THAT(race(exchange(31)), IsEmpty());
  EXPECT_THAT(race(exchange(32)), kIsRace);
}

TEST_P(Races, WritingWhatOthersStillRead) {
  const auto rounds = [](bool twice) {
    return [twice] {
      for (std::uint32_t round = 0; round < 3; ++round) {
        room()[threadIdx.x] = round;
        __syncthreads();
        volatile std::uint32_t seen = room()[63 - threadIdx.x];
        static_cast<void>(seen);
        if (twice) __syncthreads();
      }
    };
  };
  EXPECT_THAT(race(rounds(false)), kIsRace);
  EXPECT_THAT(race(rounds(true)), IsEmpty());
}

TEST_P(Races, TwoWhoWriteTheSameWord) {
  EXPECT_THAT(race([] { room()[0] = threadIdx.x; }), kIsRace);
  EXPECT_THAT(race([] {
                if (lane() == 0) room()[warp()] = 1;
              }),
              IsEmpty());
}

TEST_P(Races, InGlobalMemory) {
  std::vector<std::uint32_t> memory(64);
  EXPECT_THAT(race([&] {
                memory[threadIdx.x] = 1;
                memory[(threadIdx.x + 1) % 64] = 2;
              }),
              AllOf(kIsRace, HasSubstr("of global memory")));
}

/// Blocks are not compared: here both write the same words.
TEST_P(Races, AreThoseOfOneBlock) {
  std::vector<std::uint32_t> memory(64);
  EXPECT_THAT(race([&] { memory[threadIdx.x] = blockIdx.x; }), IsEmpty());
}

/// Lanes that have met in a vote have read before. What they have written need not be seen.
TEST_P(Races, VotesOrderReadsBeforeWritesOnly) {
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

TEST_P(Races, OnlyLanesOfTheMaskAreOrdered) {
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
TEST_P(Races, OrderIsHandedOn) {
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

TEST_P(Races, AtomicsAreOrderedAmongThemselves) {
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
TEST_P(Races, FencesAndAtomicsTellOthers) {
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
TEST_P(Races, WarpsLearnFromOneLane) {
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

TEST_P(Races, BytesOfAWordAreToldApart) {
  EXPECT_THAT(race([] {
                __shared__ std::uint8_t bytes[64];
                __shared__ std::uint16_t halves[64];
                bytes[threadIdx.x] = 1;
                halves[threadIdx.x] = bytes[threadIdx.x];
                bytes[threadIdx.x] += static_cast<std::uint8_t>(halves[threadIdx.x]);
              }),
              IsEmpty());
  EXPECT_THAT(race([] {
                reinterpret_cast<std::uint8_t*>(room())[threadIdx.x] = 1;
                __syncwarp();
                if (threadIdx.x == 33) room()[0] = 2;
              }),
              kIsRace);
  EXPECT_THAT(race([] {
                if (threadIdx.x == 33) reinterpret_cast<std::uint64_t*>(room())[1] = 2;
                if (threadIdx.x == 15) reinterpret_cast<std::uint8_t*>(room())[15] = 1;
              }),
              kIsRace);
}

/// A thread's copies are its own writes, at the time when it has waited for them.
TEST_P(Races, LateCopiesAreWrites) {
  static const std::uint32_t source[64] = {};
  const auto copy = [](bool meet) {
    return [meet] {
      __pipeline_memcpy_async(room() + threadIdx.x, source + threadIdx.x, 4);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      if (meet) __syncwarp();
      volatile std::uint32_t seen = room()[threadIdx.x ^ 1];
      static_cast<void>(seen);
    };
  };
  EXPECT_THAT(race(copy(true)), IsEmpty());
  EXPECT_THAT(race(copy(false)), kIsRace);
}

TEST_P(Races, AreNotLookedForWhereNobodyAsks) {
  EXPECT_NO_THROW(launch({.grid = 1, .block = 64, .seed = GetParam(), .check_races = false},
                         [] { room()[0] = threadIdx.x; }));
}

INSTANTIATE_TEST_SUITE_P(Orders, Races, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace gannet::simt
