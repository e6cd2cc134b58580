// Shards and copies of an index on GPUs: the answers of one index, whatever devices tell one
// another.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/partial_result.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/multi_gpu/device_group.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::kTerms;

class CudaShards : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
    index_ = test::write_segments(directory_.path(), test::random_collection(120'000, kTerms, 3),
                                  {40'000, 40'500, 90'000, 120'000});
    host_ = std::make_unique<Searcher>(index_, SearcherOptions{.backend = BackendChoice::kCpu});
  }

  static CudaOptions small() {
    CudaOptions options;
    options.pool_bytes = std::uint64_t{128} << 20;
    return options;
  }

  /// On the first GPU, or on all that there are.
  std::unique_ptr<Backend> group(std::vector<int> devices, Spread spread) const {
    CudaOptions options = small();
    options.devices = std::move(devices);
    options.spread = spread;
    return make_device_group(index_, options);
  }

  std::vector<std::vector<int>> devices() const {
    std::vector<std::vector<int>> all{{0, 0}, {0, 0, 0}};
    std::vector<int> each;
    for (int d = 0; d < std::min(codecs::cuda::device_count(), 4); ++d) each.push_back(d);
    if (each.size() > 1) all.push_back(each);
    return all;
  }

  std::vector<Plan> plans(unsigned seed, std::size_t number,
                          const std::vector<std::uint32_t>& ks) const {
    return test::Queries(seed).plans(*host_, number, ks);
  }

  Results expected(std::span<const Plan> plans) const {
    return host_->search(plans, nullptr, {.stop = {}, .exhaustive = true});
  }

  static bool same(const Results& found, const Results& expected) {
    return found.counts == expected.counts && found.docids == expected.docids &&
           found.scores == expected.scores;
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> host_;
};

TEST_F(CudaShards, AnswerAsOneIndexDoes) {
  std::vector<Plan> mixed = plans(5, 1500, test::kAnyK);
  for (std::size_t i = 5; i < mixed.size(); i += 97) mixed[i] = mixed[i].with_want(Want::kDocids);
  for (std::size_t i = 9; i < mixed.size(); i += 97) mixed[i] = mixed[i].with_want(Want::kCount);
  const Results exact = expected(mixed);
  for (const Spread spread : {Spread::kShards, Spread::kCopies}) {
    for (const auto& devices : devices()) {
      const auto backend = group(devices, spread);
      for (int round = 0; round < 5; ++round) {
        Report report;
        const Results found = backend->run(mixed, {}, report);
        for (std::size_t i = 0; i < mixed.size(); ++i) {
          test::expect_same(found[i], exact[i], mixed[i]);
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(CudaShards, BatchSizesDoNotMatter) {
  const auto some = plans(6, 700, {10, 1000});
  const Results exact = expected(some);
  const auto backend = group(devices().back(), Spread::kShards);
  for (const std::size_t size : {1, 17, 63, 64, 65, 300}) {
    for (std::size_t first = 0; first < some.size(); first += 10 * size) {
      const std::size_t count = std::min(size, some.size() - first);
      Report report;
      const Results found = backend->run(std::span(some).subspan(first, count), {}, report);
      for (std::size_t i = 0; i < count; ++i) {
        test::expect_same(found[i], exact[first + i], some[first + i]);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(CudaShards, ManyCallsAtATime) {
  const auto some = plans(8, 400, {10, 100, 1000});
  const Results exact = expected(some);
  const auto backend = group(devices().back(), Spread::kShards);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        Report report;
        if (!same(backend->run(some, {}, report), exact)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CudaShards, ACallThatStopsLeavesTheNextOneAlone) {
  const auto some = plans(9, 900, {1000});
  const Results exact = expected(some);
  const auto backend = group(devices().back(), Spread::kShards);
  for (int round = 0; round < 6; ++round) {
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(300 * round));
      stop.request_stop();
    });
    Report report;
    try {
      EXPECT_TRUE(same(backend->run(some, {.stop = stop.get_token()}, report), exact));
    } catch (const CancelledError&) {
    }
    EXPECT_TRUE(same(backend->run(some, {}, report), exact));
  }
}

/// Each of two back ends has half of the documents.
class CudaExchange : public CudaShards {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
    // More superblocks than the first waves take.
    index_ = test::write_segments(directory_.path(), test::random_collection(1'200'000, kTerms, 3),
                                  {600'000, 1'200'000});
    host_ = std::make_unique<Searcher>(index_, SearcherOptions{.backend = BackendChoice::kCpu});
    for (const std::size_t half : {0u, 1u}) {
      halves_.push_back(make_cuda_backend(
          std::make_shared<const index::Index>(index_->part(half, half + 1)), small()));
    }
  }

  /// Runs plans on both at the same time, or on some; returns how many documents they scored.
  std::uint64_t run(std::span<const Plan> plans, ShardExchange* exchange,
                    const std::vector<std::size_t>& halves = {0, 1}) const {
    Report reports[2];
    {
      std::vector<std::jthread> threads;
      for (const std::size_t i : halves) {
        threads.emplace_back([&, i] {
          std::vector<PartialResult> found(plans.size());
          GatherOptions how;
          how.shard = i;
          how.exchange = exchange;
          halves_[i]->gather(plans, how, reports[i], found);
        });
      }
    }
    return reports[0].documents_scored + reports[1].documents_scored;
  }

  std::vector<std::unique_ptr<Backend>> halves_;
};

TEST_F(CudaExchange, ShardsScoreLessThanAlone) {
  const auto some = plans(12, 900, {100});
  cuda::SharedScoreMemory memory(0, 2);
  std::uint64_t alone = 0;
  for (const std::size_t half : {0u, 1u}) {
    memory.begin(some);
    for (std::size_t i = 0; i < some.size(); ++i) close(memory.of(1 - half), i);
    alone += run(some, &memory, {half});
  }
  memory.begin(some);
  const std::uint64_t together = run(some, &memory);
  EXPECT_LT(together, alone);
  RecordProperty("alone", std::to_string(alone));
  RecordProperty("together", std::to_string(together));
}

/// While a call goes on, nobody waits for plans that are through; at its end, for none.
TEST_F(CudaExchange, EveryPlanIsGivenOrClosed) {
  auto some = plans(13, 500, {100, 1000});
  some[3] = some[3].with_want(Want::kCount);
  cuda::SharedScoreMemory memory(0, 2);
  ASSERT_TRUE(memory.begin(some));
  const auto known = [&](std::uint32_t shard, std::size_t i) {
    const cuda::SharedScores scores = memory.of(shard);
    const volatile std::uint32_t& state = scores.states[scores.entry(shard, i)];
    return state == scores.given() || state == scores.closed();
  };
  std::atomic<std::size_t> found = 0;
  std::atomic<std::size_t> unknown = 0;
  std::vector<std::jthread> threads;
  for (const std::uint32_t half : {0u, 1u}) {
    threads.emplace_back([&, half] {
      std::vector<PartialResult> results(some.size());
      Report report;
      GatherOptions how;
      how.shard = half;
      how.exchange = &memory;
      how.found = [&](std::span<const std::size_t> plans) {
        found += plans.size();
        for (const std::size_t i : plans) unknown += known(half, i) ? 0 : 1;
      };
      halves_[half]->gather(some, how, report, results);
    });
  }
  threads.clear();
  EXPECT_GT(found, some.size());
  EXPECT_EQ(unknown, 0u);
  std::size_t given = 0;
  for (const std::uint32_t shard : {0u, 1u}) {
    const cuda::SharedScores scores = memory.of(shard);
    for (std::size_t i = 0; i < some.size(); ++i) {
      EXPECT_TRUE(known(shard, i));
      given += scores.states[scores.entry(shard, i)] == scores.given() ? 1 : 0;
    }
    EXPECT_EQ(scores.states[scores.entry(shard, 3)], scores.closed());
  }
  EXPECT_GT(given, some.size());
}

TEST_F(CudaExchange, MemoryIsUsedAgain) {
  const auto ten = plans(3, 10, {100});
  cuda::SharedScoreMemory memory(0, 2);
  ASSERT_TRUE(memory.begin(ten));
  const cuda::SharedScores first = memory.of(1);
  close(first, 4);
  EXPECT_EQ(first.states[first.entry(1, 4)], first.closed());
  ASSERT_TRUE(memory.begin(ten));
  const cuda::SharedScores second = memory.of(1);
  EXPECT_EQ(second.states, first.states);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NE(second.states[i], second.closed());
    EXPECT_NE(second.states[i], second.given());
  }
  second.states[second.entry(1, 4)] = second.given();
  close(second, 4);
  EXPECT_EQ(second.states[second.entry(1, 4)], second.given()) << "what is given stays so";
  EXPECT_FALSE(memory.begin(plans(3, 10, {10}))) << "few hits are not told of";
  // Of very many plans only the first ones.
  ASSERT_TRUE(memory.begin(std::vector<Plan>(200'000, ten[0])));
  const cuda::SharedScores large = memory.of(0);
  EXPECT_LT(large.plans, 200'000u);
  EXPECT_FALSE(large.has(large.plans));
  close(large, large.plans);  // nothing is written
}

/// Segments of more than one group are searched without it; the other shard need not wait.
TEST_F(CudaExchange, GroupsOfSegmentsAreClosed) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= 40; ++s) ends.push_back(s * 500);
  const test::TemporaryDirectory directory;
  const auto index =
      test::write_segments(directory.path(), test::random_collection(20'000, kTerms, 4), ends);
  const auto backend = make_cuda_backend(index, small());
  const Searcher host(index, SearcherOptions{.backend = BackendChoice::kCpu});
  const auto some = test::Queries(5).plans(host, 100, {100});
  cuda::SharedScoreMemory memory(0, 2);
  ASSERT_TRUE(memory.begin(some));
  std::vector<PartialResult> results(some.size());
  Report report;
  GatherOptions how;
  how.exchange = &memory;
  backend->gather(some, how, report, results);
  const cuda::SharedScores scores = memory.of(0);
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(scores.states[scores.entry(0, i)], scores.closed());
  }
}

}  // namespace
}  // namespace gannet::query
