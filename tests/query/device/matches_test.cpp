// Counts and docids on the GPU: random plans with filters, predicates, unions, deletions and any
// number of terms, against brute force and the CPU; no plan is left to the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/random_matches.hpp"

namespace gannet::query {
namespace {

using test::MatchCase;

class CudaMatches : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  static Searcher gpu(const std::shared_ptr<const index::Index>& index, double bits,
                      std::uint64_t pool = std::uint64_t{64} << 20) {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.pool_bytes = pool;
    options.cuda.bitmap_bits = bits;
    return Searcher(index, options);
  }

  static Report search(const Searcher& searcher, const std::vector<Plan>& plans,
                       bool exhaustive = false) {
    Report report;
    searcher.search(plans, &report, {.exhaustive = exhaustive});
    return report;
  }

  /// All plans together, and some each by itself.
  static void check(const MatchCase& matches, const Searcher& searcher, bool live) {
    const std::vector<Plan> plans = matches.plans(live);
    for (const bool exhaustive : {false, true, false}) {
      SCOPED_TRACE(testing::Message() << "exhaustive: " << exhaustive << ", live: " << live);
      Report report;
      const Results results = searcher.search(plans, &report, {.exhaustive = exhaustive});
      EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
      for (std::size_t i = 0; i < plans.size(); ++i) {
        matches.expect(results[i], i, live);
        if (HasFatalFailure()) return;
      }
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(20, plans.size()); ++i) {
      const Results alone = searcher.search({&plans[i], 1});
      matches.expect(alone[0], i, live);
    }
  }

  static void check(const MatchCase& matches) {
    for (const double bits : {1000.0, 3.0, 0.0}) {
      SCOPED_TRACE(bits);
      check(matches, gpu(matches.index(), bits), false);
      check(matches, gpu(matches.deleted(), bits), true);
      if (HasFatalFailure()) return;
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_F(CudaMatches, OfSmallSegments) {
  check(MatchCase(
      {.documents = 900, .terms = 60, .ends = {1, 64, 65, 400, 900}, .plans = 1000, .seed = 11}));
}

TEST_F(CudaMatches, OfManyTerms) {
  check(
      MatchCase({.documents = 6000, .terms = 210, .ends = {4096, 6000}, .plans = 600, .seed = 12}));
}

TEST_F(CudaMatches, OfSeveralWindows) {
  check(MatchCase(
      {.documents = 300'000, .terms = 24, .ends = {131'072, 300'000}, .plans = 200, .seed = 13}));
}

/// More plans than are packed together.
TEST_F(CudaMatches, OfLargeBatches) {
  const MatchCase matches(
      {.documents = 20'000, .terms = 60, .ends = {20'000}, .plans = 300, .seed = 14});
  std::vector<Plan> plans;
  std::vector<std::size_t> numbers;
  const std::vector<Plan> some = matches.plans(false);
  for (std::size_t i = 0; i < 20'000; ++i) {
    numbers.push_back(i * 7 % some.size());
    plans.push_back(some[numbers.back()]);
  }
  const Searcher searcher = gpu(matches.index(), 2.5);
  const Results results = searcher.search(plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    matches.expect(results[i], numbers[i], false);
    if (HasFatalFailure()) return;
  }
}

/// Docids are fetched in parts, and tables of batches are cut.
TEST_F(CudaMatches, InLittleMemory) {
  const MatchCase matches(
      {.documents = 150'000, .terms = 210, .ends = {150'000}, .plans = 200, .seed = 15});
  const Searcher searcher = gpu(matches.index(), 1, std::uint64_t{1} << 20);
  check(matches, searcher, false);
}

/// Bitmaps of predicates are freed after each call, also one that was stopped while batches read
/// them.
TEST_F(CudaMatches, ACallThatStopsLeavesTheNextOneAlone) {
  const MatchCase matches(
      {.documents = 150'000, .terms = 60, .ends = {70'000, 150'000}, .plans = 300, .seed = 21});
  const std::vector<Plan> plans = matches.plans(false);
  SearcherOptions options;
  options.backend = BackendChoice::kCuda;
  options.cuda.pool_bytes = std::uint64_t{1} << 20;
  options.cuda.filter_bytes = 1;
  const Searcher searcher(matches.index(), options);
  const auto check_all = [&](const Results& results) {
    for (std::size_t i = 0; i < plans.size(); ++i) matches.expect(results[i], i, false);
  };
  check_all(searcher.search(plans));
  for (int round = 0; round < 40; ++round) {
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(250 * round));
      stop.request_stop();
    });
    try {
      check_all(searcher.search(plans, nullptr, {.stop = stop.get_token()}));
    } catch (const CancelledError&) {
    }
    if (round % 8 == 0) check_all(searcher.search(plans));
    if (HasFatalFailure()) return;
  }
}

/// Docids of one batch are fetched in many parts: a stop is heard between them.
TEST_F(CudaMatches, DocidsStopSoon) {
  using Clock = std::chrono::steady_clock;
  const MatchCase matches(
      {.documents = 150'000, .terms = 60, .ends = {150'000}, .plans = 10, .seed = 22});
  const Searcher searcher = gpu(matches.index(), 1, std::uint64_t{1} << 20);
  std::vector<Plan> plans;  // all differ: equal ones are searched once
  for (int i = 0; i < 300; ++i) {
    const std::string first = "t" + std::to_string(i % 60);
    const std::string second = "t" + std::to_string((i % 60 + i / 60 + 1) % 60);
    const Query query{.text = "NOT (" + first + " AND " + second + ")"};
    plans.push_back(searcher.plan(query).with_want(Want::kDocids));
  }
  searcher.search(plans);
  const auto start = Clock::now();
  searcher.search(plans);
  const Clock::duration whole = Clock::now() - start;
  auto soonest = Clock::duration::max();
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::stop_source stop;
    Clock::time_point asked;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(whole / 4);
      asked = Clock::now();
      stop.request_stop();
    });
    EXPECT_THROW(searcher.search(plans, nullptr, {.stop = stop.get_token()}), CancelledError);
    stopper.join();
    soonest = std::min(soonest, Clock::now() - asked);
  }
  EXPECT_LT(soonest, whole / 4);
}

/// Lists are read over the bus where the index is larger than its share of device memory.
TEST_F(CudaMatches, OfAnIndexLargerThanItsMemory) {
  const MatchCase matches(
      {.documents = 90'000, .terms = 60, .ends = {60'000, 90'000}, .plans = 200, .seed = 16});
  std::uint64_t fixed = 0, words = 0;
  for (const auto& segment : matches.index()->segments()) {
    fixed += 3 * (segment->skips().size_bytes() + 4 * segment->statistics().terms + 32) +
             segment->document_lengths().size_bytes() + 64;
    words += segment->words().size_bytes();
  }
  for (const double bits : {0.0, 3.0}) {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.index_bytes = fixed + words / 5;
    options.cuda.bitmap_bits = bits;
    const Searcher searcher(matches.index(), options);
    check(matches, searcher, false);
    Report report = search(searcher, matches.plans(false), true);
    EXPECT_GT(report.host_bytes_read, 0u);
  }
}

TEST_F(CudaMatches, BitmapsAreMadeOnceAndReadInsteadOfLists) {
  const MatchCase matches(
      {.documents = 200'000, .terms = 24, .ends = {200'000}, .plans = 100, .seed = 17});
  const std::vector<Plan> plans = matches.plans(false);
  const Searcher with = gpu(matches.index(), 1000);
  const Searcher without = gpu(matches.index(), 0);
  EXPECT_EQ(search(with, plans, true).bitmap_bytes, 0u) << "exhaustive searches decode all lists";
  const Report first = search(with, plans);
  EXPECT_GT(first.bitmap_bytes, 200'000u / 8);
  const Report second = search(with, plans);
  EXPECT_EQ(second.bitmap_bytes, first.bitmap_bytes);
  EXPECT_EQ(second.tiles_decoded, first.tiles_decoded);
  const Report none = search(without, plans);
  EXPECT_EQ(none.bitmap_bytes, 0u);
  EXPECT_LT(second.tiles_decoded, none.tiles_decoded / 4);
}

/// A rare term leaves few tiles of a long list to decode.
TEST_F(CudaMatches, TilesThatARareTermRulesOutAreNotDecoded) {
  constexpr std::uint32_t kDocuments = 400'000;
  test::Collection collection;
  collection.lengths.assign(kDocuments, 9);
  auto& rare = collection.frequencies["rare"] = std::vector<std::uint32_t>(kDocuments, 0);
  auto& often = collection.frequencies["often"] = std::vector<std::uint32_t>(kDocuments, 0);
  for (std::uint32_t d = 0; d < kDocuments; ++d) often[d] = d % 3 == 0 ? 1 : 0;
  for (std::uint32_t d = 0; d < kDocuments; d += 20'001) rare[d] = 1;
  const auto index = test::write_index(directory_ / "index", collection);
  const Searcher searcher = gpu(index, 0);
  const std::vector<Plan> plans{
      searcher.plan({.text = "rare often", .mode = Mode::kAnd, .want = Want::kCount})};
  Report report;
  const Results found = searcher.search(plans, &report);
  std::uint64_t expected = 0;
  for (std::uint32_t d = 0; d < kDocuments; ++d) expected += rare[d] > 0 && often[d] > 0 ? 1 : 0;
  EXPECT_EQ(found[0].count, expected);
  const std::uint64_t tiles = kDocuments / 3 / 128;
  EXPECT_LT(report.tiles_decoded, tiles / 4);
  EXPECT_GE(search(searcher, plans, true).tiles_decoded, tiles);
}

/// Calls at the same time want the bitmaps of the same lists.
TEST_F(CudaMatches, ConcurrentCallsFindTheSame) {
  const MatchCase matches(
      {.documents = 60'000, .terms = 60, .ends = {60'000}, .plans = 200, .seed = 18});
  for (int round = 0; round < 5; ++round) {
    const Searcher searcher = gpu(matches.index(), 1000);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        const std::vector<Plan> plans = matches.plans(false);
        const Results results = searcher.search(plans);
        for (std::size_t i = 0; i < plans.size(); ++i) matches.expect(results[i], i, false);
      });
    }
  }
}

TEST_F(CudaMatches, AutoGivesTheCpuWhatItFinishesSooner) {
  const MatchCase matches({.documents = 3000, .terms = 24, .ends = {3000}, .plans = 0, .seed = 20});
  const Searcher searcher(matches.index(), {.backend = BackendChoice::kAuto});
  ASSERT_EQ(searcher.backend_name(), "cuda");
  const std::vector<Plan> count{searcher.plan({.text = "t1 t2", .want = Want::kCount})};
  EXPECT_EQ(search(searcher, count).backend, "cpu");
  EXPECT_EQ(search(searcher, count, true).backend, "cuda");
  EXPECT_EQ(search(searcher, {searcher.plan({.text = "t1 t2"})}).backend, "cuda");
  const Searcher asked = gpu(matches.index(), 2.5);
  EXPECT_EQ(search(asked, count).backend, "cuda");
}

/// A union is the OR of its terms' lists.
TEST_F(CudaMatches, OfUnions) {
  const MatchCase matches(
      {.documents = 30'000, .terms = 60, .ends = {10'000, 30'000}, .plans = 0, .seed = 19});
  const Searcher host(matches.index(), {.backend = BackendChoice::kCpu});
  std::vector<Plan> plans;
  for (std::uint32_t t = 0; t < 50; ++t) {
    for (const Want want : {Want::kCount, Want::kDocids}) {
      Plan::Parts parts;
      parts.want = want;
      parts.collection = {30'000, 1u << 30};
      std::vector<std::string> any;
      for (std::uint32_t i = 0; i <= 1 + t % 4; ++i) any.push_back("t" + std::to_string(t + 2 * i));
      std::ranges::sort(any);
      parts.terms.push_back({.text = union_text(any), .document_frequency = 1, .any_of = any});
      parts.terms.push_back({.text = "t" + std::to_string(t + 1), .document_frequency = 1});
      parts.expression = {{Node::Kind::kTerm, 0},
                          {Node::Kind::kTerm, 1},
                          {t % 2 == 0 ? Node::Kind::kAnd : Node::Kind::kOr, 2}};
      plans.emplace_back(std::move(parts));
    }
  }
  const Results expected = host.search(plans, nullptr, {.exhaustive = true});
  for (const double bits : {1000.0, 0.0}) {
    const Searcher searcher = gpu(matches.index(), bits);
    Report report;
    const Results found = searcher.search(plans, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
    }
  }
}

}  // namespace
}  // namespace gannet::query
