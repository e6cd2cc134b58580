// The owner of a device's memory, with devices of the tests' own.
#include "query/memory/memory_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "tests/support/query/fake_device_memory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::query {
namespace {

using test::FakeDeviceMemory;
using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps blocks, of which it gives back as many as are asked for, the oldest first.
class GivingCache {
 public:
  GivingCache(MemoryBudget& budget, MemoryUse use, std::vector<std::string>* calls = nullptr)
      : budget_(budget),
        use_(use),
        calls_(calls),
        owner_(budget, use, [this](std::uint64_t bytes) { return give_back(bytes); }) {}

  void add(std::uint64_t bytes) {
    MemoryBudget::Block block = budget_.take(bytes, use_);
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
  }

 private:
  bool give_back(std::uint64_t bytes) {
    std::deque<MemoryBudget::Block> gone;  // freed without the lock
    const std::lock_guard lock(mutex_);
    if (calls_ != nullptr) calls_->push_back(std::string(name_of(use_)));
    for (std::uint64_t freed = 0; freed < bytes && !blocks_.empty(); blocks_.pop_front()) {
      freed += blocks_.front().bytes();
      gone.push_back(std::move(blocks_.front()));
    }
    return !gone.empty();
  }

  MemoryBudget& budget_;
  const MemoryUse use_;
  std::vector<std::string>* calls_;
  mutable std::mutex mutex_;
  std::deque<MemoryBudget::Block> blocks_;
  MemoryBudget::Owner owner_;
};

TEST(MemoryBudget, TakesAndFreesWhatTheDeviceHas) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  EXPECT_EQ(budget.available(), 1000u);
  MemoryBudget::Block block = budget.take(600, MemoryUse::kColumns);
  EXPECT_NE(block.data(), nullptr);
  EXPECT_EQ(block.bytes(), 600u);
  EXPECT_EQ(budget.available(), 400u);
  EXPECT_EQ(budget.state().used_by(MemoryUse::kColumns), 600u);
  EXPECT_THROW(budget.take(401, MemoryUse::kBatches), DeviceMemoryError);
  EXPECT_EQ(budget.state().failures, 1u);
  MemoryBudget::Block other = std::move(block);
  EXPECT_EQ(device.free(), 400u);
  other = budget.take(400, MemoryUse::kLists);
  EXPECT_EQ(device.free(), 600u) << "what the block had is freed";
  other = {};
  EXPECT_EQ(device.free(), 1000u);
  EXPECT_EQ(budget.state().all_used(), 0u);
}

TEST(MemoryBudget, NoBytesAreNoMemory) {
  FakeDeviceMemory device(0);
  MemoryBudget budget(device, [&] { return device.free(); });
  EXPECT_EQ(budget.take(0, MemoryUse::kLists).data(), nullptr);
}

TEST(MemoryBudget, OfSeveralLimitsTheLeastHolds) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  const MemoryBudget::Limit loose(budget, 800);
  {
    const MemoryBudget::Limit tight(budget, 300);
    EXPECT_EQ(budget.available(), 300u);
    const MemoryBudget::Block block = budget.take(300, MemoryUse::kLists);
    EXPECT_EQ(budget.available(), 0u);
    EXPECT_THROW(budget.take(1, MemoryUse::kBatches), DeviceMemoryError);
  }
  EXPECT_EQ(budget.available(), 800u);
  const MemoryBudget::Block block = budget.take(500, MemoryUse::kLists);
  const MemoryBudget::Limit less_than_is_used(budget, 100);
  EXPECT_EQ(budget.available(), 0u);
  EXPECT_THROW(budget.take(1, MemoryUse::kBatches), DeviceMemoryError);
}

TEST(MemoryBudget, TheCheapestIsGivenBackFirst) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  std::vector<std::string> calls;
  GivingCache lists(budget, MemoryUse::kLists, &calls);
  GivingCache bounds(budget, MemoryUse::kBounds, &calls);
  GivingCache filters(budget, MemoryUse::kFilters, &calls);
  GivingCache batches(budget, MemoryUse::kBatches, &calls);
  GivingCache columns(budget, MemoryUse::kColumns, &calls);
  for (GivingCache* cache : {&lists, &bounds, &filters, &batches, &columns}) {
    cache->add(100);
    cache->add(100);
  }
  const MemoryBudget::Block all = budget.take(1000, MemoryUse::kBatches);
  EXPECT_THAT(calls, ElementsAre("batches", "batches", "filters", "batches", "filters", "columns",
                                 "batches", "filters", "columns", "bounds", "batches", "filters",
                                 "columns", "bounds", "lists"))
      << "each attempt asks from the cheapest on, until somebody gives";
  EXPECT_EQ(budget.state().given_back, 1000u);
  EXPECT_EQ(budget.state().failures, 0u);
}

TEST(MemoryBudget, NoMoreIsGivenBackThanIsWanted) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  GivingCache filters(budget, MemoryUse::kFilters);
  GivingCache columns(budget, MemoryUse::kColumns);
  for (int i = 0; i < 5; ++i) {
    filters.add(100);
    columns.add(100);
  }
  const MemoryBudget::Block some = budget.take(250, MemoryUse::kBatches);
  EXPECT_EQ(filters.size(), 2u);
  EXPECT_EQ(columns.size(), 5u);
}

TEST(MemoryBudget, WhatWorkCanDoWithoutTakesNothingDearer) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  GivingCache lists(budget, MemoryUse::kLists);
  GivingCache bounds(budget, MemoryUse::kBounds);
  lists.add(400);
  bounds.add(600);
  EXPECT_THROW(budget.take(500, MemoryUse::kColumns), DeviceMemoryError);
  EXPECT_EQ(bounds.size(), 1u);
  const MemoryBudget::Block others = budget.take(500, MemoryUse::kBounds);
  EXPECT_EQ(bounds.size(), 0u) << "bounds make room for bounds";
  EXPECT_THROW(budget.take(500, MemoryUse::kBounds), DeviceMemoryError);
  EXPECT_EQ(lists.size(), 1u);
}

TEST(MemoryBudget, ALimitMakesOwnersGiveBackToo) {
  FakeDeviceMemory device(1'000'000);
  MemoryBudget budget(device, [&] { return device.free(); });
  const MemoryBudget::Limit limit(budget, 1000);
  GivingCache filters(budget, MemoryUse::kFilters);
  for (int i = 0; i < 100; ++i) filters.add(70);
  EXPECT_LE(budget.state().all_used(), 1000u);
  EXPECT_GE(filters.size(), 13u);
}

/// Another process has taken it: there is less than the budget knows.
TEST(MemoryBudget, MemoryThatOthersTookIsMissedWhenItIsTaken) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  GivingCache columns(budget, MemoryUse::kColumns);
  columns.add(300);
  device.take_by_others(650);
  const MemoryBudget::Block block = budget.take(200, MemoryUse::kBatches);
  EXPECT_EQ(columns.size(), 0u);
  EXPECT_THROW(budget.take(200, MemoryUse::kBatches), DeviceMemoryError);
  device.take_by_others(-650);
  EXPECT_NO_THROW(budget.take(200, MemoryUse::kBatches));
}

TEST(MemoryBudget, RoomCanBeMadeBeforeItIsTaken) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  GivingCache filters(budget, MemoryUse::kFilters);
  for (int i = 0; i < 9; ++i) filters.add(100);
  EXPECT_EQ(budget.make_available(500, MemoryUse::kLists), 500u);
  EXPECT_EQ(filters.size(), 5u);
  EXPECT_EQ(budget.make_available(2000, MemoryUse::kLists), 1000u) << "there is no more";
}

TEST(MemoryBudget, AnyAllocationMayFail) {
  for (std::uint64_t fails = 1; fails <= 12; ++fails) {
    FakeDeviceMemory device(1000);
    MemoryBudget budget(device, [&] { return device.free(); });
    device.fail_at(fails);
    GivingCache filters(budget, MemoryUse::kFilters);
    std::size_t refused = 0;
    for (int i = 0; i < 10; ++i) {
      try {
        filters.add(50);
      } catch (const DeviceMemoryError&) {
        ++refused;
      }
    }
    // The first one finds nobody who could give something back; later ones do.
    EXPECT_EQ(refused, fails == 1 ? 1u : 0u) << fails;
    EXPECT_EQ(budget.state().failures, refused);
    EXPECT_EQ(budget.state().all_used(), 50 * filters.size());
  }
}

TEST(MemoryBudget, PoolsOfOthersThrowTheirOwnErrors) {
  FakeDeviceMemory device(100, FakeDeviceMemory::Throws::kBadAlloc);
  MemoryBudget budget(device, [&] { return device.free(); });
  EXPECT_THROW(budget.take(101, MemoryUse::kLists), DeviceMemoryError);
}

TEST(MemoryBudget, OtherErrorsLeaveNothingCounted) {
  FakeDeviceMemory device(100, FakeDeviceMemory::Throws::kCudaError);
  MemoryBudget budget(device, [&] { return device.free(); });
  EXPECT_THROW(budget.take(101, MemoryUse::kLists), CudaError);
  EXPECT_EQ(budget.state().all_used(), 0u);
  EXPECT_EQ(budget.available(), 100u);
  EXPECT_EQ(budget.take(100, MemoryUse::kLists).bytes(), 100u);
}

/// The driver loads a kernel at its first launch, with memory that nobody has asked the budget for.
TEST(MemoryBudget, WhatCachesTakeLeavesTheDriverItsHeadroom) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(
      device, [&] { return device.free(); }, 200);
  GivingCache filters(budget, MemoryUse::kFilters);
  for (int i = 0; i < 9; ++i) filters.add(100);
  EXPECT_EQ(filters.size(), 8u);
  EXPECT_THROW(budget.take(900, MemoryUse::kColumns), DeviceMemoryError);
  EXPECT_THROW(budget.take(900, MemoryUse::kBounds), DeviceMemoryError);
  EXPECT_EQ(filters.size(), 0u);
  EXPECT_EQ(budget.take(800, MemoryUse::kBounds).bytes(), 800u);
  EXPECT_EQ(budget.take(1000, MemoryUse::kBatches).bytes(), 1000u) << "searches need it";
  EXPECT_EQ(budget.take(1000, MemoryUse::kLists).bytes(), 1000u);
}

TEST(MemoryBudget, ALimitOfOnesOwnCountsWhatIsUsed) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  const MemoryBudget::Block block = budget.take(300, MemoryUse::kLists);
  EXPECT_EQ(budget.available(500), 200u);
  EXPECT_EQ(budget.available(200), 0u);
  EXPECT_EQ(budget.available(5000), 700u);
}

/// A context may be given back that has no buffers yet.
TEST(MemoryBudget, AnOwnerIsAskedAgainUntilItHasFreedSomething) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  GivingCache filters(budget, MemoryUse::kFilters);
  filters.add(500);
  MemoryBudget::Block idle = budget.take(500, MemoryUse::kBatches);
  int asked = 0;
  const MemoryBudget::Owner contexts(budget, MemoryUse::kBatches, [&](std::uint64_t) {
    if (++asked == 3) idle = {};
    return asked <= 3;
  });
  EXPECT_EQ(budget.take(500, MemoryUse::kBatches).bytes(), 500u);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(budget.given_back(), 500u);
  EXPECT_EQ(filters.size(), 1u);
}

TEST(MemoryBudget, AnOwnerThatThrewCanGo) {
  const test::Watchdog watchdog("the end of an owner that threw");
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  {
    const MemoryBudget::Owner owner(budget, MemoryUse::kFilters, [](std::uint64_t) -> bool {
      throw std::runtime_error("broken");
    });
    EXPECT_THROW(budget.take(2000, MemoryUse::kLists), std::runtime_error);
  }
  EXPECT_EQ(budget.state().all_used(), 0u);
}

TEST(MemoryBudget, ARefusalSaysWhoHasTheMemory) {
  FakeDeviceMemory device(std::uint64_t{100} << 20);
  MemoryBudget budget(device, [&] { return device.free(); });
  const MemoryBudget::Limit limit(budget, std::uint64_t{90} << 20);
  const MemoryBudget::Block lists = budget.take(std::uint64_t{60} << 20, MemoryUse::kLists);
  const MemoryBudget::Block bounds = budget.take(std::uint64_t{20} << 20, MemoryUse::kBounds);
  try {
    budget.take(std::uint64_t{30} << 20, MemoryUse::kBatches);
    FAIL() << "there is no room";
  } catch (const DeviceMemoryError& error) {
    const std::string text = error.what();
    for (const char* part : {"30 MB", "for batches", "20 MB are free", "lists have 60 MB",
                             "bounds have 20 MB", "at most 90 MB"}) {
      EXPECT_THAT(text, HasSubstr(part));
    }
  }
}

TEST(MemoryBudget, AnOwnerThatIsGoneIsNotAsked) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  bool asked = false;
  {
    const MemoryBudget::Owner owner(budget, MemoryUse::kFilters, [&](std::uint64_t) {
      asked = true;
      return false;
    });
  }
  EXPECT_THROW(budget.take(2000, MemoryUse::kLists), DeviceMemoryError);
  EXPECT_FALSE(asked);
}

TEST(MemoryBudget, AnOwnerEndsWhenNobodyAsksIt) {
  FakeDeviceMemory device(1000);
  MemoryBudget budget(device, [&] { return device.free(); });
  std::atomic<bool> asked = false, go_on = false, ended = false;
  auto owner =
      std::make_unique<MemoryBudget::Owner>(budget, MemoryUse::kFilters, [&](std::uint64_t) {
        asked = true;
        while (!go_on) std::this_thread::yield();
        EXPECT_FALSE(ended);
        return false;
      });
  std::thread taker([&] { EXPECT_THROW(budget.take(2000, MemoryUse::kLists), DeviceMemoryError); });
  while (!asked) std::this_thread::yield();
  std::thread ender([&] {
    owner.reset();
    ended = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(ended);
  go_on = true;
  taker.join();
  ender.join();
  EXPECT_TRUE(ended);
}

/// Threads that fill caches of every kind, and take and free buffers, with less memory than they
/// want. Owners come and go meanwhile, and so does what others take.
TEST(MemoryBudget, SixteenThreadsNeverTakeMoreThanThereIs) {
  constexpr std::uint64_t kLimit = 20'000;
  FakeDeviceMemory device(30'000);
  MemoryBudget budget(device, [&] { return device.free(); });
  const MemoryBudget::Limit limit(budget, kLimit);
  std::array<std::unique_ptr<GivingCache>, kMemoryUses> caches;
  for (std::size_t use = 0; use < kMemoryUses; ++use) {
    caches[use] = std::make_unique<GivingCache>(budget, static_cast<MemoryUse>(use));
  }
  std::atomic<std::uint64_t> taken = 0, refused = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int round = 0; round < 400; ++round) {
        try {
          if (t == 0) {
            device.take_by_others(round % 2 == 0 ? 15'000 : -15'000);
          } else if (round % 40 == 39) {
            GivingCache mine(budget, static_cast<MemoryUse>(random() % kMemoryUses));
            mine.add(random() % 3000);
          } else if (t % 2 == 0) {
            caches[random() % kMemoryUses]->add(1 + random() % 700);
          } else {
            const MemoryBudget::Block block = budget.take(1 + random() % 6000, MemoryUse::kBatches);
            std::this_thread::yield();
          }
          ++taken;
        } catch (const DeviceMemoryError&) {
          ++refused;
        }
        EXPECT_LE(budget.state().all_used(), kLimit);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(taken, refused);
  EXPECT_GT(budget.state().given_back, 0u);
  for (auto& cache : caches) cache.reset();
  EXPECT_EQ(budget.state().all_used(), 0u);
  EXPECT_EQ(device.free(), 30'000u) << "nothing is lost";
}

}  // namespace
}  // namespace gannet::query
