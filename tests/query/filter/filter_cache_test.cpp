// Bitmaps of filters are found out once, kept within their memory, and errors do not stay.
#include "query/filter/filter_cache.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "codecs/base/error.hpp"
#include "query/cpu/batch_filters.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

PackedColumns cached_columns{std::uint64_t{1} << 30};
const CandidateFilters kCandidates{cached_columns, 2};

constexpr std::size_t kCachedDocuments = 3 * index::kFieldBlock + 100;
constexpr std::uint64_t kBitmapBytes = kCachedDocuments / 8;

class FilterCaches : public testing::Test {
 protected:
  FilterCaches() {
    test::Collection collection;
    collection.lengths.assign(kCachedDocuments, 10);
    std::vector<std::uint32_t> list(kCachedDocuments, 1);
    collection.frequencies["word"] = list;
    test::FieldValues field{index::parse_field("n:u32"), {}};
    for (std::size_t d = 0; d < kCachedDocuments; ++d) {
      field.values.push_back({std::to_string(d * 7 % 1000)});
    }
    index_ = test::with_fields(*test::write_index(folder_ / "index", collection), {field});
  }

  test::MemoryColumn& column() const {
    return dynamic_cast<const test::SegmentWithFields&>(*index_->segments().front()).column(0);
  }
  static Filter below(int value) {
    return Filter::between("n", {}, {std::to_string(value), false});
  }
  static Query query(Filter filter) {
    Query query;
    query.text = "word";
    query.filter = std::move(filter);
    query.want = Want::kCount;
    return query;
  }
  Searcher searcher(CpuOptions options = {}) const {
    return Searcher(index_, {.backend = BackendChoice::kCpu, .cpu = options, .cuda = {}});
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(FilterCaches, ConcurrentThreadsShareTheWorkAndDoNoneTwice) {
  FilterCache cache(index_, 1 << 20);
  std::vector<std::uint64_t> passing(8);
  std::vector<std::thread> threads;
  for (std::uint64_t& count : passing) {
    threads.emplace_back([&] {
      const auto bitmap = cache.of(0, below(500));
      bitmap->bitmap({});
      count = bitmap->passing();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t expected = 0;
  for (std::size_t d = 0; d < kCachedDocuments; ++d) expected += d * 7 % 1000 < 500 ? 1 : 0;
  for (const std::uint64_t count : passing) EXPECT_EQ(count, expected);
  EXPECT_EQ(column().decoded(), 4u);
  EXPECT_EQ(cache.misses(), 1u);
}

TEST_F(FilterCaches, ConcurrentBatchesOfOneFilterDecodeItsColumnOnce) {
  const Searcher searcher = this->searcher();
  const std::vector<Plan> plans(50, searcher.plan(query(below(300))));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Results results = searcher.search(plans);
      for (std::size_t p = 0; p < plans.size(); ++p) EXPECT_EQ(results[p].count, results[0].count);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(column().decoded(), 4u);
}

TEST_F(FilterCaches, KeepsTheLastOnesUsedWithinItsMemory) {
  FilterCache cache(index_, 2 * kBitmapBytes + 2000);
  const auto use = [&](int value) { cache.of(0, below(value))->bitmap({}); };
  use(1);
  use(2);
  use(1);
  EXPECT_EQ(cache.misses(), 2u);
  use(3);  // 2 goes
  EXPECT_LE(cache.bytes(), 2 * kBitmapBytes + 2000);
  use(1);
  EXPECT_EQ(cache.misses(), 3u);
  use(2);
  EXPECT_EQ(cache.misses(), 4u);
}

TEST_F(FilterCaches, WhatIsUsedStaysUntilItIsNot) {
  FilterCache cache(index_, 0);
  auto held = cache.of(0, below(1));
  held->bitmap({});
  EXPECT_EQ(cache.of(0, below(1)), held);
  EXPECT_EQ(cache.misses(), 1u);
  held.reset();
  cache.trim();
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST_F(FilterCaches, ABatchAsksForAFilterOnceAThread) {
  FilterCache cache(index_, 0);  // what nobody uses makes room at once
  BatchFilters filters(cache, kCandidates, 4, 1);
  FilterBitmap& first = filters.look_up(0, 0, below(1));
  EXPECT_EQ(&filters.look_up(1, 0, below(1)), &first);
  EXPECT_EQ(cache.misses(), 1u);
  std::thread([&] { EXPECT_EQ(&filters.find(0, 0, below(1)), &first); }).join();
  // Another thread that comes to a plan whose filter is the one before's asks the cache.
  std::thread([&] { EXPECT_EQ(&filters.find(1, 0, below(1)), &first); }).join();
  EXPECT_EQ(cache.misses(), 1u);
  FilterBitmap& second = filters.look_up(2, 0, below(2));
  EXPECT_NE(&second, &first);
  EXPECT_EQ(&filters.find(2, 0, below(2)), &second);
  EXPECT_EQ(cache.misses(), 2u);
}

TEST_F(FilterCaches, ABatchFindsWhatItHasLookedUpWithoutTheCache) {
  column().damage();
  FilterCache cache(index_, 1 << 20);
  BatchFilters filters(cache, kCandidates, 2, 1);
  FilterBitmap& failed = filters.look_up(0, 0, below(300));
  EXPECT_THROW(failed.bitmap({}), FormatError);
  // The cache makes a new one in the place of one that has failed.
  EXPECT_EQ(&filters.look_up(1, 0, below(300)), &failed) << "the thread's own";
  std::thread([&] { EXPECT_EQ(&filters.find(0, 0, below(300)), &failed); }).join();
  EXPECT_EQ(cache.misses(), 1u);
  EXPECT_NE(cache.of(0, below(300)).get(), &failed);
}

TEST_F(FilterCaches, WhatABatchHasLookedUpIsMadeAgainWhereItHadToGo) {
  FilterCache cache(index_, 0);
  BatchFilters filters(cache, kCandidates, 2, 1);
  filters.look_up(0, 0, below(1)).bitmap({});
  filters.look_up(1, 0, below(2)).bitmap({});
  cache.trim();
  EXPECT_LE(cache.bytes(), kBitmapBytes + 1000) << "only the last one is in use";
  FilterBitmap& again = filters.find(0, 0, below(1));
  EXPECT_EQ(cache.misses(), 3u);
  again.bitmap({});
  EXPECT_EQ(again.passing(), (kCachedDocuments + 999) / 1000);
}

TEST_F(FilterCaches, EachPlanOfABatchHasItsOwnFilter) {
  const Searcher searcher = this->searcher();
  for (const std::size_t run : {1u, 3u, 100u}) {  // so many plans in a row have the same filter
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < 300; ++i) {
      plans.push_back(searcher.plan(query(below(static_cast<int>(i / run % 50 * 20)))));
    }
    const Results results = searcher.search(plans);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const std::uint64_t value = i / run % 50 * 20;
      std::uint64_t expected = 0;
      for (std::size_t d = 0; d < kCachedDocuments; ++d) expected += d * 7 % 1000 < value ? 1 : 0;
      ASSERT_EQ(results[i].count, expected) << "plan " << i << ", runs of " << run;
    }
  }
}

TEST_F(FilterCaches, ABackEndKeepsWhatItIsTold) {
  const Searcher keeps = searcher();
  const Searcher forgets = searcher({.filter_bytes = 0});
  for (const Searcher* searcher : {&keeps, &forgets}) {
    const std::uint64_t before = column().decoded();
    Report report;
    const Plan plan = searcher->plan(query(below(300)));
    searcher->search({&plan, 1}, &report);
    EXPECT_EQ(report.filter.made, 1u);
    EXPECT_EQ(report.filter.documents, kCachedDocuments);
    EXPECT_EQ(report.filter.passing, searcher->search({&plan, 1}, &report).counts[0]);
    EXPECT_EQ(report.filter.made, searcher == &keeps ? 0u : 1u);
    EXPECT_EQ(report.filter.bytes > 0, searcher == &keeps);
    EXPECT_EQ(column().decoded() - before, searcher == &keeps ? 4u : 8u);
  }
}

TEST_F(FilterCaches, ADamagedColumnIsAnErrorEachTimeAndNothingElse) {
  column().damage();
  const Searcher searcher = this->searcher();
  const Plan plan = searcher.plan(query(below(300)));
  for (int i = 0; i < 3; ++i) EXPECT_THROW(searcher.search({&plan, 1}), FormatError);
  const Plan undecoded = searcher.plan(query(below(2000)));
  EXPECT_EQ(searcher.search({&undecoded, 1}).counts[0], kCachedDocuments);
}

TEST_F(FilterCaches, ACallThatIsCancelledLeavesTheRestToOthers) {
  FilterCache cache(index_, 1 << 20);
  std::stop_source stop;
  stop.request_stop();
  const auto bitmap = cache.of(0, below(500));
  EXPECT_THROW(bitmap->bitmap(stop.get_token()), CancelledError);
  EXPECT_FALSE(bitmap->made());
  bitmap->bitmap({});
  EXPECT_TRUE(bitmap->made());
  EXPECT_EQ(column().decoded(), 4u);
}

TEST_F(FilterCaches, PlansOfOtherIndexesAreBoundToTheFieldsOfThisOne) {
  const Searcher searcher = this->searcher();
  Plan::Parts parts;
  parts.collection = {kCachedDocuments, 10 * kCachedDocuments};
  parts.terms = {{"word", kCachedDocuments, 1}};
  parts.expression = {{Node::Kind::kTerm, 0}};
  parts.filter = Filter::equal("other", "1");
  const Plan plan(std::move(parts));
  EXPECT_THROW(searcher.search({&plan, 1}), UsageError);
}

}  // namespace
}  // namespace gannet::query
