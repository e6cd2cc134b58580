// Shared memory: one room a block, with nothing in it that one can rely on.
#include "tests/support/simt/shared_memory.hpp"

#include <cuda_pipeline.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "tests/support/simt/block/sanitizer.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

GANNET_SIMT_DYNAMIC_SHARED(std::uint64_t, longs)

constexpr std::uint32_t kPattern = 0xcdcdcdcd;

/// What a block finds in its shared memory, and leaves there for the next one.
template <class T, int kSize>
__global__ void look(T* found) {
  __shared__ T room[kSize];
  __shared__ T one;
  found[blockIdx.x * (kSize + 1) + threadIdx.x] = room[threadIdx.x];
  if (threadIdx.x == 0) found[blockIdx.x * (kSize + 1) + kSize] = one;
  __syncthreads();
  room[threadIdx.x] = static_cast<T>(threadIdx.x);
  if (threadIdx.x == 0) one = 5;
}

__global__ void look_at_dynamic(std::uint32_t words, std::uint32_t* found) {
  extern __shared__ std::uint64_t longs[];
  auto* const shared = reinterpret_cast<std::uint32_t*>(longs);
  for (std::uint32_t i = 0; i < words; ++i) {
    found[blockIdx.x * words + i] = shared[i];
    shared[i] = i;
  }
}

TEST(SharedMemory, HoldsNothingWhenABlockBegins) {
  std::vector<std::uint32_t> words(3 * 33);
  launch({3, 32}, look<std::uint32_t, 32>, words.data());
  EXPECT_THAT(words, ::testing::Each(kPattern));
  std::vector<std::uint8_t> bytes(3 * 8);
  launch({3, 7}, look<std::uint8_t, 7>, bytes.data());
  EXPECT_THAT(bytes, ::testing::Each(0xcd));
}

TEST(SharedMemory, HoldsNothingInItsDynamicPart) {
  std::vector<std::uint32_t> words(3 * 57344);
  launch({3, 1, 57344 * 4}, look_at_dynamic, 57344u, words.data());
  EXPECT_THAT(words, ::testing::Each(kPattern));
}

/// What it holds differs with the seed, so that no pattern is right by chance.
TEST(SharedMemory, HoldsSomethingElseInEveryShuffledBlock) {
  std::vector<std::uint32_t> words(20 * 2);
  launch({.grid = 20, .block = 1, .seed = 5}, look<std::uint32_t, 1>, words.data());
  for (std::size_t i = 0; i < words.size(); i += 2) EXPECT_EQ(words[i], words[i + 1]);
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::unique(words.begin(), words.end()) - words.begin(), 20);
}

TEST(SharedMemory, IsSeenByAllThreadsOfABlock) {
  struct Pair {
    std::uint32_t a;
    float b;
  };
  std::vector<float> seen(256);
  launch({1, 256}, [&] {
    __shared__ Pair pairs[256];
    pairs[threadIdx.x] = {threadIdx.x, static_cast<float>(threadIdx.x) / 2};
    __syncthreads();
    const Pair& other = pairs[255 - threadIdx.x];
    seen[threadIdx.x] = static_cast<float>(other.a) + other.b;
  });
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(seen[i], static_cast<float>(255 - i) * 1.5f);
}

/// The same function, called for two purposes, has one room; two instances of it have two.
template <int kWhich>
__device__ std::uint32_t* room_of() {
  __shared__ std::uint32_t room[4];
  return room;
}

TEST(SharedMemory, BelongsToTheFunctionThatDeclaresIt) {
  launch({1, 32}, [] {
    EXPECT_EQ(room_of<0>(), room_of<0>());
    EXPECT_NE(room_of<0>(), room_of<1>());
  });
}

/// Each host thread runs kernels of its own.
TEST(SharedMemory, IsNotSharedByHostThreads) {
  std::vector<std::uint32_t> sums(4);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&sums, t] {
      launch({200, 64}, [&] {
        __shared__ std::uint32_t sum;
        if (threadIdx.x == 0) sum = 0;
        __syncthreads();
        atomicAdd(&sum, t + 1);
        __syncthreads();
        if (threadIdx.x == 0) sums[t] += sum;
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sums, ::testing::ElementsAre(12800, 25600, 38400, 51200));
}

TEST(SharedMemory, AddressesAreToldApart) {
  std::vector<int> global(1);
  int wrong = 0;
  launch({1, 2, 8}, [&] {
    __shared__ int shared;
    int local = 0;
    if (!__isShared(&shared) || !__isShared(longs) || __isShared(&local) ||
        __isShared(global.data())) {
      ++wrong;
    }
    if (!__isLocal(&local) || __isLocal(&shared) || __isLocal(global.data())) ++wrong;
    if (!__isGlobal(global.data()) || __isGlobal(&shared) || __isGlobal(&local)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

/// Copies that run beside a thread have happened when they have been waited for.
TEST(SharedMemory, CopiesAreSeenAfterTheWait) {
  const std::uint32_t source[6] = {1, 2, 3, 4, 5, 6};
  std::vector<std::uint32_t> seen;
  launch({1, 1}, [&] {
    __shared__ std::uint32_t room[6];
    for (std::uint32_t& word : room) word = 0;
    __pipeline_memcpy_async(room, source, 8);
    __pipeline_commit();
    __pipeline_memcpy_async(room + 2, source + 2, 16, 8);
    room[4] = room[5] = 9;
    __pipeline_commit();
    seen.insert(seen.end(), room, room + 6);
    __pipeline_wait_prior(1);
    seen.insert(seen.end(), room, room + 6);
    __pipeline_wait_prior(0);
    seen.insert(seen.end(), room, room + 6);
  });
  EXPECT_THAT(seen, ::testing::ElementsAre(0, 0, 0, 0, 9, 9, 1, 2, 0, 0, 9, 9, 1, 2, 3, 4, 0, 0));
}

#if defined(GANNET_SIMT_ASAN)
constexpr bool kMemoryIsChecked = true;
#else
constexpr bool kMemoryIsChecked = false;
#endif

TEST(SharedMemoryDeathTest, EndsWhereTheLaunchSays) {
  if (!kMemoryIsChecked) GTEST_SKIP() << "not built with the address sanitizer";
  std::vector<std::uint32_t> words(33);
  launch({1, 1, 128}, look_at_dynamic, 32u, words.data());
  EXPECT_DEATH(launch({1, 1, 128}, look_at_dynamic, 33u, words.data()), "use-after-poison");
}

TEST(StackDeathTest, OfAThreadIsChecked) {
  if (!kMemoryIsChecked) GTEST_SKIP() << "not built with the address sanitizer";
  volatile int beyond = 8;
  EXPECT_DEATH(launch({1, 2},
                      [&] {
                        volatile int room[8] = {};
                        __syncthreads();
                        *(&room[0] + beyond) = 1;
                      }),
               "stack-buffer-overflow|insufficient space");  // of the one sanitizer or the other
}

}  // namespace
}  // namespace gannet::simt
