// Pages of hits by score: one after the other they are one large search.
#include "tests/support/query/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/multi_gpu/device_group.hpp"
#include "query/options/expansion.hpp"
#include "query/paging.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

const std::vector<std::uint32_t> kSomeK{1, 3, 10, 64, 65, 100, 1500};

Searcher searcher_on_cpu(IndexPointer index, double bounds_bits = 2.5, unsigned threads = 0) {
  return Searcher(std::move(index), {.backend = BackendChoice::kCpu,
                                     .cpu = {.threads = threads, .bounds_bits = bounds_bits}});
}

/// Equal to the bits of the scores.
void expect_hits(std::span<const Hit> actual, std::span<const Hit> expected, const Plan& plan) {
  ASSERT_EQ(actual.size(), expected.size()) << to_string(plan);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].docid, expected[i].docid) << to_string(plan) << i;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(actual[i].score),
              std::bit_cast<std::uint32_t>(expected[i].score));
  }
}

/// The k hits behind the place where the plan's page begins, out of all hits.
std::vector<Hit> page_slice(const std::vector<Hit>& all, const Plan& plan) {
  std::vector<Hit> page;
  for (const Hit& hit : all) {
    const std::uint64_t key = rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid);
    if (key < plan.page().below && page.size() < plan.k()) page.push_back(hit);
  }
  return page;
}

/// Every way to search gives slices of one ranking, in batches with other pages.
void expect_slices(const IndexPointer& index, unsigned seed, std::size_t queries = 60) {
  const Searcher whole = searcher_on_cpu(index, 0);
  const std::vector<Plan> plans =
      test::pages_of(whole, test::Queries(seed).plans(whole, queries, kSomeK), seed);
  for (const double bits : {0.2, 2.5, 1000.0}) {
    for (const bool exhaustive : {false, true}) {
      const Searcher searcher = searcher_on_cpu(index, bits, exhaustive ? 1 : 4);
      const Results results =
          searcher.search(plans, nullptr, {.stop = {}, .exhaustive = exhaustive});
      for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto hits = results[i].hits();
        expect_hits(std::vector<Hit>(hits.begin(), hits.end()),
                    page_slice(test::all_hits(whole, plans[i]), plans[i]), plans[i]);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Pages, AreSlicesOfOneRanking) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(20'000, test::kTerms, 5);
  expect_slices(test::write_index(folder / "one", collection), 1);
  expect_slices(test::write_segments(folder / "cut", collection, {1, 700, 764, 9000, 20'000}), 2);
}

TEST(Pages, OfHardCollections) {
  unsigned seed = 10;
  for (const auto& [name, collection] : test::hard_collections()) {
    SCOPED_TRACE(name);
    const test::TemporaryDirectory folder;
    const std::uint32_t documents = collection.documents();
    expect_slices(
        test::write_segments(folder / "cut", collection, {documents / 3, documents / 2, documents}),
        ++seed, 20);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Goes from page to page by cursors as texts, as a user does.
struct Walk {
  Query query;
  std::uint32_t hits;
  std::vector<Hit> found = {};
  std::string cursor = {};
  bool ended = false;

  void go_on(const IndexPointer& now) {
    const PageRequest page = page_request(hits, 0, cursor);
    const Searcher searcher = searcher_on_cpu(index_of(page, now), 1000);
    ColumnQuery columns;
    const Plan plan = plan_of(page, searcher.plan(query), columns);
    const Results results = searcher.search({&plan, 1});
    const auto all = results[0].hits();
    std::vector<Hit> more(all.begin(), all.end());
    cut(page, more);
    EXPECT_EQ(page.before(), found.size());
    found.insert(found.end(), more.begin(), more.end());
    const auto next = next_page(page, searcher.index(), plan, columns, more, {});
    ended = !next;
    cursor = next.value_or("");
  }
};

Query query_with(const std::string& text) { return {.text = text}; }

TEST(Pages, OneAfterTheOtherAreOneSearch) {
  const test::TemporaryDirectory folder;
  // All lengths and frequencies alike: scores are equal by the hundred.
  const auto collection =
      test::collection_of(1500, 50, [](std::uint32_t t, std::uint32_t d) -> std::uint32_t {
        return (d * 2654435761u >> 9) % (t + 2) == 0 ? 1 : 0;
      });
  const auto index = test::write_segments(folder.path(), collection, {400, 401, 1500});
  for (const char* text : {"t0 t3", "t1", "+t0 +t1", "t2 -t0", "NOT t0", "t5^0 t6"}) {
    for (const std::uint32_t hits : {7u, 64u, 300u}) {
      Walk walk{query_with(text), hits};
      while (!walk.ended) walk.go_on(index);
      const Searcher whole = searcher_on_cpu(index);
      const Plan plan = whole.plan(query_with(text));
      expect_hits(walk.found, test::all_hits(whole, plan), plan);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Documents are deleted between pages, also those that cursors stand at, and others are added.
TEST(Pages, StayWhenDocumentsAreDeletedAndAdded) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(3000, test::kTerms, 9);
  const auto larger = test::write_segments(folder.path(), collection, {900, 2000, 3000});
  const auto index = std::make_shared<const index::Index>(larger->part(0, 2));
  for (const char* text : {"t1 t4 t7", "t0", "+t1 t2", "NOT t3"}) {
    Walk walk{query_with(text), 13};
    std::vector<bool> gone(3000);
    std::mt19937 random(4);
    IndexPointer now = index;
    for (int pages = 0; !walk.ended; ++pages) {
      walk.go_on(now);
      if (walk.ended || pages > 60) continue;
      gone[walk.found.back().docid] = true;
      for (int n = 0; n < 30; ++n) gone[random() % 3000] = true;
      now = test::with_deleted(
          pages % 2 == 0 ? *larger : *index,
          pages % 2 == 0 ? gone : std::vector(gone.begin(), gone.begin() + 2000));
    }
    const Searcher whole = searcher_on_cpu(index);
    const std::vector<Hit> all = test::all_hits(whole, whole.plan(query_with(text)));
    // In the order of one ranking, none twice; what is missing is deleted.
    auto at = all.begin();
    for (const Hit& hit : walk.found) {
      for (; at != all.end() && at->docid != hit.docid; ++at) {
        ASSERT_TRUE(gone[at->docid]) << text << ' ' << at->docid;
      }
      ASSERT_NE(at, all.end()) << text;
      ASSERT_EQ(*at++, hit);
    }
    for (; at != all.end(); ++at) ASSERT_TRUE(gone[at->docid]) << text;
  }
}

TEST(Pages, WithFiltersAndDeletions) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(9000, test::kTerms, 3);
  const auto fields = test::random_fields(9000, 3);
  const IndexPointer index = test::with_deleted(
      *test::with_fields(*test::write_segments(folder.path(), collection, {4000, 9000}), fields),
      test::random_deletions(9000, 0.1, 3));
  const Searcher searcher = searcher_on_cpu(index);
  test::RandomFilters filters(fields, 3);
  std::vector<Plan> plans;
  for (const char* text : {"t1 t4", "t0", "+t1 t2", "t0 t1 t2 t3 t4"}) {
    for (const std::uint32_t k : {1u, 10u, 100u}) {
      plans.push_back(searcher.plan({.text = text, .filter = filters.next(), .k = k}));
    }
  }
  plans = test::pages_of(searcher, plans, 8);
  const Results results = searcher.search(plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto hits = results[i].hits();
    expect_hits(std::vector<Hit>(hits.begin(), hits.end()),
                page_slice(test::all_hits(searcher, plans[i]), plans[i]), plans[i]);
  }
}

/// Pruning does not pay where most of what it scores was on earlier pages (decision 0080).
TEST(Pages, FarDownEveryMatchIsScored) {
  const test::TemporaryDirectory folder;
  const Searcher searcher = searcher_on_cpu(
      test::write_index(folder.path(), test::random_collection(20'000, test::kTerms, 5)), 1000);
  for (const char* text : {"t0 t1", "+t0 +t1", "+t0 t1"}) {
    const Plan plan = searcher.plan({.text = text, .k = 10});
    const std::vector<Hit> hits = test::all_hits(searcher, plan);
    std::uint64_t postings = 0;
    for (const PlanTerm& term : plan.terms()) postings += term.document_frequency;
    const auto ranges = [&](const PageStart& page) {
      const Plan one = plan.with_page(page);
      Report report;
      searcher.search({&one, 1}, &report);
      return report.ranges_total;
    };
    const std::uint64_t most = postings / 256;  // hits of earlier pages
    ASSERT_GT(hits.size(), most + 10) << text;
    ASSERT_GT(most, 20u) << text;
    EXPECT_GT(ranges({}), 0u) << text;
    EXPECT_GT(ranges(page_after(hits[most / 2], most / 2 + 1)), 0u) << text;
    EXPECT_EQ(ranges(page_after(hits[most], most + 1)), 0u) << text;
  }
}

TEST(Pages, OfExpandedQueriesAreLearnedFromTheFirst) {
  const test::TemporaryDirectory folder;
  const Searcher searcher = searcher_on_cpu(
      test::write_index(folder.path(), test::random_collection(3000, test::kTerms, 7)));
  const Plan plan = searcher.plan({.text = "t5 t9"});
  const std::vector<Hit> hits = test::all_hits(searcher, plan);
  ASSERT_GT(hits.size(), 20u);
  const Plan later = plan.with_page(page_after(hits[19], 20));
  const Expansion rm3 = parse_expansion("rm3");
  const Plan expanded = searcher.expand({&later, 1}, rm3).front();
  EXPECT_EQ(expanded.page(), later.page());
  EXPECT_EQ(to_string(expanded.with_page({})), to_string(searcher.expand({&plan, 1}, rm3).front()));
}

TEST(Pages, OfShardsHaveDocidsOfTheirOwn) {
  constexpr std::uint64_t kBase = 1000;
  const std::uint64_t below = rank_key(7, 1500);
  const auto passes = [&](std::uint32_t score, std::uint32_t docid) {
    return rank_key(score, docid) < bound_in_part(below, kBase);
  };
  EXPECT_FALSE(passes(7, 500)) << "itself";
  EXPECT_TRUE(passes(7, 501));
  EXPECT_FALSE(passes(7, 499));
  EXPECT_FALSE(passes(8, 600));
  EXPECT_TRUE(passes(6, 0));
  const std::uint64_t early = bound_in_part(rank_key(7, 999), kBase);
  EXPECT_LT(rank_key(7, 0), early) << "the whole shard is behind the hit";
  EXPECT_GE(rank_key(8, 0xfffffffe), early);
  const std::uint64_t late = bound_in_part(rank_key(7, 0xfffffffe), kBase);
  EXPECT_GE(rank_key(7, 0xfffffffe - kBase), late) << "the whole shard is before the hit";
  EXPECT_LT(rank_key(6, 0), late);
  EXPECT_EQ(bound_in_part(kNoBound, 7), kNoBound);
}

TEST(Pages, OfSeveralDevices) {
  const test::TemporaryDirectory folder;
  const auto index = test::write_segments(
      folder.path(), test::random_collection(9000, test::kTerms, 3), {1, 800, 4096, 5000, 9000});
  const Searcher host = searcher_on_cpu(index);
  const std::vector<Plan> plans =
      test::pages_of(host, test::Queries(3).plans(host, 80, {1, 10, 100}), 3);
  const Results expected = host.search(plans);
  for (const Spread spread : {Spread::kCopies, Spread::kShards}) {
    CudaOptions options;
    options.devices = {0, 1, 2};
    options.spread = spread;
    const auto group = make_device_group(index, options, [](const auto& part, const CudaOptions&) {
      return make_cpu_backend(part, {.threads = 1});
    });
    Report report;
    const Results found = group->run(plans, {}, report);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
    }
  }
}

TEST(Pages, ByOffsetAreCut) {
  std::vector<Hit> hits{{3, 2}, {4, 1}, {5, 1}};
  cut(page_request(2, 1, ""), hits);
  EXPECT_EQ(hits, (std::vector<Hit>{{4, 1}, {5, 1}}));
  cut(page_request(2, 7, ""), hits);
  EXPECT_TRUE(hits.empty());
  EXPECT_EQ(page_request(10, 5, "").searched(), 15u);
  EXPECT_THROW(page_request(10, 0xfffffff6, ""), UsageError);
  EXPECT_EQ(page_request(10, 0xfffffff5, "").searched(), 0xffffffffu);
}

}  // namespace
}  // namespace gannet::query
