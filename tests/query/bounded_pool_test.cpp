// The pool that the CUDA back end's calls take their streams and buffers from.
#include "query/device/bounded_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace gannet::query::cuda {
namespace {

TEST(BoundedPool, MakesNoMoreThanItsLimitAndLendsEachToOneThread) {
  struct Counted {
    std::atomic<int> users = 0;
  };
  std::atomic<int> made = 0;
  std::atomic<int> shared = 0;
  BoundedPool<Counted> pool(3, [&] {
    ++made;
    return std::make_unique<Counted>();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const auto lease = pool.acquire();
        if (++lease->users > 1) ++shared;
        --lease->users;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(made, 3);
  EXPECT_EQ(shared, 0);
}

TEST(BoundedPool, KeepsItsSizeWhenMakingFails) {
  int attempts = 0;
  BoundedPool<int> pool(1, [&]() -> std::unique_ptr<int> {
    if (++attempts < 3) throw std::runtime_error("no memory");
    return std::make_unique<int>(7);
  });
  EXPECT_THROW(pool.acquire(), std::runtime_error);
  EXPECT_THROW(pool.acquire(), std::runtime_error);
  EXPECT_EQ(*pool.acquire(), 7);
  EXPECT_EQ(*pool.acquire(), 7) << "the one that came back";
  EXPECT_EQ(attempts, 3);
}

TEST(BoundedPool, TakesBackWhatAnExceptionLeaves) {
  BoundedPool<int> pool(1, [] { return std::make_unique<int>(1); });
  try {
    const auto lease = pool.acquire();
    throw std::runtime_error("in use");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(*pool.acquire(), 1);
}

}  // namespace
}  // namespace gannet::query::cuda
