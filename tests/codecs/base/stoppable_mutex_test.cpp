// A lock whose waiters can be told to stop.
#include "codecs/base/threads/stoppable_mutex.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/support/watchdog.hpp"

namespace gannet {
namespace {

TEST(StoppableMutex, IsHeldByOneThreadAtATime) {
  StoppableMutex mutex;
  int counted = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        const StoppableLock lock(mutex, {});
        ++counted;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counted, 20000);
}

TEST(StoppableMutex, AStopRequestEndsTheWaitingAndTheLockStaysWithItsHolder) {
  const test::Watchdog watchdog("a thread that waits for a lock");
  StoppableMutex mutex;
  std::stop_source source;
  {
    const StoppableLock lock(mutex, {});
    std::thread waiter(
        [&] { EXPECT_THROW(StoppableLock(mutex, source.get_token()), CancelledError); });
    source.request_stop();
    waiter.join();
  }
  EXPECT_NO_THROW(StoppableLock(mutex, source.get_token())) << "a lock that is free is taken";
}

}  // namespace
}  // namespace gannet
