// Too little device memory, by budgets, by other users of the device and by failing allocations: no
// search fails, every answer is the CPU's, and the report says what happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/failing_resource.hpp"
#include "tests/support/query/memory_work.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::HasSubstr;

class CudaBudget : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
    // Other tests of the program have freed what they had.
    ASSERT_EQ(budget().state().all_used(), 0u);
  }
  void TearDown() override {
    host_.reset();
    index_.reset();
  }

  static MemoryBudget& budget() { return cuda::device_budget(0); }

  void open(std::uint32_t documents, unsigned seed) {
    index_ = test::with_fields(
        *test::write_segments(directory_ / std::to_string(seed),
                              test::random_collection(documents, test::kTerms, seed),
                              {documents / 7, documents / 3, documents / 3 * 2, documents}),
        test::memory_fields(documents, seed));
    host_ = std::make_unique<Searcher>(
        index_, SearcherOptions{.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}});
  }

  Searcher gpu(std::uint64_t device_bytes = 0,
               double candidate_filters = CudaOptions{}.candidate_filters) const {
    SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
    options.cuda.device_bytes = device_bytes;
    options.cuda.candidate_filters = candidate_filters;
    options.cuda.column_documents = 0;
    options.cuda.filter_searches = 2;
    return Searcher(index_, options);
  }

  static void expect_right(const test::WorkDone& done) {
    EXPECT_EQ(done.wrong, 0u);
    EXPECT_EQ(done.failed, 0u) << done.first_error;
    EXPECT_GT(done.pieces, 0u);
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> host_;
};

TEST_F(CudaBudget, BudgetsOfAnySizeGiveTheAnswersOfTheCpu) {
  open(120'000, 1);
  const test::MemoryWork work(*host_, 8, 24, 1);
  // From less than the index needs besides its lists, in steps, to more than is used.
  std::vector<std::uint64_t> budgets;
  for (std::uint64_t bytes = test::kMegabyte; bytes < 128 * test::kMegabyte; bytes += bytes / 2) {
    budgets.push_back(bytes);
  }
  budgets.push_back(8192 * test::kMegabyte);
  int opened = 0;
  std::uint64_t failures = 0;
  for (const std::uint64_t bytes : budgets) {
    SCOPED_TRACE(bytes);
    std::unique_ptr<Searcher> searcher;
    try {
      searcher = std::make_unique<Searcher>(gpu(bytes));
    } catch (const DeviceMemoryError&) {
      EXPECT_EQ(opened, 0) << "what has room in less has room in more";
      continue;
    }
    ++opened;
    const auto done = test::work_at_random(work, *searcher, 16, static_cast<unsigned>(bytes),
                                           [](std::uint64_t pieces) { return pieces < 5; });
    expect_right(done);
    EXPECT_LE(budget().state().all_used(), bytes);
    failures += done.report.memory.failures;
    if (done.report.host_plans[HostReason::kDeviceMemory] > 0) {
      EXPECT_GT(done.report.memory.failures, 0u);
    }
    if (bytes == budgets.back()) {
      EXPECT_EQ(done.report.memory.failures, 0u);
      EXPECT_EQ(done.report.host_plans[HostReason::kDeviceMemory], 0u);
    }
  }
  EXPECT_GT(opened, 3);
  EXPECT_GT(failures, 0u) << "small budgets are short of memory";
}

TEST_F(CudaBudget, AnotherUserOfTheDeviceHoldsNearlyAllOfIt) {
  open(100'000, 2);
  const test::MemoryWork work(*host_, 8, 24, 2);
  const Searcher searcher = gpu();
  for (const std::uint64_t left : {std::uint64_t{0}, 8 * test::kMegabyte, 64 * test::kMegabyte}) {
    SCOPED_TRACE(left);
    {
      const test::DeviceHog hog(left);
      expect_right(test::work_at_random(work, searcher, 16, static_cast<unsigned>(left),
                                        [](std::uint64_t pieces) { return pieces < 10; }));
      // Also an index that is opened now, if it can be opened.
      try {
        const Searcher late = gpu();
        expect_right(test::work_at_random(work, late, 4, 1,
                                          [](std::uint64_t pieces) { return pieces < 6; }));
      } catch (const DeviceMemoryError&) {
      }
    }
    expect_right(test::work_at_random(work, searcher, 4, 9,
                                      [](std::uint64_t pieces) { return pieces < 10; }));
  }
}

TEST_F(CudaBudget, ASearchAfterAFullDeviceRunsOnItAgain) {
  open(100'000, 3);
  const test::MemoryWork work(*host_, 1, 64, 3);  // ranked plans
  const Searcher searcher = gpu();
  {
    const test::DeviceHog hog(0);
    Report report;
    EXPECT_TRUE(work.same(searcher, 0, report));
    if (report.host_plans[HostReason::kDeviceMemory] > 0) {
      EXPECT_THAT(report.reason, HasSubstr("for want of GPU memory"));
    }
  }
  Report report;
  EXPECT_TRUE(work.same(searcher, 0, report));
  EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
}

/// Each allocation that the work makes fails once, whoever asked for it.
TEST_F(CudaBudget, AnyAllocationOfASearchMayFail) {
  open(30'000, 4);
  const test::MemoryWork work(*host_, 4, 24, 4);
  std::uint64_t made = 0;
  std::uint64_t reported = 0;
  for (std::uint64_t n = 1; n <= made || n == 1; n += 1 + n / 20) {
    SCOPED_TRACE(n);
    test::FailingResource memory;
    const Searcher searcher = gpu();
    memory.fail_at(n);
    Report report;
    for (std::size_t i = 0; i < work.size(); ++i) {
      ASSERT_TRUE(work.same(searcher, i, report)) << "piece " << i;
    }
    made = std::max(made, memory.made());
    ASSERT_LE(memory.failed(), 1u);
    reported += report.memory.failures;
    // What failed once is there when it is wanted again.
    memory.fail_at(0);
    Report again;
    for (std::size_t i = 0; i < work.size(); ++i) ASSERT_TRUE(work.same(searcher, i, again));
    EXPECT_EQ(again.host_plans[HostReason::kDeviceMemory], 0u);
  }
  EXPECT_GT(made, 30u);
  EXPECT_GT(reported, 0u);
}

TEST_F(CudaBudget, ManyAllocationsMayFail) {
  open(30'000, 5);
  const test::MemoryWork work(*host_, 4, 24, 5);
  for (const std::uint64_t period : {1u, 2u, 3u, 5u, 11u, 23u}) {
    for (const std::uint64_t first : {1u, 4u, 10u, 40u}) {
      SCOPED_TRACE(testing::Message() << first << ", then every " << period);
      test::FailingResource memory;
      const Searcher searcher = gpu();
      memory.fail_at(first, period);
      const auto done = test::work_at_random(work, searcher, 8, static_cast<unsigned>(period),
                                             [](std::uint64_t pieces) { return pieces < 6; });
      expect_right(done);
      if (period == 1 && first == 1) {
        EXPECT_GT(done.report.host_plans[HostReason::kDeviceMemory], 0u);
        EXPECT_GT(done.report.memory.failures, 0u);
        EXPECT_GT(done.report.memory.splits, 0u);
      }
    }
  }
}

TEST_F(CudaBudget, OpeningAnIndexFailsCleanlyOrNotAtAll) {
  open(20'000, 6);
  const test::MemoryWork work(*host_, 2, 16, 6);
  for (std::uint64_t n = 1; n <= 40; ++n) {
    SCOPED_TRACE(n);
    test::FailingResource memory;
    memory.fail_at(n);
    try {
      const Searcher searcher = gpu();
      Report report;
      for (std::size_t i = 0; i < work.size(); ++i) ASSERT_TRUE(work.same(searcher, i, report));
    } catch (const DeviceMemoryError&) {
    }
    ASSERT_EQ(budget().state().all_used(), 0u) << "all goes back";
  }
  // Where the back end is chosen automatically, the CPU is taken.
  test::FailingResource memory;
  memory.fail_at(1, 1);
  const Searcher searcher(index_, {.backend = BackendChoice::kAuto, .cpu = {}, .cuda = {}});
  EXPECT_EQ(searcher.backend_name(), "cpu");
}

/// Shards of one device, which tell one another of plans that may have to be run again; copies.
TEST_F(CudaBudget, AllocationsOfSeveralDevicesMayFail) {
  open(60'000, 13);
  const test::MemoryWork work(*host_, 6, 96, 13);
  for (const Spread spread : {Spread::kShards, Spread::kCopies}) {
    for (const std::uint64_t period : {0u, 1u, 3u, 17u}) {
      for (const std::uint64_t first : {1u, 7u, 30u}) {
        SCOPED_TRACE(testing::Message() << first << ", then every " << period);
        test::FailingResource memory;
        SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
        options.cuda.devices = {0, 0};
        options.cuda.spread = spread;
        options.cuda.column_documents = 0;
        const Searcher searcher(index_, options);
        memory.fail_at(first, period);
        expect_right(test::work_at_random(work, searcher, 4, static_cast<unsigned>(first),
                                          [](std::uint64_t pieces) { return pieces < 5; }));
      }
    }
  }
}

/// Far more filters in a batch than there is room for at a time.
TEST_F(CudaBudget, ABatchOfManyFiltersIsCut) {
  open(400'000, 7);
  std::vector<Plan> plans;
  for (std::uint32_t i = 0; i < 600; ++i) {
    Query query;
    query.text = "t" + std::to_string(i % 9) + " t" + std::to_string(i % 7 + 3);
    query.filter = Filter::range("n", "0", std::to_string(1'000'000 + 3'000'000 * i));
    plans.push_back(host_->plan(query));
  }
  const Results expected = host_->search(plans);
  std::uint64_t limit = 0;
  {
    const Searcher opened = gpu();
    limit = budget().state().used_by(MemoryUse::kLists) + 24 * test::kMegabyte;
  }
  const Searcher searcher = gpu(limit, 2);  // all filters would take 34 MB; none is on candidates
  Report report;
  const Results found = searcher.search(plans, &report);
  for (std::size_t i = 0; i < plans.size(); ++i) test::expect_same(found[i], expected[i], plans[i]);
  EXPECT_LT(report.host_plans.total(), plans.size() / 10) << report.reason;
  EXPECT_EQ(report.filter.documents, 400'000 * (plans.size() - report.host_plans.total()));
  EXPECT_LE(budget().state().all_used(), limit);
}

TEST_F(CudaBudget, AnIndexThatIsOpenedTakesWhatOthersDoNotUse) {
  open(100'000, 8);
  const test::MemoryWork work(*host_, 6, 24, 8);
  const Searcher first = gpu(48 * test::kMegabyte);
  expect_right(
      test::work_at_random(work, first, 8, 1, [](std::uint64_t pieces) { return pieces < 10; }));
  const auto before = budget().state();
  open(60'000, 9);
  const test::MemoryWork others(*host_, 4, 24, 9);
  const Searcher second = gpu(48 * test::kMegabyte);
  expect_right(
      test::work_at_random(others, second, 8, 1, [](std::uint64_t pieces) { return pieces < 10; }));
  expect_right(
      test::work_at_random(work, first, 8, 2, [](std::uint64_t pieces) { return pieces < 10; }));
  EXPECT_GE(budget().state().given_back, before.given_back);
  EXPECT_LE(budget().state().all_used(), 48 * test::kMegabyte);
}

TEST_F(CudaBudget, CallsAtTheSameTimeLookAtColumns) {
  open(250'000, 10);
  const test::MemoryWork work(*host_, 1, 4, 10);
  const Searcher searcher = gpu();
  expect_right(test::work_at_random(work, searcher, 16, 10,
                                    [](std::uint64_t pieces) { return pieces < 10; }));
}

TEST_F(CudaBudget, EverythingGoesBack) {
  open(50'000, 11);
  const test::MemoryWork work(*host_, 4, 32, 11);
  {
    const Searcher searcher = gpu();
    expect_right(test::work_at_random(work, searcher, 4, 11,
                                      [](std::uint64_t pieces) { return pieces < 10; }));
    const MemoryState state = budget().state();
    for (const MemoryUse use : {MemoryUse::kBatches, MemoryUse::kFilters, MemoryUse::kColumns,
                                MemoryUse::kBounds, MemoryUse::kLists}) {
      EXPECT_GT(state.used_by(use), 0u) << name_of(use);
    }
  }
  EXPECT_EQ(budget().state().all_used(), 0u);
}

/// No plan leaves the device where there is memory.
TEST_F(CudaBudget, PlansOfAllShapesRunOnTheDevice) {
  open(20'000, 12);
  const Searcher searcher = gpu();
  const auto expect_on_the_device = [&](const Query& query, bool exhaustive = false) {
    const Plan plan = searcher.plan(query);
    Report report;
    const Results found = searcher.search(std::span(&plan, 1), &report, {.exhaustive = exhaustive});
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
    const Results expected = host_->search(std::span(&plan, 1), nullptr, {.exhaustive = true});
    test::expect_same(found[0], expected[0], plan);
  };
  expect_on_the_device({.text = "t1 t2"});
  expect_on_the_device({.text = "t1 OR year:1999"});
  expect_on_the_device({.text = "(t1 OR year:1999) AND t2"});
  Query filtered{.text = "t1 t2"};
  filtered.filter = Filter::range("year", "1995", "1999");
  expect_on_the_device(filtered);
  expect_on_the_device(filtered, true);
  filtered.want = Want::kCount;
  expect_on_the_device(filtered);
  expect_on_the_device(filtered, true);
  filtered.want = Want::kTopK;
  filtered.k = 1'000'000;
  expect_on_the_device(filtered);
}

}  // namespace
}  // namespace gannet::query
