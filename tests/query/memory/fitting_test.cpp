// Work that is cut until it fits, and how much memory it is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "query/memory/batch_bytes.hpp"
#include "query/memory/reclaimable_pool.hpp"
#include "query/memory/split_until_fits.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;

struct SplitRun {
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> done, given_up;
  std::size_t splits = 0;
};

/// Items 0 .. n - 1, of which so many fit; those of a multiple of 100 never do.
SplitRun run_items(std::size_t n, std::size_t room) {
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  SplitRun ran;
  const auto run = [&](std::span<const std::size_t> some, unsigned) {
    ran.sizes.push_back(some.size());
    for (const std::size_t item : some) {
      if (item % 100 == 99 || some.size() > room) throw DeviceMemoryError("no room");
    }
    ran.done.insert(ran.done.end(), some.begin(), some.end());
  };
  ran.splits = split_until_fits(
      std::span<const std::size_t>(items), run, [](std::span<const std::size_t>) {},
      [&](std::span<const std::size_t> some) {
        ran.given_up.insert(ran.given_up.end(), some.begin(), some.end());
      });
  return ran;
}

TEST(SplitUntilFits, RunsWhatFitsAtOnce) {
  const SplitRun ran = run_items(50, 50);
  EXPECT_THAT(ran.sizes, ElementsAre(50));
  EXPECT_EQ(ran.splits, 0u);
  EXPECT_EQ(run_items(0, 10).sizes.size(), 0u);
}

TEST(SplitUntilFits, HalvesWhatDoesNot) {
  const SplitRun ran = run_items(50, 13);
  EXPECT_THAT(ran.sizes, ElementsAre(50, 25, 12, 13, 25, 12, 13));
  EXPECT_EQ(ran.splits, 3u);
  EXPECT_EQ(ran.done.size(), 50u);
  EXPECT_TRUE(std::ranges::is_sorted(ran.done));
  EXPECT_TRUE(ran.given_up.empty());
}

TEST(SplitUntilFits, GivesUpWhatNeverFits) {
  const SplitRun one = run_items(1, 0);
  EXPECT_THAT(one.given_up, ElementsAre(0));
  EXPECT_THAT(one.sizes, ElementsAre(1));
  // One of few items does not fit: the others run.
  const SplitRun few = run_items(120, 1000);
  EXPECT_EQ(few.done.size() + few.given_up.size(), 120u);
  EXPECT_LE(few.given_up.size(), 4u);
  EXPECT_TRUE(std::ranges::find(few.given_up, 99u) != few.given_up.end());
}

TEST(SplitUntilFits, DoesNotTryForEver) {
  const SplitRun none = run_items(100'000, 0);
  EXPECT_EQ(none.given_up.size(), 100'000u);
  EXPECT_TRUE(none.done.empty());
  EXPECT_LE(none.sizes.size(), 64u);
}

TEST(SplitUntilFits, OtherErrorsAreTheCallers) {
  const std::vector<int> items{1, 2};
  const auto run = [](std::span<const int>, unsigned) { throw std::runtime_error("damaged"); };
  const auto ignore = [](std::span<const int>) {};
  EXPECT_THROW(split_until_fits(std::span<const int>(items), run, ignore, ignore),
               std::runtime_error);
}

TEST(BatchBytes, FallsAtOnceAndRisesAgain) {
  constexpr std::uint64_t kPoolBytes = std::uint64_t{256} << 20;
  constexpr std::uint64_t kLeastPool = kPoolBytes / BatchBytes::kLeastShare;
  BatchBytes bytes(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes);
  bytes.failed(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes / 2);
  bytes.failed(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes / 2) << "a call that began before it fell";
  for (int i = 0; i < 20; ++i) bytes.failed(bytes.get());
  EXPECT_EQ(bytes.get(), kLeastPool);
  for (std::uint32_t i = 1; i < BatchBytes::kPatience; ++i) bytes.found();
  EXPECT_EQ(bytes.get(), kLeastPool);
  bytes.found();
  EXPECT_EQ(bytes.get(), 2 * kLeastPool);
  for (std::uint32_t i = 0; i < 20 * BatchBytes::kPatience; ++i) bytes.found();
  EXPECT_EQ(bytes.get(), kPoolBytes);
}

TEST(BatchBytes, LittleStaysAsItIs) {
  BatchBytes bytes(4096);
  bytes.failed(4096);
  EXPECT_EQ(bytes.get(), 4096u);
  BatchBytes more(3 * BatchBytes::kLeast / 2);
  more.failed(more.get());
  EXPECT_EQ(more.get(), BatchBytes::kLeast);
}

TEST(ReclaimablePool, ThrowsIdleObjectsAwayAndMakesThemAnew) {
  int made = 0;
  ReclaimablePool<int> pool(2, [&] { return std::make_unique<int>(++made); });
  EXPECT_FALSE(pool.reclaim()) << "there are none";
  {
    const ReclaimablePool<int>::Lease first(pool);
    const ReclaimablePool<int>::Lease second(pool);
    EXPECT_EQ(*first, 1);
    EXPECT_EQ(*second, 2);
    EXPECT_FALSE(pool.reclaim()) << "both are used";
  }
  EXPECT_TRUE(pool.reclaim());
  EXPECT_TRUE(pool.reclaim());
  EXPECT_FALSE(pool.reclaim());
  const ReclaimablePool<int>::Lease again(pool);
  EXPECT_EQ(*again, 3);
}

TEST(ReclaimablePool, AnObjectThatWasDiscardedIsMadeAnew) {
  int made = 0;
  ReclaimablePool<int> pool(1, [&]() -> std::unique_ptr<int> {
    if (++made == 2) throw std::runtime_error("no memory");
    return std::make_unique<int>(made);
  });
  {
    ReclaimablePool<int>::Lease lease(pool);
    lease.discard();
    EXPECT_FALSE(lease.has_object());
  }
  EXPECT_THROW(ReclaimablePool<int>::Lease{pool}, std::runtime_error);
  const ReclaimablePool<int>::Lease lease(pool);
  EXPECT_EQ(*lease, 3);
}

TEST(ReclaimablePool, ManyThreadsWhileObjectsAreThrownAway) {
  struct Counted {
    std::atomic<int> users = 0;
  };
  std::atomic<int> alive = 0, shared = 0;
  std::atomic<bool> ended = false;
  ReclaimablePool<Counted> pool(3, [&] {
    ++alive;
    return std::make_unique<Counted>();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const ReclaimablePool<Counted>::Lease lease(pool);
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
