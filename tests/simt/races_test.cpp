// Accesses that nothing orders are found, in the very order in which they do no harm; those that
// something orders are let through.
#include "tests/simt/races.hpp"

#include <cuda_pipeline.h>

#include <vector>

namespace gannet::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
