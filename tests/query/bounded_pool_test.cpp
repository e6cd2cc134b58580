// The pool that the CUDA back end's calls take their streams and buffers from.
#include "query/device/bounded_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "codecs/core/threads/deadline.hpp"
#include "tests/support/watchdog.hpp"

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

TEST(BoundedPool, AStopRequestEndsTheWaitingForAnObject) {
  const test::Watchdog watchdog("a call that waits for an object of the pool");
  BoundedPool<int> pool(1, [] { return std::make_unique<int>(1); });
  std::stop_source source;
  {
    const auto lease = pool.acquire();
    std::thread waiter([&] { EXPECT_THROW(pool.acquire(source.get_token()), CancelledError); });
    source.request_stop();
    waiter.join();
  }
  EXPECT_EQ(*pool.acquire(), 1) << "who gave up takes nothing with him";
}

TEST(BoundedPool, ADeadlineEndsTheWaitingForAnObject) {
  const test::Watchdog watchdog("a call that waits for an object of the pool");
  BoundedPool<int> pool(1, [] { return std::make_unique<int>(1); });
  const auto lease = pool.acquire();
  const DeadlineStop limit({}, std::chrono::steady_clock::now() + std::chrono::milliseconds(10));
  EXPECT_THROW(pool.acquire(limit.token()), CancelledError);
  EXPECT_TRUE(limit.passed());
}

}  // namespace
}  // namespace gannet::query::cuda
