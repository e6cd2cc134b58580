// Several devices as one back end. What devices do is done here by back ends of the host.
#include "query/multi_gpu/device_group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <map>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/partial_result.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;

/// What each device was asked.
struct Asked {
  std::mutex mutex;
  std::map<int, std::vector<std::size_t>> plans;  ///< of each call
  std::map<int, std::uint64_t> documents;         ///< of its index
};

/// Runs what a device would, and remembers it.
class FakeDevice : public Backend {
 public:
  FakeDevice(const std::shared_ptr<const index::Index>& index, const CudaOptions& options,
             Asked& asked)
      : device_(options.device), asked_(asked), cpu_(make_cpu_backend(index, {.threads = 1})) {
    const std::lock_guard lock(asked_.mutex);
    asked_.documents[device_] = index->statistics().documents;
  }
  std::string name() const override { return "fake"; }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    {
      const std::lock_guard lock(asked_.mutex);
      asked_.plans[device_].push_back(plans.size());
    }
    return cpu_->run(plans, options, report);
  }

 private:
  int device_;
  Asked& asked_;
  std::unique_ptr<Backend> cpu_;
};

class DeviceGroup : public ::testing::Test {
 protected:
  DeviceGroup()
      : index_(test::with_deleted(
            *test::write_segments(directory_.path(), test::random_collection(9000, test::kTerms, 3),
                                  {1, 800, 4096, 5000, 8000, 9000}),
            test::random_deletions(9000, 0.1, 5))),
        host_(index_, {.backend = BackendChoice::kCpu}) {}

  std::unique_ptr<Backend> group(std::vector<int> devices, Spread spread) {
    CudaOptions options;
    options.devices = std::move(devices);
    options.spread = spread;
    return make_device_group(index_, options, [&](const auto& index, const CudaOptions& one) {
      return std::make_unique<FakeDevice>(index, one, asked_);
    });
  }

  std::vector<Plan> plans(std::size_t number) {
    std::vector<Plan> plans = test::Queries(7).plans(host_, number, {1, 10, 1000});
    for (std::size_t i = 0; i < plans.size(); i += 7) plans[i] = plans[i].with_want(Want::kCount);
    for (std::size_t i = 3; i < plans.size(); i += 7) plans[i] = plans[i].with_want(Want::kDocids);
    return plans;
  }

  void expect_exact(const Backend& backend, std::span<const Plan> plans, Report& report) {
    const Results expected = host_.search(plans);
    const Results found = backend.run(plans, {}, report);
    ASSERT_EQ(found.size(), plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
    }
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  Searcher host_;
  Asked asked_;
};

TEST_F(DeviceGroup, AnswersAsOneDoes) {
  for (const Spread spread : {Spread::kCopies, Spread::kShards}) {
    for (const auto& devices : {std::vector{0}, {0, 1}, {3, 1, 2}, {0, 1, 2, 3, 4, 5}}) {
      const auto backend = group(devices, spread);
      for (const std::size_t size : {0u, 1u, 5u, 40u, 300u}) {
        SCOPED_TRACE(testing::Message() << devices.size() << " devices, " << size << " plans");
        Report report;
        expect_exact(*backend, plans(size), report);
        EXPECT_EQ(report.queries, size);
      }
    }
  }
}

TEST_F(DeviceGroup, DevicesAreOpenedAtTheSameTime) {
  for (const Spread spread : {Spread::kCopies, Spread::kShards}) {
    std::latch all_began(3);
    std::atomic<bool> together = true;
    CudaOptions options;
    options.devices = {0, 1, 2};
    options.spread = spread;
    const auto backend =
        make_device_group(index_, options, [&](const auto& index, const CudaOptions& one) {
          all_began.count_down();
          // One after the other, the first would wait for the others in vain.
          const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
          while (!all_began.try_wait() && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::yield();
          }
          if (!all_began.try_wait()) together = false;
          return std::make_unique<FakeDevice>(index, one, asked_);
        });
    EXPECT_TRUE(together);
    Report report;
    expect_exact(*backend, plans(50), report);
  }
}

TEST_F(DeviceGroup, AnErrorOfOneDeviceIsThatOfOpeningThem) {
  CudaOptions options;
  options.devices = {0, 1, 2};
  options.spread = Spread::kCopies;
  EXPECT_THROW(
      make_device_group(index_, options,
                        [&](const auto& index, const CudaOptions& one) -> std::unique_ptr<Backend> {
                          if (one.device == 1) throw DeviceMemoryError("no room");
                          return std::make_unique<FakeDevice>(index, one, asked_);
                        }),
      DeviceMemoryError);
}

TEST_F(DeviceGroup, CopiesShareBatchesAndTakeTurnsWithSmallOnes) {
  const auto backend = group({4, 7}, Spread::kCopies);
  Report report;
  expect_exact(*backend, plans(200), report);
  const auto sum = [&](int device) {
    const auto& calls = asked_.plans[device];
    return std::accumulate(calls.begin(), calls.end(), std::size_t{0});
  };
  EXPECT_EQ(sum(4), 100u);
  EXPECT_EQ(sum(7), 100u);
  asked_.plans.clear();
  for (int call = 0; call < 4; ++call) expect_exact(*backend, plans(1), report);
  EXPECT_EQ(asked_.plans[4].size(), 2u);
  EXPECT_EQ(asked_.plans[7].size(), 2u);
}

TEST(PlanShares, AreAllPlansOnceAndAlike) {
  for (const std::size_t plans : {32u, 48u, 96u, 255u, 1000u}) {
    for (const std::size_t of : {2u, 3u, 8u}) {
      std::vector<std::size_t> counts(of);
      for (std::size_t plan = 0; plan < plans; ++plan) {
        std::size_t has = 0;
        for (std::size_t i = 0; i < of; ++i) {
          if (!share_of(i, of, plans).has(plan)) continue;
          ++has;
          ++counts[i];
        }
        ASSERT_EQ(has, 1u);
      }
      const auto [least, most] = std::ranges::minmax(counts);
      EXPECT_LE(most - least, plans / of / 4 + 1) << plans << " over " << of;
    }
  }
  EXPECT_TRUE(PlanShare{}.has(7));
}

/// What shards tell one another, as the group sees it.
struct Told {
  std::mutex mutex;
  std::size_t made = 0;
  std::vector<std::size_t> begun;
  bool no_memory = false;
  std::map<std::size_t, std::vector<const ShardExchange*>> gathered;  ///< by number of the shard
};

class FakeExchange : public ShardExchange {
 public:
  explicit FakeExchange(Told& told) : told_(told) {}
  bool begin(std::span<const Plan> plans) override {
    const std::lock_guard lock(told_.mutex);
    if (told_.no_memory) throw DeviceMemoryError("no page-locked memory is left");
    told_.begun.push_back(plans.size());
    of_ = plans.data();
    return plans.size() != 299;
  }
  const Plan* of() const { return of_; }

 private:
  Told& told_;
  const Plan* of_ = nullptr;  ///< whose call it is
};

class TalkingDevice : public FakeDevice {
 public:
  TalkingDevice(const std::shared_ptr<const index::Index>& index, const CudaOptions& options,
                Asked& asked, Told& told)
      : FakeDevice(index, options, asked), told_(told) {}
  void gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
              std::span<PartialResult> results) const override {
    {
      const std::lock_guard lock(told_.mutex);
      told_.gathered[options.shard].push_back(options.exchange);
      const auto* const exchange = dynamic_cast<const FakeExchange*>(options.exchange);
      if (exchange != nullptr) {
        EXPECT_EQ(exchange->of(), plans.data()) << "another call's";
      }
    }
    FakeDevice::gather(plans, options, report, results);
  }
  std::unique_ptr<ShardExchange> make_exchange(std::size_t shards) const override {
    EXPECT_EQ(shards, 3u);
    const std::lock_guard lock(told_.mutex);
    ++told_.made;
    return std::make_unique<FakeExchange>(told_);
  }

 private:
  Told& told_;
};

TEST_F(DeviceGroup, ShardsTellOneAnother) {
  Told told;
  CudaOptions options;
  options.devices = {0, 1, 2};
  options.spread = Spread::kShards;
  const auto backend =
      make_device_group(index_, options, [&](const auto& index, const CudaOptions& one) {
        return std::make_unique<TalkingDevice>(index, one, asked_, told);
      });
  Report report;
  for (const std::size_t size : {5u, 100u, 300u}) expect_exact(*backend, plans(size), report);
  EXPECT_EQ(told.made, 1u) << "the same one for calls that follow each other";
  EXPECT_THAT(told.begun, ElementsAre(100u, 300u)) << "few plans do not wait for each other";
  for (const std::size_t shard : {0u, 1u, 2u}) {
    const auto& exchanges = told.gathered[shard];
    ASSERT_EQ(exchanges.size(), 3u);
    EXPECT_EQ(exchanges[0], nullptr);
    EXPECT_NE(exchanges[1], nullptr);
    EXPECT_EQ(exchanges[1], told.gathered[0][1]);
    EXPECT_EQ(exchanges[2], exchanges[1]);
  }
  // Calls at the same time have one each.
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      Report mine;
      expect_exact(*backend, plans(200), mine);
    });
  }
  threads.clear();
  EXPECT_LE(told.made, 4u);
  // Without, if there is nothing to tell, or no memory.
  told.gathered.clear();
  expect_exact(*backend, plans(299), report);
  told.no_memory = true;
  expect_exact(*backend, plans(300), report);
  EXPECT_THAT(told.gathered[0], ElementsAre(nullptr, nullptr));
  told.no_memory = false;
  expect_exact(*backend, plans(300), report);
  EXPECT_NE(told.gathered[0].back(), nullptr);
}

TEST_F(DeviceGroup, ShardsHaveAllDocumentsOnce) {
  const auto backend = group({0, 1}, Spread::kShards);
  EXPECT_EQ(asked_.documents[0] + asked_.documents[1], 9000u);
  EXPECT_GT(asked_.documents[0], 3000u);
  EXPECT_GT(asked_.documents[1], 3000u);
  Report report;
  expect_exact(*backend, plans(20), report);
  EXPECT_THAT(asked_.plans[0], ElementsAre(20u));
  EXPECT_THAT(asked_.plans[1], ElementsAre(20u));
}

TEST_F(DeviceGroup, ShardsLookAtColumnsIfTheWholeIndexHasDocumentsEnough) {
  CudaOptions options;
  options.devices = {0, 1, 2};
  options.spread = Spread::kShards;
  for (const std::uint64_t least : {8999u, 9000u, 9001u}) {
    options.column_documents = least;
    std::mutex mutex;
    std::size_t look = 0;
    make_device_group(index_, options, [&](const auto& index, const CudaOptions& one) {
      const std::lock_guard lock(mutex);
      look += index->statistics().documents >= one.column_documents ? 1 : 0;
      return std::make_unique<FakeDevice>(index, one, asked_);
    });
    EXPECT_EQ(look, least <= 9000 ? 3u : 0u) << least;
  }
}

TEST_F(DeviceGroup, FewerSegmentsThanDevicesCannotBeShards) {
  EXPECT_THROW(group({0, 1, 2, 3, 4, 5, 6}, Spread::kShards), UsageError);
  EXPECT_THROW(group({}, Spread::kCopies), UsageError);
}

TEST_F(DeviceGroup, StopsAndFailsAsAWhole) {
  for (const Spread spread : {Spread::kCopies, Spread::kShards}) {
    const auto backend = group({0, 1, 2}, spread);
    std::stop_source stop;
    stop.request_stop();
    Report report;
    const auto some = plans(100);
    EXPECT_THROW(backend->run(some, {.stop = stop.get_token()}, report), CancelledError);
    expect_exact(*backend, some, report);
  }
  class Broken : public Backend {
   public:
    std::string name() const override { return "broken"; }
    Results run(std::span<const Plan>, const SearchOptions&, Report&) const override {
      throw CudaError("the second device fell off the bus");
    }
  };
  CudaOptions options;
  options.devices = {0, 1};
  options.spread = Spread::kCopies;
  const auto backend =
      make_device_group(index_, options, [&](const auto& index, const CudaOptions& one) {
        std::unique_ptr<Backend> made;
        if (one.device == 1) made = std::make_unique<Broken>();
        if (one.device == 0) made = std::make_unique<FakeDevice>(index, one, asked_);
        return made;
      });
  Report report;
  EXPECT_THROW(backend->run(plans(100), {}, report), CudaError);
}

TEST(EvenStretches, HaveAboutTheSameSum) {
  using Weights = std::vector<std::uint64_t>;
  EXPECT_THAT(even_stretches(Weights{1, 1, 1, 1}, 2), ElementsAre(2u, 4u));
  EXPECT_THAT(even_stretches(Weights{9, 1, 1, 1}, 2), ElementsAre(1u, 4u));
  EXPECT_THAT(even_stretches(Weights{1, 1, 1, 9}, 2), ElementsAre(3u, 4u));
  EXPECT_THAT(even_stretches(Weights{0, 0, 5}, 3), ElementsAre(1u, 2u, 3u));
  EXPECT_THAT(even_stretches(Weights{5}, 3), ElementsAre(0u, 0u, 1u)) << "the last one gets it";
  EXPECT_THAT(even_stretches(Weights{}, 2), ElementsAre(0u, 0u));
}

}  // namespace
}  // namespace gannet::query
