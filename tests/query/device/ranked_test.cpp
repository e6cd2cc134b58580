// Ranked plans of any shape on the GPU: same documents, same order, same score bits as exhaustive
// searches on the CPU, and none left to the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/random_matches.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/query/text_queries.hpp"

namespace gannet::query {
namespace {

using test::MatchCase;

class CudaRanked : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  static Searcher gpu(const std::shared_ptr<const index::Index>& index, double bits = 2.5,
                      std::uint64_t pool = std::uint64_t{256} << 20) {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.pool_bytes = pool;
    options.cuda.bitmap_bits = bits;
    return Searcher(index, options);
  }

  static Searcher cpu(const std::shared_ptr<const index::Index>& index) {
    return Searcher(index, {.backend = BackendChoice::kCpu});
  }

  /// The plans of a case as searches for hits, in one batch.
  static std::vector<Plan> ranked(const MatchCase& matches, bool live,
                                  const std::vector<std::uint32_t>& hits = {10, 1, 1000, 100}) {
    std::vector<Plan> plans = matches.plans(live);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i] = plans[i].with_want(Want::kTopK).with_k(hits[i % hits.size()]);
    }
    return plans;
  }

  static void expect_best(const Searcher& searcher, const Searcher& oracle,
                          std::span<const Plan> plans, bool exhaustive = false) {
    const Results expected = oracle.search(plans, nullptr, {.stop = {}, .exhaustive = true});
    Report report;
    const Results found = searcher.search(plans, &report, {.stop = {}, .exhaustive = exhaustive});
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_F(CudaRanked, PlansOfAllShapes) {
  unsigned seed = 40;
  for (const ScorerInfo& scorer : all_scorers()) {
    SCOPED_TRACE(scorer.name);
    const MatchCase matches({.documents = 30'000,
                             .terms = 210,
                             .ends = {1, 65, 12'000, 12'064, 30'000},
                             .plans = 150,
                             .seed = ++seed,
                             .scorer = standard_scorer(scorer.id)});
    for (const bool live : {false, true}) {
      const auto index = live ? matches.deleted() : matches.index();
      const std::vector<Plan> plans = ranked(matches, live);
      for (const double bits : {0.0, 1000.0}) expect_best(gpu(index, bits), cpu(index), plans);
      expect_best(gpu(index), cpu(index), plans, true);
      if (HasFatalFailure()) return;
    }
  }
}

/// Several windows for each thread block, cut into items.
TEST_F(CudaRanked, OfManyDocuments) {
  const MatchCase matches(
      {.documents = 400'000, .terms = 40, .ends = {300'000, 400'000}, .plans = 60, .seed = 60});
  for (const bool live : {false, true}) {
    const auto index = live ? matches.deleted() : matches.index();
    const std::vector<Plan> plans = ranked(matches, live);
    const Searcher searcher = gpu(index);
    expect_best(searcher, cpu(index), plans);
    expect_best(searcher, cpu(index), test::pages_of(cpu(index), plans, 61));
    // By itself, a plan is cut into more items.
    for (std::size_t i = 0; i < 8; ++i) {
      expect_best(searcher, cpu(index), std::span(plans).subspan(i, 1));
    }
  }
}

TEST_F(CudaRanked, AnyNumberOfHits) {
  const MatchCase matches(
      {.documents = 60'000, .terms = 60, .ends = {20'000, 60'000}, .plans = 40, .seed = 62});
  const auto index = matches.index();
  expect_best(gpu(index), cpu(index),
              ranked(matches, false, {100'000, 1'000'000, 5000, 50'000, 2049}));
  // Little memory: few plans and few thread blocks at a time.
  const std::uint64_t little = std::uint64_t{32} << 20;
  expect_best(gpu(index, 0, little), cpu(index), ranked(matches, false, {1000, 60'000, 10}));
}

/// All scores equal, and all documents with the same score 0.
TEST_F(CudaRanked, ManyEqualScores) {
  const MatchCase matches({.documents = 100'000,
                           .terms = 24,
                           .ends = {100'000},
                           .plans = 60,
                           .seed = 63,
                           .scorer = parse_scorer("bm25", "k1=0", {})});
  expect_best(gpu(matches.index()), cpu(matches.index()), ranked(matches, false));
  expect_best(gpu(matches.deleted()), cpu(matches.deleted()), ranked(matches, true));
}

TEST_F(CudaRanked, RandomQueriesOverTextsWithFilters) {
  for (const std::uint32_t fields : {1u, 3u}) {
    test::TemporaryDirectory folder;
    const auto documents = test::random_texts(20'000, fields, 70 + fields, 'w');
    const auto index = test::build_texts(folder.path() / "index", documents,
                                         test::plain_texts_schema(fields), {64, 7000, 20'000});
    const Searcher planner = cpu(index);
    const Searcher searcher = gpu(index);
    test::TextQueries queries(fields, 72 + fields);
    std::vector<Plan> plans;
    for (int i = 0; i < 500; ++i) plans.push_back(planner.plan(queries.next()));
    expect_best(searcher, planner, plans);
    expect_best(searcher, planner, plans, true);
    expect_best(searcher, planner, test::pages_of(planner, plans, 73), true);
  }
}

TEST_F(CudaRanked, CallsAtTheSameTime) {
  const MatchCase matches(
      {.documents = 60'000, .terms = 60, .ends = {60'000}, .plans = 100, .seed = 64});
  const Searcher searcher = gpu(matches.index(), 1000);
  const Searcher oracle = cpu(matches.index());
  const std::vector<Plan> plans = ranked(matches, false);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] { expect_best(searcher, oracle, plans); });
  }
}

TEST_F(CudaRanked, StopRequestsEndThem) {
  const MatchCase matches(
      {.documents = 60'000, .terms = 60, .ends = {60'000}, .plans = 100, .seed = 65});
  const Searcher searcher = gpu(matches.index());
  std::stop_source stop;
  stop.request_stop();
  const std::vector<Plan> plans = ranked(matches, false);
  EXPECT_THROW(searcher.search(plans, nullptr, {.stop = stop.get_token()}), CancelledError);
  expect_best(searcher, cpu(matches.index()), plans);
}

}  // namespace
}  // namespace gannet::query
