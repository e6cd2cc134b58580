// Pruned searches on the GPU against exhaustive ones on the CPU: same documents, same order, same
// score bits.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::Collection;
using test::kAnyK;
using test::kTerms;
using test::Queries;

class CudaPruned : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  static Searcher searcher_of(std::shared_ptr<const index::Index> index, double bits) {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.bounds_bits = bits;
    return Searcher(std::move(index), options);
  }

  static Searcher oracle_of(std::shared_ptr<const index::Index> index) {
    SearcherOptions options;
    options.backend = BackendChoice::kCpu;
    return Searcher(std::move(index), options);
  }

  /// All lists with bounds, some of them, hardly any.
  static void expect_exact(std::shared_ptr<const index::Index> index, unsigned seed,
                           std::size_t queries = 160) {
    for (const double bits : {1000.0, 2.5, 0.2}) {
      SCOPED_TRACE(bits);
      const Searcher searcher = searcher_of(index, bits);
      const std::vector<Plan> plans = Queries(seed).plans(searcher, queries, kAnyK);
      test::expect_exact(searcher, oracle_of(index), plans);
      if (HasFatalFailure()) return;
    }
  }

  static void expect_exact(const Collection& collection, unsigned seed,
                           const index::WriteOptions& options = {}) {
    const test::TemporaryDirectory directory;
    expect_exact(test::write_index(directory.path(), collection, options), seed);
  }
};

TEST_F(CudaPruned, CollectionsOfAnySize) {
  for (const std::uint32_t documents :
       {1u, 64u, 65u, 127u, 129u, 1023u, 1025u, 8191u, 8193u, 65537u, 300001u}) {
    SCOPED_TRACE(documents);
    expect_exact(test::random_collection(documents, kTerms, documents), documents);
    if (HasFatalFailure()) return;
  }
}

/// Several chunks, also of short lists that begin, end and pause anywhere.
TEST_F(CudaPruned, SeveralChunks) {
  const Collection collection =
      test::collection_of(1'200'000, 70, [](std::uint32_t t, std::uint32_t d) -> std::uint32_t {
        if (t < 3) return (d * 2654435761u >> 8) % (3 + 7 * t) == 0 ? 1 + d % 4 : 0;
        const bool there = d / 200'000 % 3 == t % 3 && d > 100'000 * (t - 3);
        return there && (d * 2654435761u >> 9) % (t * 100) == 0 ? 1 + d % 9 : 0;
      });
  expect_exact(collection, 3);
}

TEST_F(CudaPruned, HardCollections) {
  unsigned seed = 0;
  for (const auto& [name, collection] : test::hard_collections()) {
    SCOPED_TRACE(name);
    expect_exact(collection, ++seed);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaPruned, EveryCodec) {
  const Collection collection = test::random_collection(17000, kTerms, 21);
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    SCOPED_TRACE(codec.name);
    index::WriteOptions options;
    options.docid_codec = options.freq_codec = &codec;
    expect_exact(collection, 14, options);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaPruned, EveryScorer) {
  const test::TemporaryDirectory directory;
  const auto index = test::write_index(directory.path(), test::random_collection(40001, kTerms, 7));
  const Searcher searcher = searcher_of(index, 20);
  for (const ScorerInfo& scorer : all_scorers()) {
    SCOPED_TRACE(scorer.name);
    std::vector<Plan> plans;
    for (const char* text : {"t1 t2 t7 t9", "t3^0.01 t1 t1^500 t5", "+t3 +t1 t6", "t4 t2 -t1"}) {
      for (const std::uint32_t k : {1u, 10u, 300u}) {
        Query query;
        query.text = text;
        query.k = k;
        query.scorer = standard_scorer(scorer.id);
        plans.push_back(searcher.plan(query));
      }
    }
    Report report;
    test::expect_exact(searcher, oracle_of(index), plans, &report);
    EXPECT_GT(report.ranges_total, 0u);
  }
}

TEST_F(CudaPruned, SegmentsAndBatchSizesDoNotMatter) {
  const test::TemporaryDirectory directory;
  const Collection collection = test::random_collection(40001, kTerms, 7);
  const auto index =
      test::write_segments(directory.path(), collection, {1, 5000, 5064, 30000, 40001});
  const Searcher searcher = searcher_of(index, 20);
  const Searcher oracle = oracle_of(index);
  const std::vector<Plan> plans = Queries(10).plans(searcher, 300, kAnyK);
  test::expect_exact(searcher, oracle, plans);
  for (const std::size_t size : {1u, 2u, 33u, 129u}) {
    test::expect_exact(searcher, oracle, std::span(plans).subspan(7, size));
  }
}

/// More segments than are searched together, and some whose codecs are not alike.
TEST_F(CudaPruned, SeveralGroupsOfSegments) {
  const test::TemporaryDirectory directory;
  const Collection collection = test::random_collection(40001, kTerms, 7);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= 40; ++s) ends.push_back(s * 400);
  ends.insert(ends.end(), {30000, 33000, 36000, 40001});
  const auto index = test::write_segments(directory.path(), collection, ends,
                                          {"gpu-bp128", "gpu-bp128", "gpu-bp128", "gpu-dfor"});
  const Searcher searcher = searcher_of(index, 20);
  const Searcher oracle = oracle_of(index);
  for (const std::uint32_t k : {10u, 300u}) {
    SCOPED_TRACE(k);
    test::expect_exact(searcher, oracle, Queries(11).plans(searcher, 2500, {k}));
    if (HasFatalFailure()) return;
  }
}

/// Each segment has 32 terms that no other one has: as many as bounds take there, and more than
/// they take of all. Of the last segments, which are searched after the others, there are few.
TEST_F(CudaPruned, TermsOfTheirOwnInEachSegment) {
  const test::TemporaryDirectory directory;
  std::vector<std::uint32_t> ends;
  const test::Collection collection = test::terms_of_their_own(34, ends);
  const auto index = test::write_segments(directory.path(), collection, ends);
  for (const double bits : {1000.0, 1.0}) {
    const Searcher searcher = searcher_of(index, bits);
    std::vector<Plan> plans;
    for (const std::uint32_t terms : {31u, 33u, 100u, 34 * 32u}) {
      for (const char* sign : {" t", " +t", " -t"}) {
        Query query;
        query.k = 20;
        query.text = "t0";
        for (std::uint32_t t = 1; t < terms; ++t)
          query.text += (t % 7 == 3 ? sign : " t") + std::to_string(t);
        plans.push_back(searcher.plan(query));
      }
    }
    test::expect_exact(searcher, oracle_of(index), plans);
  }
}

/// More terms than the pruned search takes, and as many as it takes just so.
TEST_F(CudaPruned, QueriesOfManyTerms) {
  const test::TemporaryDirectory directory;
  const auto index = test::write_index(directory.path(), test::random_collection(20000, 60, 12));
  std::string text;
  for (const double bits : {1000.0, 1.0}) {
    const Searcher searcher = searcher_of(index, bits);
    std::vector<Plan> plans;
    for (std::uint32_t t = 0; t < 60; ++t) {
      text += "t" + std::to_string(t) + " ";
      for (const std::uint32_t k : {1u, 10u, 300u}) {
        Query query;
        query.text = text;
        query.k = k;
        plans.push_back(searcher.plan(query));
        query.text = "-t59 +t1 " + text;
        plans.push_back(searcher.plan(query));
      }
    }
    test::expect_exact(searcher, oracle_of(index), plans);
    text.clear();
  }
}

/// A plan's statistics need not be the index's; what is known for others is of no use for it.
TEST_F(CudaPruned, PlansOfAnotherCollection) {
  const test::TemporaryDirectory directory;
  const auto index = test::write_index(directory.path(), test::random_collection(40001, kTerms, 7));
  const Searcher searcher = searcher_of(index, 20);
  std::vector<Plan> plans;
  for (const std::uint64_t df : {1ull, 1000ull, 1ull << 40}) {
    Plan::Parts parts;
    parts.collection = {1ull << 40, 1ull << 43};
    parts.terms = {{"t2", df, 3}, {"t1", 1ull << 40, 1}, {"t5", 77, 100000}};
    parts.expression = {{Node::Kind::kTerm, 0},
                        {Node::Kind::kTerm, 1},
                        {Node::Kind::kTerm, 2},
                        {Node::Kind::kOr, 3}};
    plans.emplace_back(parts);
  }
  test::expect_exact(searcher, oracle_of(index), plans);
}

TEST_F(CudaPruned, ReportSaysWhatWasSkipped) {
  const test::TemporaryDirectory directory;
  const auto index =
      test::write_index(directory.path(), test::random_collection(400'010, kTerms, 7));
  const Searcher searcher = searcher_of(index, 20);
  Query query;
  query.text = "t1 t2 t7 t9";
  query.k = 10;
  const std::vector<Plan> plans(200, searcher.plan(query));
  Report report;
  searcher.search(plans, &report);
  EXPECT_EQ(report.ranges_total, 200 * ((400'010u + 63) / 64));
  EXPECT_GT(report.ranges_searched, 0u);
  EXPECT_LT(report.ranges_searched, report.ranges_total / 2);
  EXPECT_LT(report.tiles_decoded, report.tiles_total);
  EXPECT_GE(report.documents_scored, 200 * 10u);
  EXPECT_LT(report.documents_scored, report.postings / 50);
  EXPECT_GT(report.bounds_bytes, 0u);
  Report exhaustive;
  searcher.search(plans, &exhaustive, {.stop = {}, .exhaustive = true});
  EXPECT_EQ(exhaustive.ranges_total, 0u);
  const Searcher without = searcher_of(index, 0);
  without.search(plans, &exhaustive);
  EXPECT_EQ(exhaustive.ranges_total, 0u);
}

TEST_F(CudaPruned, BoundsOptionsOutOfRangeAreRefused) {
  const test::TemporaryDirectory directory;
  const auto index = test::write_index(directory.path(), test::random_collection(100, kTerms, 7));
  EXPECT_THROW(searcher_of(index, -1), UsageError);
  EXPECT_THROW(searcher_of(index, 2000), UsageError);
}

}  // namespace
}  // namespace gannet::query
