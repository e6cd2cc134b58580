// Searches with filters: exactly the results of a search without, less what does not pass by brute
// force. Scores are those of the whole collection.
#include <gtest/gtest.h>

#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::Collection;
using test::FieldValues;

/// What a plan finds without its filter, all of it.
Result everything(const Searcher& searcher, const Plan& plan) {
  Plan::Parts parts{plan.want(), 0xffffffff, plan.scorer(), plan.collection(), {}, {}};
  parts.terms.assign(plan.terms().begin(), plan.terms().end());
  parts.expression = plan.expression();
  const Plan all(std::move(parts));
  const Results found = searcher.search({&all, 1}, nullptr, {.stop = {}, .exhaustive = true});
  return {found[0].count,
          {found[0].docids.begin(), found[0].docids.end()},
          {found[0].scores.begin(), found[0].scores.end()}};
}

void expect_filtered(const ResultView& actual, const Result& all, const Plan& plan,
                     const std::function<bool(std::uint32_t)>& passes) {
  ResultView expected;
  Result kept;
  std::uint64_t count = 0;
  for (const Hit hit : all.hits()) {
    if (!passes(hit.docid)) continue;
    ++count;
    if (plan.want() == Want::kTopK && count > plan.k()) continue;
    kept.docids.push_back(hit.docid);
    kept.scores.push_back(hit.score);
  }
  const bool top = plan.want() == Want::kTopK;
  expected.count = top ? kept.docids.size() : count;
  if (plan.want() != Want::kCount) expected.docids = kept.docids;
  if (top) expected.scores = kept.scores;
  test::expect_same(actual, expected, plan);
}

Searcher cpu(std::shared_ptr<const index::Index> index, CpuOptions options) {
  return Searcher(std::move(index), {.backend = BackendChoice::kCpu, .cpu = options, .cuda = {}});
}

/// The plan with another want and a filter.
Plan filtered(const Plan& plan, Want want, std::uint32_t k, const Filter& filter) {
  Plan::Parts parts{want, k, plan.scorer(), plan.collection(), {}, {}, filter};
  parts.terms.assign(plan.terms().begin(), plan.terms().end());
  parts.expression = plan.expression();
  return Plan(std::move(parts));
}

void check_collection(const Collection& collection, const std::vector<std::uint32_t>& ends,
                      int filters_tried, unsigned seed) {
  const test::TemporaryDirectory folder;
  const auto fields = test::random_fields(collection.documents(), seed);
  const auto index =
      test::with_fields(*test::write_segments(folder / "index", collection, ends), fields);
  const test::FilterOracle oracle(fields);
  // Few bounds, many, none; one thread and several.
  const std::vector<Searcher> searchers = [&] {
    std::vector<Searcher> all;
    all.push_back(cpu(index, {.threads = 1, .bounds_bits = 100}));
    all.push_back(cpu(index, {.threads = 4, .bounds_bits = 2.5, .filter_bytes = 4000}));
    all.push_back(cpu(index, {.threads = 2, .bounds_bits = 0}));
    // All filters on candidates, and none.
    all.push_back(cpu(index, {.threads = 3, .bounds_bits = 100, .candidate_filters = 0}));
    all.push_back(cpu(index, {.threads = 3, .bounds_bits = 100, .candidate_filters = 2}));
    return all;
  }();
  test::Queries queries(seed);
  std::mt19937 random(seed);
  const std::vector<Plan> plans = queries.plans(searchers[0], 40, test::kAnyK);
  std::vector<Result> all;
  for (const Plan& plan : plans) all.push_back(everything(searchers[0], plan));
  test::RandomFilters filters(fields, seed, collection.documents());
  for (int i = 0; i < filters_tried; ++i) {
    const Filter filter = filters.next();
    const auto passes = [&](std::uint32_t document) { return oracle.passes(filter, document); };
    std::vector<Plan> some;
    for (const Plan& plan : plans) {
      const auto want = random() % 5;
      some.push_back(filtered(plan,
                              want == 0   ? Want::kCount
                              : want == 1 ? Want::kDocids
                                          : Want::kTopK,
                              plan.k(), filter));
    }
    for (const Searcher& searcher : searchers) {
      const Results results = searcher.search(some);
      for (std::size_t p = 0; p < some.size(); ++p) {
        Result expected = all[p];
        if (some[p].want() != Want::kTopK) std::ranges::sort(expected.docids);
        expect_filtered(results[p], expected, some[p], passes);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(FilteredSearch, IsTheSearchOfWhatPassesSlow) {
  check_collection(test::random_collection(6000, test::kTerms, 1), {6000}, 8, 1);
  check_collection(test::random_collection(30000, test::kTerms, 2), {64, 20000, 20001, 30000}, 8,
                   2);
  check_collection(test::random_collection(500, test::kTerms, 3), {100, 500}, 8, 3);
}

TEST(FilteredSearch, HardCollectionsSlow) {
  unsigned seed = 10;
  for (const test::NamedCollection& hard : test::hard_collections()) {
    SCOPED_TRACE(hard.name);
    check_collection(hard.collection,
                     {hard.collection.documents() / 3, hard.collection.documents()}, 3, ++seed);
    if (HasFatalFailure()) return;
  }
}

/// A collection in which documents outside have the best scores by far.
class WorstPass : public testing::Test {
 protected:
  WorstPass() {
    Collection collection = test::collection_of(40000, 50, [](std::uint32_t t, std::uint32_t d) {
      return t < 3 && d % (t + 2) == 0 ? (d % 100 == 0 ? 1u : 30u) : 0u;
    });
    FieldValues field{index::parse_field("n:u32"), {}};
    for (std::uint32_t d = 0; d < 40000; ++d) field.values.push_back({std::to_string(d % 100)});
    index_ = test::with_fields(*test::write_index(folder_ / "index", collection), {field});
  }
  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(WorstPass, ThresholdsOfDocumentsOutsideDoNotCount) {
  const Searcher searcher = cpu(index_, {.bounds_bits = 100});
  for (const std::uint32_t k : {1u, 10u, 200u}) {
    Query query{.text = "t0 t1 t2", .filter = Filter::equal("n", "0"), .k = k};
    const Plan plan = searcher.plan(query);
    Report report;
    const Results pruned = searcher.search({&plan, 1}, &report);
    EXPECT_GT(report.ranges_total, 0u);
    EXPECT_EQ(pruned[0].count, k);
    const Results all = searcher.search({&plan, 1}, nullptr, {.stop = {}, .exhaustive = true});
    test::expect_same(pruned[0], all[0], plan);
    for (const Hit hit : pruned[0].hits()) EXPECT_EQ(hit.docid % 100, 0u);
  }
}

TEST_F(WorstPass, RangesThatNothingPassesAreNotSearched) {
  const Searcher searcher = cpu(index_, {.threads = 1, .bounds_bits = 100});
  const auto run = [&](const Filter& filter) {
    const Plan plan = searcher.plan(Query{.text = "t0 t1 t2", .filter = filter, .k = 10000});
    Report report;
    searcher.search({&plan, 1}, &report);
    return report;
  };
  const Report none = run(Filter::equal("n", "777"));
  EXPECT_EQ(none.tiles_decoded, 0u);
  EXPECT_EQ(none.documents_scored, 0u);
  // 400 documents, each in a range of its own.
  const Report some = run(Filter::equal("n", "0"));
  EXPECT_LE(some.ranges_searched, 400u);
  EXPECT_LE(some.documents_scored, 400u);
  EXPECT_EQ(some.filter.passing, 400u);
}

TEST_F(WorstPass, AFilterThatFewPassDrives) {
  const Searcher searcher = cpu(index_, {.threads = 1});
  Query query{.text = "t0 t1 t2", .filter = Filter::equal("n", "0"), .want = Want::kCount};
  const auto run = [&](const Filter& filter) {
    query.filter = filter;
    const Plan plan = searcher.plan(query);
    Report report;
    searcher.search({&plan, 1}, &report);
    return report;
  };
  EXPECT_EQ(run(Filter::exists("n")).filter.driven, 0u);
  EXPECT_EQ(run(Filter::range("n", "0", "50")).filter.driven, 0u);
  EXPECT_EQ(run(Filter::equal("n", "0") && Filter::range("n", "0", "1")).filter.driven, 0u);
  // One document in 40,000.
  const test::TemporaryDirectory folder;
  FieldValues field{index::parse_field("n:u32"), {}};
  for (std::uint32_t d = 0; d < 40000; ++d) field.values.push_back({std::to_string(d)});
  const auto index = test::with_fields(*index_, {field});
  const Searcher other = cpu(index, {.threads = 1});
  query.filter = Filter::any_of("n", {"300", "20000", "39997"});
  const Plan plan = other.plan(query);
  Report report;
  EXPECT_EQ(other.search({&plan, 1}, &report).counts[0], 2u);
  EXPECT_EQ(report.filter.driven, 1u);
  EXPECT_LE(report.tiles_decoded, 9u);
}

/// A random index with fields, whose segments end before these docids.
std::shared_ptr<const index::Index> random_index(const std::filesystem::path& path,
                                                 const std::vector<std::uint32_t>& ends,
                                                 unsigned seed) {
  const std::uint32_t documents = ends.back();
  return test::with_fields(
      *test::write_segments(path, test::random_collection(documents, test::kTerms, seed), ends),
      test::random_fields(documents, seed));
}

TEST(FilteredSearch, AFilterOfItsOwnForEachQueryNeedsNoBitmap) {
  const test::TemporaryDirectory folder;
  const auto index = random_index(folder / "index", {7000, 20000}, 71);
  const Searcher oracle = cpu(index, {.threads = 1, .candidate_filters = 2});
  std::vector<Plan> plans;
  for (int i = 0; i < 200; ++i) {
    Query query;
    query.text = "t" + std::to_string(i % 8) + " t" + std::to_string(i % 7 + 1);
    query.k = 10;
    query.filter = Filter::between("ratio", {std::to_string(-59 + 0.6 * i)}, {});
    plans.push_back(oracle.plan(query));
  }
  const auto search = [&](double share, std::uint64_t column_bytes) {
    const Searcher searcher = cpu(index, {.threads = 2,
                                          .bounds_bits = 100,
                                          .candidate_filters = share,
                                          .column_bytes = column_bytes});
    Report report;
    test::expect_exact(searcher, oracle, plans, &report);
    return report;
  };
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;
  const Report all = search(0, kEnough);
  EXPECT_GT(all.filter.on_candidates, 380u) << "but where no code of a segment passes";
  EXPECT_EQ(all.filter.documents, 0u);
  const Report none = search(2, kEnough);
  EXPECT_EQ(none.filter.on_candidates, 0u);
  EXPECT_GE(none.ranges_searched, 1u);
  EXPECT_LE(none.ranges_searched, all.ranges_searched) << "a bitmap rules ranges out";
  const Report some = search(0.25, kEnough);
  EXPECT_GT(some.filter.on_candidates, 0u);
  EXPECT_LT(some.filter.on_candidates, all.filter.on_candidates);
  EXPECT_EQ(search(0, 100).filter.on_candidates, 0u) << "columns have no room";
}

/// Counts, docids and hits of ANDs of which few documents match.
TEST(FilteredSearch, AFilterOfItsOwnIsLookedUpForMatches) {
  const test::TemporaryDirectory folder;
  const auto index = random_index(folder / "index", {9000, 30000}, 73);
  const Searcher oracle = cpu(index, {.threads = 1, .candidate_filters = 2});
  std::vector<Plan> plans;
  for (int i = 0; i < 120; ++i) {
    Query query;
    const std::string rare = "t" + std::to_string(11 - i % 3);
    query.text = (i % 2 == 0 ? "+" + rare + " +t" : rare + " t") + std::to_string(i % 7);
    query.want = i % 3 == 0 ? Want::kCount : i % 3 == 1 ? Want::kDocids : Want::kTopK;
    query.k = 10;
    query.filter = Filter::between("ratio", {std::to_string(-59 + i)}, {});
    plans.push_back(oracle.plan(query));
  }
  const auto search = [&](double share, std::uint64_t column_bytes) {
    const Searcher searcher = cpu(index, {.threads = 2,
                                          .bounds_bits = 1,
                                          .bitmap_bits = 1,
                                          .candidate_filters = share,
                                          .column_bytes = column_bytes});
    Report report;
    test::expect_exact(searcher, oracle, plans, &report);
    return report;
  };
  constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;
  const Report some = search(1, kEnough);
  EXPECT_GT(some.filter.on_candidates, 60u);
  EXPECT_GT(some.filter.documents, 0u) << "of ORs of frequent terms many documents match";
  EXPECT_EQ(search(2, kEnough).filter.on_candidates, 0u);
  EXPECT_EQ(search(1, 100).filter.on_candidates, 0u) << "columns have no room";
  // A filter of many searches gets a bitmap.
  const Searcher searcher = cpu(index, {.threads = 1});
  for (int i = 0; i < 20; ++i) {
    Report report;
    searcher.search({&plans[0], 1}, &report);
    EXPECT_EQ(report.filter.on_candidates > 0, i < 15) << i;
  }
}

TEST(FilteredSearch, ASearchInPiecesCountsOnceForItsFilter) {
  constexpr std::uint32_t kDocuments = 140'000;
  const test::TemporaryDirectory folder;
  const auto index = test::with_fields(
      *test::write_segments(
          folder / "index",
          test::collection_of(kDocuments, 20,
                              [](std::uint32_t t, std::uint32_t d) { return d % (t + 1) == 0; }),
          std::vector<std::uint32_t>{kDocuments}),
      test::random_fields(kDocuments, 72));
  // Two threads search a query of so many postings in eight pieces.
  const Searcher searcher =
      cpu(index, {.threads = 2, .bounds_bits = 100, .candidate_filters = 0.25});
  Query query;
  query.text = "t0 t1 t2";
  query.k = 10;
  query.filter = Filter::range("year", "1990", "2015");
  const Plan plan = searcher.plan(query);
  for (int i = 0; i < 5; ++i) {
    Report report;
    searcher.search({&plan, 1}, &report);
    EXPECT_EQ(report.filter.on_candidates, 1u) << i;
  }
}

TEST(FilteredSearch, ExpansionLearnsFromWhatPassesAndKeepsTheFilter) {
  const test::TemporaryDirectory folder;
  const Collection collection = test::random_collection(3000, test::kTerms, 5);
  const auto fields = test::random_fields(3000, 5);
  const auto index = test::with_fields(*test::write_index(folder / "index", collection), fields);
  const test::FilterOracle oracle(fields);
  const Searcher searcher = cpu(index, {});
  const Filter filter = Filter::range("year", "1990", "1994");
  const Plan plan = searcher.plan(Query{.text = "t5 t9", .filter = filter, .k = 500});
  const Expansion expansion = parse_expansion("rm3", "max-df=1,min-length=1,chars=any");
  const std::vector<Plan> expanded = searcher.expand({&plan, 1}, expansion);
  ASSERT_EQ(expanded[0].filter(), filter);
  EXPECT_GT(expanded[0].terms().size(), 2u);
  const Results results = searcher.search(expanded);
  EXPECT_GT(results[0].count, 0u);
  for (const Hit hit : results[0].hits()) EXPECT_TRUE(oracle.passes(filter, hit.docid));
  const Plan all = searcher.plan(Query{.text = "t5 t9", .k = 500});
  const std::vector<Plan> other = searcher.expand({&all, 1}, expansion);
  EXPECT_NE(to_string(expanded[0]), to_string(other[0]));
}

}  // namespace
}  // namespace gannet::query
