// Deadlines as stop tokens.
#include "codecs/base/deadline.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <stop_token>
#include <thread>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Options as entries of the library have them.
struct Options {
  std::stop_token stop = {};
  Deadline deadline = kNoDeadline;
  int amount = 0;
};

/// Waits as loops do that ask their token again and again.
void work_until_stopped(const std::stop_token& stop) {
  while (true) {
    throw_if_stopped(stop);
    std::this_thread::yield();
  }
}

TEST(Deadline, EndsWorkWithAnErrorOfItsOwn) {
  const test::Watchdog watchdog("work with a deadline");
  const Options options{.deadline = Clock::now() + 20ms};
  EXPECT_THROW(within_limits(options, [](const Options& inner) { work_until_stopped(inner.stop); }),
               DeadlineError);
  EXPECT_GE(Clock::now(), options.deadline);
}

TEST(Deadline, ThatHasPassedLetsNothingBegin) {
  bool begun = false;
  const Options options{.deadline = Clock::now() - 1ms};
  EXPECT_THROW(within_limits(options, [&](const Options&) { begun = true; }), DeadlineError);
  EXPECT_FALSE(begun);
}

TEST(Deadline, LeavesResultsAndOtherOptionsAlone) {
  const Options options{.deadline = Clock::now() + 1h, .amount = 7};
  EXPECT_EQ(within_limits(options,
                          [](const Options& inner) {
                            EXPECT_EQ(inner.deadline, kNoDeadline) << "it counts once";
                            EXPECT_TRUE(inner.stop.stop_possible());
                            return inner.amount;
                          }),
            7);
  EXPECT_FALSE(within_limits(Options{}, [](const Options& inner) {
    return inner.stop.stop_possible();
  })) << "without a deadline nothing is made";
}

TEST(Deadline, AStopRequestBeforeItIsACancellation) {
  const test::Watchdog watchdog("work with a deadline and a token");
  std::stop_source source;
  const Options options{.stop = source.get_token(), .deadline = Clock::now() + 1h};
  std::thread stopper([&] { source.request_stop(); });
  try {
    within_limits(options, [](const Options& inner) { work_until_stopped(inner.stop); });
    ADD_FAILURE() << "it was not stopped";
  } catch (const DeadlineError&) {
    ADD_FAILURE() << "the deadline is an hour away";
  } catch (const CancelledError&) {
  }
  stopper.join();
}

TEST(Deadline, OtherErrorsStayWhatTheyAre) {
  const Options options{.deadline = Clock::now() + 1h};
  EXPECT_THROW(within_limits(options, [](const Options&) -> int { throw UsageError("no"); }),
               UsageError);
}

TEST(Deadline, OfManyThreadsEachIsKeptInItsOrder) {
  const test::Watchdog watchdog("many deadlines");
  std::vector<std::thread> threads;
  for (int t = 0; t < 32; ++t) {
    threads.emplace_back([t] {
      // The last ones come first.
      const Options options{.deadline = Clock::now() + 100ms - 3ms * t};
      EXPECT_THROW(
          within_limits(options, [](const Options& inner) { work_until_stopped(inner.stop); }),
          DeadlineError);
      EXPECT_GE(Clock::now(), options.deadline);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Deadline, IsKeptInAForkedProcessToo) {
  {
    // This process has a timekeeper whose thread has started: a thread that starts holds locks of
    // the address sanitizer, which a forked process would wait for.
    const DeadlineStop first({}, Clock::now() + 1ms);
    while (!first.passed()) std::this_thread::sleep_for(1ms);
    const DeadlineStop here({}, Clock::now() + 1h);
    const ::pid_t child = ::fork();
    if (child == 0) {
      const DeadlineStop limit({}, Clock::now() + 10ms);
      for (int i = 0; i < 2000 && !limit.passed(); ++i) std::this_thread::sleep_for(5ms);
      ::_exit(limit.passed() ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(Deadline, AfterSecondsIsWithinWhatTheClockHolds) {
  const Deadline before = Clock::now();
  const Deadline soon = deadline_after(0.5);
  const Deadline now = deadline_after(-1);
  EXPECT_GE(soon, before + 500ms);
  EXPECT_GE(now, before);
  EXPECT_LE(soon, Clock::now() + 500ms);
  EXPECT_LE(now, Clock::now());
  EXPECT_EQ(deadline_after(1e300), kNoDeadline);
  EXPECT_EQ(deadline_after(std::numeric_limits<double>::infinity()), kNoDeadline);
}

}  // namespace
}  // namespace gannet
