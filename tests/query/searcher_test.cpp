// Searchers as programs use them: from many threads, over several segments, stopped, after errors.
#include "query/searcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <thread>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/plan/making/plan_batch.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watchdog.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kVocabulary = 16;

std::vector<Query> some_queries() {
  std::vector<Query> queries;
  const char* const texts[] = {
      "t0 t1 t5",   "t3",          "+t1 t4 -t2",  "t1 AND (t2 OR t7)", "-t0",
      "t0 nowhere", "NOT (t1 t2)", "t11 t12 t13", "t2 AND NOT t3 t4",  "t9 t9 t1"};
  for (const char* text : texts) {
    for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
      for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
        Query query;
        query.text = text;
        query.want = want;
        query.mode = mode;
        query.k = 20;
        queries.push_back(query);
      }
    }
  }
  return queries;
}

Searcher searcher_on(std::shared_ptr<const index::Index> index, BackendChoice backend) {
  SearcherOptions options;
  options.backend = backend;
  options.cpu.threads = 2;
  options.cuda.pool_bytes = std::uint64_t{64} << 20;
  return Searcher(std::move(index), options);
}

std::vector<Plan> plans_of(const Searcher& searcher, const std::vector<Query>& queries) {
  std::vector<Plan> plans;
  for (const Query& query : queries) plans.push_back(searcher.plan(query));
  return plans;
}

class SearcherTest : public testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override {
    std::string why;
    if (GetParam() == BackendChoice::kCuda && !cuda_available(&why)) {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_P(SearcherTest, ManyThreadsGetWhatOneThreadGets) {
  const auto index =
      test::write_index(directory_.path(), test::random_collection(20'000, kVocabulary, 3));
  const Searcher searcher = searcher_on(index, GetParam());
  const std::vector<Query> queries = some_queries();
  const std::vector<Plan> plans = plans_of(searcher, queries);
  const Results expected = searcher.search(plans);

  constexpr std::size_t kThreads = 8;
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t round = 0; round < 3; ++round) {
        // Every thread plans and searches: alone, in batches of its own size, all at once.
        const std::size_t batch = std::array<std::size_t, 3>{1, 7 + t, plans.size()}[round];
        for (std::size_t begin = 0; begin < plans.size(); begin += batch) {
          std::vector<Plan> mine;
          const std::size_t end = std::min(begin + batch, plans.size());
          for (std::size_t i = begin; i < end; ++i) mine.push_back(searcher.plan(queries[i]));
          const Results results = searcher.search(mine);
          for (std::size_t i = begin; i < end; ++i) {
            const ResultView result = results[i - begin];
            const bool same = result.count == expected[i].count &&
                              std::ranges::equal(result.hits(), expected[i].hits());
            wrong += same ? 0 : 1;
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

/// A word said thousands of times is analysed thousands of times and looked up once.
TEST_P(SearcherTest, PlanningSaysWhatAnalysisTookOfIt) {
  const auto index =
      test::write_index(directory_.path(), test::random_collection(100, kVocabulary, 3));
  const Searcher searcher = searcher_on(index, GetParam());
  std::vector<Query> queries(8);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].text = std::to_string(i);
    for (int word = 0; word < 50'000; ++word) queries[i].text += " same";
  }
  PlanReport report;
  ASSERT_EQ(searcher.plan(queries, /*plain=*/true, {}, &report).size(), queries.size());
  EXPECT_GT(report.analysis_seconds, 0.5 * report.seconds);
  EXPECT_LE(report.analysis_seconds, report.seconds);
  EXPECT_TRUE(searcher.plan({}, /*plain=*/true, {}, &report).empty());
  EXPECT_EQ(report.analysis_seconds, 0);
}

TEST_P(SearcherTest, SearchersOfManyThreadsShareAnIndex) {
  const auto index =
      test::write_index(directory_.path(), test::random_collection(9'000, kVocabulary, 5));
  const std::vector<Query> queries = some_queries();
  const Searcher first = searcher_on(index, GetParam());
  const Results expected = first.search(plans_of(first, queries));
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Searcher searcher = searcher_on(index, GetParam());
      const Results results = searcher.search(plans_of(searcher, queries));
      wrong += results.docids == expected.docids && results.scores == expected.scores ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

/// Documents that are cut into segments are matched, scored and ranked as in one segment.
TEST_P(SearcherTest, SegmentsGiveWhatOneSegmentGives) {
  constexpr std::uint32_t kDocuments = 30'000;
  test::Collection collection = test::random_collection(kDocuments, kVocabulary, 9);
  // Terms of one segment alone, at both ends.
  collection.frequencies["first"] = std::vector<std::uint32_t>(kDocuments, 0);
  collection.frequencies["first"][3] = 2;
  collection.frequencies["last"] = std::vector<std::uint32_t>(kDocuments, 0);
  collection.frequencies["last"][kDocuments - 1] = 1;
  const auto whole = test::write_index(directory_.path() / "whole", collection);
  const Searcher reference = searcher_on(whole, BackendChoice::kCpu);

  std::vector<Query> queries = some_queries();
  for (const char* text :
       {"first last", "first AND last", "+first t0", "last", "NOT first", "-t0"}) {
    for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
      for (const std::uint32_t k : {1u, 1000u, 0xffffffffu}) {
        Query query;
        query.text = text;
        query.want = want;
        query.k = k;
        queries.push_back(query);
      }
    }
  }
  const std::vector<Plan> plans = plans_of(reference, queries);
  const Results expected = reference.search(plans);

  int number = 0;
  for (const std::vector<std::uint32_t>& ends : {std::vector<std::uint32_t>{kDocuments},
                                                 {10'000, kDocuments},
                                                 {1, 17'000, 29'999, kDocuments}}) {
    SCOPED_TRACE(ends.size());
    const auto index =
        test::write_segments(directory_.path() / std::to_string(++number), collection, ends);
    ASSERT_EQ(index->statistics().documents, kDocuments);
    const Searcher searcher = searcher_on(index, GetParam());
    // Plans made for it, and plans made for the index of one segment.
    const std::vector<Plan> own = plans_of(searcher, queries);
    for (const std::vector<Plan>& some : {own, plans}) {
      const Results results = searcher.search(some);
      ASSERT_EQ(results.size(), expected.size());
      for (std::size_t i = 0; i < results.size(); ++i) {
        test::expect_same(results[i], expected[i], some[i]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(SearcherTest, AnIndexWithoutSegmentsMatchesNothing) {
  const auto index =
      std::make_shared<const index::Index>(std::vector<std::shared_ptr<const index::Segment>>{},
                                           index::AnalyzerConfig{}, index::ScoringDefaults{});
  const Searcher searcher = searcher_on(index, GetParam());
  for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
    Query query;
    query.text = "a -b";
    query.want = want;
    const Result result = searcher.search(query);
    EXPECT_EQ(result.count, 0u);
    EXPECT_TRUE(result.docids.empty());
  }
}

/// A task that waits for tasks of its own may take up another one of the arena: no search may hold
/// then what another one needs.
TEST_P(SearcherTest, TasksOfAnArenaMayAllSearch) {
  const test::Watchdog watchdog("searches by tasks of an arena");
  const auto index =
      test::write_index(directory_.path(), test::random_collection(20'000, kVocabulary, 1));
  const std::vector<Plan> plans = plans_of(searcher_on(index, GetParam()), some_queries());
  const Results expected = searcher_on(index, GetParam()).search(plans);
  tbb::task_arena arena(2);
  for (int round = 0; round < 10; ++round) {
    const Searcher searcher = searcher_on(index, GetParam());  // which knows nothing yet
    std::atomic<int> wrong = 0;
    arena.execute([&] {
      tbb::parallel_for(0, 8, [&](int) {
        const Results results = searcher.search(plans);
        if (results.docids != expected.docids || results.scores != expected.scores) ++wrong;
      });
    });
    ASSERT_EQ(wrong, 0);
  }
}

TEST_P(SearcherTest, StopRequestsEndACall) {
  const auto index =
      test::write_index(directory_.path(), test::random_collection(5'000, kVocabulary, 1));
  const Searcher searcher = searcher_on(index, GetParam());
  const std::vector<Plan> plans = plans_of(searcher, some_queries());
  const Results expected = searcher.search(plans);
  std::stop_source source;
  EXPECT_EQ(searcher.search(plans, nullptr, {source.get_token()}).docids, expected.docids);
  source.request_stop();
  EXPECT_THROW(searcher.search(plans, nullptr, {source.get_token()}), CancelledError);
  EXPECT_EQ(searcher.search(plans).docids, expected.docids) << "the next call works";
}

/// A call may be stopped at any moment: what was in flight does not reach later calls.
TEST_P(SearcherTest, CallsAfterOneThatWasStoppedWork) {
  const auto index =
      test::write_index(directory_.path(), test::random_collection(20'000, kVocabulary, 2));
  const Searcher searcher = searcher_on(index, GetParam());
  const std::vector<Plan> few = plans_of(searcher, some_queries());
  const Results expected = searcher.search(few);
  std::vector<Plan> many;
  for (int i = 0; i < 200; ++i) many.insert(many.end(), few.begin(), few.end());
  for (int round = 0; round < 10; ++round) {
    std::stop_source source;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(round * 3));
      source.request_stop();
    });
    try {
      searcher.search(many, nullptr, {source.get_token()});
    } catch (const CancelledError&) {
    }
    const Results results = searcher.search(few);
    EXPECT_EQ(results.docids, expected.docids);
    EXPECT_EQ(results.scores, expected.scores);
    stopper.join();
  }
}

// Both back ends plan alike; one has to be there.
class PlanningTest : public testing::Test {
 protected:
  PlanningTest()
      : searcher_(searcher_on(
            test::write_index(directory_.path(), test::random_collection(2'000, kVocabulary, 3)),
            BackendChoice::kCpu)) {}

  test::TemporaryDirectory directory_;
  Searcher searcher_;
};

TEST_F(PlanningTest, ABatchIsPlannedAsItsQueriesAre) {
  std::vector<Query> queries = some_queries();
  const std::vector<Query> again = queries;
  queries.insert(queries.end(), again.begin(), again.end());
  Query other = queries.front();
  other.k = 7;
  queries.push_back(other);
  other.scorer = default_scorer(searcher_.index());
  queries.push_back(other);
  const std::vector<Plan> plans = searcher_.plan(queries);
  ASSERT_EQ(plans.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Plan expected = searcher_.plan(queries[i]);
    EXPECT_EQ(to_string(plans[i]), to_string(expected)) << i;
    EXPECT_EQ(plans[i].k(), expected.k()) << i;
    EXPECT_EQ(plans[i].want(), expected.want()) << i;
    EXPECT_EQ(plans[i].binding().first_of(searcher_.index()), 0u) << i;
  }
  EXPECT_THAT(searcher_.plan(std::span<const Query>()), testing::IsEmpty());
}

TEST_F(PlanningTest, EqualQueriesOfALargeBatchArePlannedOnce) {
  constexpr std::size_t kDistinct = 700;
  std::vector<Query> queries(5'000);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].text = "word" + std::to_string(i % kDistinct);
    if (i == 4'999) queries[i].k = 3;
  }
  std::atomic<std::size_t> planned = 0;
  const std::vector<Plan> plans = plan_batch(queries,
                                             [&](const Query& query) {
                                               ++planned;
                                               return searcher_.plan(query);
                                             },
                                             {});
  EXPECT_EQ(planned, kDistinct + 1);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    ASSERT_EQ(plans[i].terms()[0].text, queries[i].text);
    ASSERT_EQ(plans[i].k(), queries[i].k);
  }
}

TEST_F(PlanningTest, TheFirstWrongQueryOfABatchIsTold) {
  std::vector<Query> queries(1'000);
  for (std::size_t i = 0; i < queries.size(); ++i) queries[i].text = "t" + std::to_string(i);
  queries[700].text = "(second";
  queries[300].text = "the first )";
  for (int round = 0; round < 20; ++round) {
    try {
      searcher_.plan(queries);
      FAIL() << "nothing was thrown";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("column 11:"));  // of "the first )"
    }
  }
}

TEST_F(PlanningTest, ABatchCanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(searcher_.plan(some_queries(), false, {stop.get_token()}), CancelledError);
}

/// A topic may be as long as a book: a stop is seen in the middle of it.
TEST_F(PlanningTest, AQueryCanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  Query query;
  for (int i = 0; i < 10'000; ++i) query.text += "t1 word" + std::to_string(i) + ' ';
  query.mode = Mode::kAnd;
  const StopScope scope(stop.get_token());
  EXPECT_THROW(searcher_.plan(query, true), CancelledError);
  query.text = "t0 t1";
  EXPECT_EQ(searcher_.plan(query, true).terms().size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Backends, SearcherTest,
                         testing::Values(BackendChoice::kCpu, BackendChoice::kCuda),
                         [](const auto& test) {
                           return test.param == BackendChoice::kCpu ? "Cpu" : "Cuda";
                         });

TEST(Results, AreViewsOfFlatArrays) {
  Results results;
  results.counts = {2, 7, 1};
  results.offsets = {0, 2, 2, 3};
  results.docids = {5, 3, 9};
  results.scores = {2.0f, 1.0f, 0.5f};
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].hits()[1], (Hit{3, 1.0f}));
  EXPECT_EQ(results[0].hits().size(), 2u);
  EXPECT_TRUE(results[1].hits().empty());
  EXPECT_EQ(results[1].count, 7u);
  std::vector<Hit> hits;
  for (const Hit hit : results[2].hits()) hits.push_back(hit);
  EXPECT_EQ(hits, (std::vector<Hit>{{9, 0.5f}}));
  results.scores.clear();
  EXPECT_EQ(results[2].hits()[0], (Hit{9, 0.0f}));
}

}  // namespace
}  // namespace gannet::query
