// The pool that the CUDA back end's calls take their streams and buffers from.
#include "query/memory/bounded_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::query {
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

TEST(BoundedPool, ThrowsIdleObjectsAwayAndMakesThemAnew) {
  int made = 0;
  BoundedPool<int> pool(2, [&] { return std::make_unique<int>(++made); });
  EXPECT_FALSE(pool.reclaim()) << "there are none";
  {
    const auto first = pool.acquire();
    const auto second = pool.acquire();
    EXPECT_EQ(*first, 1);
    EXPECT_EQ(*second, 2);
    EXPECT_FALSE(pool.reclaim()) << "both are used";
  }
  EXPECT_TRUE(pool.reclaim());
  EXPECT_TRUE(pool.reclaim());
  EXPECT_FALSE(pool.reclaim());
  const auto again = pool.acquire();
  EXPECT_EQ(*again, 3);
}

TEST(BoundedPool, AnObjectThatWasDiscardedIsMadeAnew) {
  int made = 0;
  BoundedPool<int> pool(1, [&]() -> std::unique_ptr<int> {
    if (++made == 2) throw std::runtime_error("no memory");
    return std::make_unique<int>(made);
  });
  {
    auto lease = pool.acquire();
    lease.discard();
    EXPECT_FALSE(lease.has_object());
  }
  EXPECT_THROW(pool.acquire(), std::runtime_error);
  const auto lease = pool.acquire();
  EXPECT_EQ(*lease, 3);
}

/// An emptied place is not lent while another one has an object.
TEST(BoundedPool, LendsAnIdleObjectBeforeItMakesAnother) {
  int made = 0;
  BoundedPool<int> pool(2, [&] { return std::make_unique<int>(++made); });
  {
    const auto first = pool.acquire();
    auto second = pool.acquire();
    second.discard();
  }
  EXPECT_EQ(*pool.acquire(), 1);
  {
    auto first = pool.acquire();
    const auto second = pool.acquire();
    first.discard();
  }
  EXPECT_EQ(*pool.acquire(), 3);
  EXPECT_EQ(made, 3);
}

TEST(BoundedPool, ManyThreadsWhileObjectsAreThrownAway) {
  struct Lent {
    std::atomic<int> users = 0;
  };
  std::atomic<int> alive = 0, shared = 0;
  std::atomic<bool> ended = false;
  BoundedPool<Lent> pool(3, [&] {
    ++alive;
    return std::make_unique<Lent>();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const auto lease = pool.acquire();
        if (++lease->users > 1) ++shared;
        --lease->users;
      }
    });
  }
  std::thread reclaimer([&] {
    while (!ended) pool.reclaim();
  });
  for (std::thread& thread : threads) thread.join();
  ended = true;
  reclaimer.join();
  EXPECT_EQ(shared, 0);
  EXPECT_GE(alive, 1);
}

}  // namespace
}  // namespace gannet::query
