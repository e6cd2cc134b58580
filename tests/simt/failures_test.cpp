// What is wrong in every order is an error, with the place and the lanes, and never a hang.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kAll = 0xffffffffu;

/// What a launch throws, or nothing.
template <class Body>
std::string failure(const Launch& how, const Body& body) {
  try {
    launch(how, body);
  } catch (const KernelFailure& error) {
    return error.what();
  }
  return "";
}

class Failures : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Launch threads(unsigned count) const { return {.grid = 1, .block = count, .seed = GetParam()}; }
};

TEST_P(Failures, AMaskWithoutTheLaneItself) {
  EXPECT_THAT(failure(threads(32),
                      [] {
                        if (threadIdx.x == 3) __syncwarp(0x1u);
                      }),
              AllOf(HasSubstr("warp 0, lane 3 is at __syncwarp(0x00000001)"),
                    HasSubstr("failures_test.cpp:"), HasSubstr("whose mask does not name it")));
}

TEST_P(Failures, ALaneOfTheMaskIsElsewhere) {
  const std::string text = failure(threads(64), [] {
    if (threadIdx.x == 40) {
      __syncthreads();
    } else if (threadIdx.x >= 32) {
      __ballot_sync(kAll, 1);
    }
  });
  EXPECT_THAT(text, HasSubstr("no thread can go on"));
  EXPECT_THAT(text, HasSubstr("warp 1, lanes 0-7, 9-31 at __ballot_sync(0xffffffff)"));
  EXPECT_THAT(text, HasSubstr("waiting for lane 8\n"));
  EXPECT_THAT(text, HasSubstr("warp 1, lane 8 at __syncthreads()"));
  EXPECT_THAT(text, Not(HasSubstr("warp 0,")));
}

TEST_P(Failures, MasksThatDoNotAgree) {
  EXPECT_THAT(
      failure(threads(32),
              [] {
                if (threadIdx.x < 16) {
                  __any_sync(kAll, 1);
                } else {
                  __any_sync(0xffff0000u, 1);
                  __syncwarp();
                }
              }),
      AllOf(HasSubstr("lanes 0-15 at __any_sync(0xffffffff)"), HasSubstr("waiting for lanes 16-31"),
            HasSubstr("lanes 16-31 at __syncwarp(0xffffffff)"),
            HasSubstr("waiting for lanes 0-15")));
}

TEST_P(Failures, OperationsThatDoNotAgree) {
  EXPECT_THAT(
      failure(threads(32),
              [] {
                if (threadIdx.x % 2 == 0) {
                  __shfl_sync(kAll, 1, 0);
                } else {
                  __shfl_down_sync(kAll, 1, 1);
                }
              }),
      AllOf(HasSubstr("__shfl_sync(0xffffffff)"), HasSubstr("__shfl_down_sync(0xffffffff)")));
}

TEST_P(Failures, ValuesOfDifferentSizes) {
  EXPECT_THAT(failure(threads(32),
                      [] {
                        if (threadIdx.x == 0) {
                          __shfl_sync(kAll, 1.0, 0);
                        } else {
                          __shfl_sync(kAll, 1.0f, 0);
                        }
                      }),
              HasSubstr("no thread can go on"));
}

TEST_P(Failures, WidthsThatThereAreNot) {
  for (const int width : {0, 3, 33, 64, -32}) {
    EXPECT_THAT(failure(threads(32), [&] { __shfl_sync(kAll, 1, 0, width); }),
                HasSubstr("with width"));
  }
}

TEST_P(Failures, BarriersInDifferentPlaces) {
  // Not in an argument of a macro, all of which is one line to the compiler.
  const auto body = [] {
    if (threadIdx.x < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  };
  EXPECT_THAT(failure(threads(64), body),
              AllOf(HasSubstr("is at __syncthreads()"),
                    HasSubstr("while other threads of the block wait at __syncthreads()"),
                    HasSubstr("all must come to the same one")));
}

TEST_P(Failures, ABarrierThatSomeNeverReach) {
  const std::string text = failure(threads(96), [] {
    if (threadIdx.x / 32 == 1) __syncwarp(0xffu << 8 | 1u << threadIdx.x % 32);
    __syncthreads();
  });
  EXPECT_THAT(text, HasSubstr("no thread can go on"));
  EXPECT_THAT(text, HasSubstr("warp 0, lanes 0-31 at __syncthreads()"));
  EXPECT_THAT(text, HasSubstr("warp 1, lane 0 at __syncwarp(0x0000ff01)"));
}

TEST_P(Failures, WaitingForWhatNobodyDoes) {
  int flag = 0;
  EXPECT_THAT(failure(threads(2),
                      [&] {
                        while (atomicAdd(&flag, 0) == 0) __nanosleep(100);
                      }),
              HasSubstr("none got anywhere"));
}

template <int kBlock>
__global__ void wrong_in_one_block(int* blocks) {
  if (threadIdx.x == 0) ++*blocks;
  if (blockIdx.y * gridDim.x + blockIdx.x == kBlock) __syncwarp(0x80000000u);
}

/// A wrong block ends the launch.
TEST(Failure, NamesKernelAndBlock) {
  int blocks = 0;
  try {
    launch({.grid = {4, 3}, .block = 31}, wrong_in_one_block<6>, &blocks);
    FAIL() << "nothing was thrown";
  } catch (const KernelFailure& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("wrong_in_one_block<6>(int*)"), HasSubstr("block (2, 1, 0)")));
  }
  EXPECT_EQ(blocks, 7);
}

/// What threads hold is given back, wherever they are.
TEST_P(Failures, UnwindAllThreads) {
  int alive = 0;
  struct Counted {
    explicit Counted(int& count) : count_(count) { atomicAdd(&count_, 1); }
    ~Counted() { atomicAdd(&count_, -1); }
    int& count_;
  };
  EXPECT_THAT(failure(threads(64),
                      [&] {
                        const Counted counted(alive);
                        if (threadIdx.x == 63) __syncwarp(0x1u);
                        __syncthreads();
                      }),
              HasSubstr("does not name it"));
  EXPECT_EQ(alive, 0);
}

/// Destructors that meet others do not stop a launch from failing.
TEST_P(Failures, UnwindDestructorsThatSynchronise) {
  struct Synchronising {
    ~Synchronising() noexcept(false) { __syncwarp(); }
  };
  EXPECT_THAT(failure(threads(32),
                      [] {
                        const Synchronising at_the_end;
                        if (threadIdx.x == 5) __syncthreads();
                        __ballot_sync(kAll, 1);
                      }),
              HasSubstr("lane 5 at __syncthreads()"));
}

TEST_P(Failures, ExceptionsOfAKernelComeOut) {
  EXPECT_THROW(launch(threads(64),
                      [] {
                        __syncthreads();
                        if (threadIdx.x == 17) std::vector<int>().at(3);
                        __syncthreads();
                      }),
               std::out_of_range);
  // And the next launch runs.
  int ran = 0;
  launch(threads(64), [&] { atomicAdd(&ran, 1); });
  EXPECT_EQ(ran, 64);
}

INSTANTIATE_TEST_SUITE_P(Orders, Failures, ::testing::Values(0, 1, 2, 3));

TEST(Launches, OutsideTheLimitsAreRefused) {
  const auto nothing = [] {};
  EXPECT_THROW(launch({1, 1025}, nothing), std::invalid_argument);
  EXPECT_THROW(launch({1, 0}, nothing), std::invalid_argument);
  EXPECT_THROW(launch({0, 1}, nothing), std::invalid_argument);
  EXPECT_THROW(launch({{1u << 20, 1u << 20}, 1}, nothing), std::invalid_argument);
  EXPECT_THROW(launch({1, 32, (228 << 10) + 1}, nothing), std::invalid_argument);
  EXPECT_THROW(launch({1, 1}, [&] { launch({1, 1}, nothing); }), std::invalid_argument);
  launch({1, {16, 8, 8}, 228 << 10}, nothing);
}

TEST(Launches, CollectivesAreForKernels) {
  EXPECT_THROW(__syncwarp(), std::logic_error);
  EXPECT_THROW(__syncthreads(), std::logic_error);
  unsigned count = 0;
  atomicAdd(&count, 2u);  // host code may be shared
  EXPECT_EQ(count, 2u);
}

}  // namespace
}  // namespace gannet::simt
