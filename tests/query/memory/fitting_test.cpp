// Work that is cut until it fits, and how much memory it is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "query/memory/batch_bytes.hpp"
#include "query/memory/run_with_headroom.hpp"
#include "query/memory/split_until_fits.hpp"
#include "tests/support/query/fake_device_memory.hpp"

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
  EXPECT_THAT(one.sizes, ElementsAre(1, 1, 1, 1, 1, 1)) << "each time with less memory";
  EXPECT_EQ(one.splits, 0u);
  // One of few items does not fit: the others run.
  const SplitRun few = run_items(120, 1000);
  EXPECT_EQ(few.done.size() + few.given_up.size(), 120u);
  EXPECT_LE(few.given_up.size(), 4u);
  EXPECT_TRUE(std::ranges::find(few.given_up, 99u) != few.given_up.end());
}

TEST(SplitUntilFits, TriesASingleItemWithLess) {
  const std::vector<int> items{7};
  std::vector<unsigned> depths;
  const auto run = [&](std::span<const int>, unsigned depth) {
    depths.push_back(depth);
    if (depth < 2) throw DeviceMemoryError("no room");
  };
  const auto ignore = [](std::span<const int>) {};
  const auto give_up = [](std::span<const int>) { FAIL() << "a quarter of the memory is enough"; };
  EXPECT_EQ(split_until_fits(std::span<const int>(items), run, ignore, give_up), 0u);
  EXPECT_THAT(depths, ElementsAre(0, 1, 2));
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
  constexpr std::uint64_t kMinPool = kPoolBytes / BatchBytes::kMinShare;
  BatchBytes bytes(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes);
  bytes.failed(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes / 2);
  bytes.failed(kPoolBytes);
  EXPECT_EQ(bytes.get(), kPoolBytes / 2) << "a call that began before it fell";
  for (int i = 0; i < 20; ++i) bytes.failed(bytes.get());
  EXPECT_EQ(bytes.get(), kMinPool);
  for (std::uint32_t i = 1; i < BatchBytes::kPatience; ++i) bytes.found();
  EXPECT_EQ(bytes.get(), kMinPool);
  bytes.found();
  EXPECT_EQ(bytes.get(), 2 * kMinPool);
  for (std::uint32_t i = 0; i < 20 * BatchBytes::kPatience; ++i) bytes.found();
  EXPECT_EQ(bytes.get(), kPoolBytes);
}

TEST(BatchBytes, LittleStaysAsItIs) {
  BatchBytes bytes(4096);
  bytes.failed(4096);
  EXPECT_EQ(bytes.get(), 4096u);
  BatchBytes more(3 * BatchBytes::kMin / 2);
  more.failed(more.get());
  EXPECT_EQ(more.get(), BatchBytes::kMin);
}

TEST(BatchBytes, CallsShareTheRoomForFilters) {
  EXPECT_EQ(room_for_filters(1000, 100, 1), 250u) << "a quarter of the device";
  EXPECT_EQ(room_for_filters(1000, 400, 1), 400u) << "or what is wanted";
  EXPECT_EQ(room_for_filters(1000, 800, 1), 500u) << "or half of it";
  EXPECT_EQ(room_for_filters(1000, 800, 4), 125u);
}

/// Buffers of which a driver that is short of memory wants some.
struct HeadroomRun {
  test::FakeDeviceMemory device{1000};
  MemoryBudget budget{device, [this] { return device.free(); }, 200};
  MemoryBudget::Block idle = budget.take(900, MemoryUse::kBatches);
  std::vector<std::string> calls;

  /// A launch, for which the driver must load a kernel of so many bytes.
  void run(std::uint64_t wanted) {
    run_with_headroom(
        budget,
        [&](bool again) {
          calls.push_back(again ? "again" : "run");
          if (device.free() < wanted) throw DeviceMemoryError("the kernel cannot be loaded");
        },
        [&] { calls.push_back("failed"); });
  }
};

TEST(RunWithHeadroom, OwnersGiveBackOnceWhenTheDriverHasNoMemory) {
  HeadroomRun work;
  const MemoryBudget::Owner owner(work.budget, MemoryUse::kBatches, [&](std::uint64_t bytes) {
    EXPECT_EQ(bytes, 100u);
    work.idle = {};
    return true;
  });
  work.run(150);
  EXPECT_THAT(work.calls, ElementsAre("run", "failed", "again"));
  work.calls.clear();
  work.run(150);
  EXPECT_THAT(work.calls, ElementsAre("run"));
  work.calls.clear();
  EXPECT_THROW(work.run(2000), DeviceMemoryError);
  EXPECT_THAT(work.calls, ElementsAre("run")) << "the headroom is there";
}

TEST(RunWithHeadroom, WithoutOwnersTheFirstErrorCounts) {
  HeadroomRun work;
  EXPECT_THROW(work.run(150), DeviceMemoryError);
  EXPECT_THAT(work.calls, ElementsAre("run"));
}

}  // namespace
}  // namespace gannet::query
