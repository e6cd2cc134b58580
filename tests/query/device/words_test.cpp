// BM25F on the GPU: same documents, same order, same score bits as exhaustive searches on the CPU,
// and no plan left to the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/multi_gpu/device_group.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/query/text_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class CudaWords : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends,
            char letter = 't') {
    fields_ = fields;
    index_ = test::build_texts(folder_.path() / std::to_string(seed),
                               test::random_texts(ends.back(), fields, seed, letter),
                               test::plain_texts_schema(fields), ends);
  }

  static CudaOptions options(double bits) {
    CudaOptions options;
    options.pool_bytes = std::uint64_t{256} << 20;
    options.bounds_bits = bits;
    options.filter_searches = 2;
    return options;
  }
  Searcher gpu(double bits = 2.5) const {
    return Searcher(index_, {.backend = BackendChoice::kCuda, .cuda = options(bits)});
  }
  Searcher cpu() const { return Searcher(index_, {.backend = BackendChoice::kCpu}); }

  static ScorerSpec bm25f(const char* parameters = "") {
    return parse_scorer("bm25f", parameters, {});
  }

  std::vector<Plan> plans(unsigned seed, std::size_t number, const ScorerSpec& scorer,
                          const std::vector<SearchField>& fields = {}) const {
    const Searcher planner = cpu();
    std::vector<Plan> all =
        test::Queries(seed).plans(planner, number, {10, 1, 300, 1000}, scorer, fields);
    // Words whose terms stand apart, words that share terms, words of one text.
    for (const char* const text : {"t1-t2 t4", "t3 f0:t3^2 contents:t3", "+t2-t5 -t1", "f0:t6",
                                   "+t1 +f0:t1 t7^0", "t1 t1 t2^0.01"}) {
      all.push_back(planner.plan(
          {.text = text, .search_fields = fields, .k = 1 + seed % 9, .scorer = scorer}));
    }
    return all;
  }

  void expect_same_as_exhaustive(const Searcher& searcher, const std::vector<Plan>& plans) const {
    Report report;
    test::expect_exact(searcher, cpu(), plans, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
    EXPECT_GT(report.ranges_searched, 0u);
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
  std::uint32_t fields_ = 0;
};

TEST_F(CudaWords, GetTheScoresOfTheirSums) {
  for (const std::uint32_t fields : {1u, 3u}) {
    open(fields, 30 + fields, {700, 12'000, 12'064, 30'000});
    for (const double bits : {1000.0, 2.5}) {
      const Searcher searcher = gpu(bits);
      unsigned seed = 100 * fields;
      for (const char* const parameters :
           {"", "f0.b=0.9,contents.b=0.3", "k1=3,b=1", "f0.b=0.75,f0.weight=0.1",
            "f0.weight=10,contents.weight=0.2"}) {
        SCOPED_TRACE(testing::Message() << fields << ' ' << bits << ' ' << parameters);
        expect_same_as_exhaustive(searcher, plans(++seed, 80, bm25f(parameters)));
        if (HasFatalFailure()) return;
      }
      // Many scores are equal, or all that a word gives: there may be more finalists than room.
      for (const char* const parameters : {"b=0", "k1=0"}) {
        expect_same_as_exhaustive(searcher, plans(++seed, 40, bm25f(parameters)));
      }
    }
  }
}

/// One searcher for queries of other weights: its statistics of lists are those of the first.
TEST_F(CudaWords, WeightsOfTextsMayDifferFromQueryToQuery) {
  open(2, 41, {9000, 25'000});
  const Searcher searcher = gpu();
  std::vector<Plan> mixed;
  for (const float weight : {1.0f, 0.1f, 10.0f, 3.0f}) {
    const std::vector<SearchField> fields{{"contents", 1}, {"f0", weight}, {"f1", 1 / weight}};
    const auto some = plans(static_cast<unsigned>(7 * weight), 60, bm25f(), fields);
    expect_same_as_exhaustive(searcher, some);
    mixed.insert(mixed.end(), some.begin(), some.end());
  }
  std::ranges::shuffle(mixed, std::mt19937(3));
  expect_same_as_exhaustive(searcher, mixed);
  expect_same_as_exhaustive(gpu(), mixed);
}

TEST_F(CudaWords, OfDocumentsThatAreNotDeleted) {
  open(1, 42, {20'000, 40'000});
  index_ = test::with_deleted(*index_, test::random_deletions(40'000, 0.1, 4));
  const auto searched = plans(10, 80, bm25f("f0.weight=2"));
  expect_same_as_exhaustive(gpu(), searched);
  expect_same_as_exhaustive(gpu(), test::pages_of(cpu(), searched, 11));
}

TEST_F(CudaWords, RandomQueriesWithFilters) {
  for (const std::uint32_t fields : {1u, 3u}) {
    open(fields, 50 + fields, {64, 7000, 20'000}, 'w');
    const Searcher planner = cpu();
    const Searcher searcher = gpu();
    test::TextQueries queries(fields, 60 + fields);
    for (const char* const parameters : {"", "f0.weight=3,f0.b=0.2"}) {
      std::vector<Plan> some;
      for (int i = 0; i < 400; ++i) {
        Query query = queries.next();
        query.scorer = bm25f(parameters);
        some.push_back(planner.plan(query));
      }
      for (int round = 0; round < 2; ++round) {  // filters that come again have statistics
        expect_same_as_exhaustive(searcher, some);
        if (HasFatalFailure()) return;
      }
      expect_same_as_exhaustive(searcher, test::pages_of(planner, some, 12));
    }
  }
}

TEST_F(CudaWords, CountsAndDocidsNeedNoScores) {
  open(1, 43, {9000, 20'000});
  for (const Want want : {Want::kCount, Want::kDocids}) {
    std::vector<Plan> some = plans(8, 60, bm25f("f0.weight=2"));
    for (Plan& plan : some) plan = plan.with_want(want);
    Report report;
    test::expect_exact(gpu(), cpu(), some, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  }
}

/// By windows, where bounds cannot be used.
TEST_F(CudaWords, ExhaustivelyAndOfManyLists) {
  open(3, 44, {3000});
  const auto some = plans(13, 30, bm25f("f0.weight=2"));
  Report report;
  const Results expected = cpu().search(some, nullptr, {.stop = {}, .exhaustive = true});
  const Results found = gpu().search(some, &report, {.stop = {}, .exhaustive = true});
  EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  for (std::size_t i = 0; i < some.size(); ++i) test::expect_same(found[i], expected[i], some[i]);
  Query many{.scorer = bm25f()};  // 9 words in 4 texts
  for (int t = 0; t < 9; ++t) many.text += " t" + std::to_string(t);
  const std::vector<Plan> one{cpu().plan(many)};
  Report of_many;
  test::expect_exact(gpu(), cpu(), one, &of_many);
  EXPECT_EQ(of_many.host_plans.total(), 0u) << of_many.reason;
}

/// Lists of other codecs, which kernels read tile by tile.
TEST_F(CudaWords, OfOtherCodecs) {
  index::BuildOptions options = test::texts_options(test::plain_texts_schema(1));
  options.write.docid_codec = &codecs::list_codec_named("gpu-vbyte128");
  const auto documents = test::random_texts(20'000, 1, 45, 't');
  test::TextsSource source(documents, 0, documents.size());
  index::build_index(source, folder_.path() / "vbyte", options);
  index_ = std::make_shared<const index::Index>(index::Index::open(folder_.path() / "vbyte"));
  for (const double bits : {1000.0, 2.5}) {
    expect_same_as_exhaustive(gpu(bits), plans(14, 80, bm25f("f0.weight=2,f0.b=0.1")));
  }
}

/// Shards tell one another scores.
TEST_F(CudaWords, OnSeveralDevices) {
  open(1, 46, {10'000, 10'500, 25'000, 40'000});
  const auto some = plans(15, 700, bm25f("f0.weight=2"));
  const Results expected = cpu().search(some, nullptr, {.stop = {}, .exhaustive = true});
  for (const Spread spread : {Spread::kShards, Spread::kCopies}) {
    CudaOptions group = options(2.5);
    group.devices = {0, 0, 0};
    group.spread = spread;
    const auto backend = make_device_group(index_, group);
    Report report;
    const Results found = backend->run(some, {}, report);
    for (std::size_t i = 0; i < some.size(); ++i) {
      test::expect_same(found[i], expected[i], some[i]);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace gannet::query
