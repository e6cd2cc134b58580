// Pruned searches against exhaustive ones: same documents, same order, same score bits.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "codecs/registry.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::Collection;

constexpr std::uint32_t kTerms = 14;

Searcher searcher_of(std::shared_ptr<const index::Index> index, const CpuOptions& cpu) {
  SearcherOptions options;
  options.backend = BackendChoice::kCpu;
  options.cpu = cpu;
  return Searcher(std::move(index), options);
}

CpuOptions with_bits(double bits, unsigned threads = 1) {
  CpuOptions cpu;
  cpu.threads = threads;
  cpu.bounds_bits = bits;
  return cpu;
}

/// Queries of every shape over the terms t0 .. t13, for each k.
class Queries {
 public:
  explicit Queries(unsigned seed) : random_(seed) {}

  std::vector<Plan> plans(const Searcher& searcher, std::size_t number,
                          const std::vector<std::uint32_t>& ks) {
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < number; ++i) {
      Query query;
      query.text = text(i % 10);
      query.mode = i % 3 == 0 ? Mode::kAnd : Mode::kOr;
      query.k = ks[i % ks.size()];
      plans.push_back(searcher.plan(query));
    }
    return plans;
  }

 private:
  std::string word() { return "t" + std::to_string(random_() % (kTerms + 1)); }  // one is unknown

  std::string words(std::uint32_t n, const char* sign = "") {
    std::string text;
    for (std::uint32_t i = 0; i < n; ++i) text += sign + word() + ' ';
    return text;
  }

  std::string text(std::size_t shape) {
    const auto n = static_cast<std::uint32_t>(1 + random_() % 5);
    switch (shape) {
      case 0:
        return words(n) + "-" + word();
      case 1:
        return "+" + word() + " " + words(n);
      case 2:
        return words(2, "+") + words(n) + "-" + word();
      case 3:
        return "(" + word() + " OR " + word() + ") AND (" + word() + " OR " + word() + ")";
      case 4:
        return word() + " OR (" + word() + " AND NOT " + word() + ")";
      case 5:
        return words(12);  // with repeated terms
      case 6:              // terms that match and do not score
        return word() + "^0 " + words(n) + (n % 2 == 0 ? "+" : "") + word() + "^0";
      case 7:
        return "+(" + word() + "^0 " + word() + "^0) +" + word() + "^1e-6 " + word() + "^1e9";
      default:
        return words(n);
    }
  }

  std::mt19937 random_;
};

const std::vector<std::uint32_t> kAnyK{1, 2, 10, 64, 65, 100, 500, 1000, 1500, 100000};

/// Expects of `searcher` what it finds exhaustively.
void expect_exact(const Searcher& searcher, std::span<const Plan> plans, Report* report = nullptr) {
  const Results expected = searcher.search(plans, nullptr, {.stop = {}, .exhaustive = true});
  const Results results = searcher.search(plans, report);
  ASSERT_EQ(results.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    test::expect_same(results[i], expected[i], plans[i]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// A collection in which the documents of list t are those for which has(t, d) is > 0.
Collection collection_of(std::uint32_t documents, std::uint32_t length,
                         const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& has) {
  Collection collection;
  collection.lengths.assign(documents, length);
  for (std::uint32_t t = 0; t < kTerms; ++t) {
    std::vector<std::uint32_t> list(documents);
    for (std::uint32_t d = 0; d < documents; ++d) list[d] = has(t, d);
    if (std::ranges::any_of(list, [](std::uint32_t f) { return f > 0; })) {
      collection.frequencies["t" + std::to_string(t)] = std::move(list);
    }
  }
  return collection;
}

void expect_exact(const Collection& collection, unsigned seed, std::size_t queries = 160) {
  test::TemporaryDirectory directory;
  const auto index = test::write_index(directory.path(), collection);
  // All lists with bounds, some of them, hardly any.
  for (const double bits : {1000.0, 2.5, 0.2}) {
    SCOPED_TRACE(bits);
    const Searcher searcher = searcher_of(index, with_bits(bits));
    expect_exact(searcher, Queries(seed).plans(searcher, queries, kAnyK));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(PrunedSearch, CollectionsOfAnySize) {
  for (const std::uint32_t documents : {1u, 63u, 64u, 65u, 127u, 128u, 129u, 1023u, 1024u, 1025u,
                                        4095u, 4096u, 4097u, 16385u, 65537u}) {
    SCOPED_TRACE(documents);
    expect_exact(test::random_collection(documents, kTerms, documents), documents);
    if (HasFatalFailure()) return;
  }
}

TEST(PrunedSearch, AllScoresEqual) {
  expect_exact(
      collection_of(9000, 50,
                    [](std::uint32_t t, std::uint32_t d) { return d % (t + 1) == 0 ? 1u : 0u; }),
      1);
}

TEST(PrunedSearch, OneDocumentInAllLists) {
  expect_exact(collection_of(30000, 80,
                             [](std::uint32_t t, std::uint32_t d) {
                               return d == 20123 || d % kTerms == t ? 1u + d % 3 : 0u;
                             }),
               2);
}

TEST(PrunedSearch, ListsOfOneBesideAHugeOne) {
  expect_exact(collection_of(20000, 80,
                             [](std::uint32_t t, std::uint32_t d) {
                               return t == 0 || d == 1500 * t ? 1 + d % 7 : 0;
                             }),
               3);
}

TEST(PrunedSearch, DocumentsOfLengthZero) {
  Collection collection = test::random_collection(12000, kTerms, 4);
  for (std::uint32_t d = 0; d < collection.documents(); d += 3) collection.lengths[d] = 0;
  expect_exact(collection, 4);
  std::ranges::fill(collection.lengths, 0u);
  expect_exact(collection, 5);
}

TEST(PrunedSearch, FrequenciesAndLengthsOfAnySize) {
  Collection collection = test::random_collection(12000, kTerms, 6);
  std::mt19937 random(6);
  for (auto& [term, list] : collection.frequencies) {
    for (std::uint32_t& frequency : list) {
      if (frequency > 0 && random() % 8 == 0) frequency = 1u << random() % 20;
    }
  }
  for (std::uint32_t& length : collection.lengths) length = 1u << random() % 24;
  expect_exact(collection, 7);
}

TEST(PrunedSearch, ClustersAndEmptyRangesAtTheEnd) {
  expect_exact(collection_of(50000, 60,
                             [](std::uint32_t t, std::uint32_t d) {
                               return d < 40000 - 1000 * t && d / 700 % kTerms == t ? 1u + d % 5
                                                                                    : 0u;
                             }),
               8);
}

class PrunedSearchTest : public testing::Test {
 protected:
  PrunedSearchTest()
      : collection_(test::random_collection(40001, kTerms, 7)),
        index_(test::write_index(directory_.path(), collection_)) {}

  test::TemporaryDirectory directory_;
  Collection collection_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(PrunedSearchTest, EveryK) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
  std::vector<Plan> plans;
  for (std::uint32_t k = 1; k <= 1500; k += k < 70 ? 1 : 13) {
    for (const char* text : {"t1 t2 t7", "t3 t4", "t5", "+t2 t8 t1"}) {
      Query query;
      query.text = text;
      query.k = k;
      plans.push_back(searcher.plan(query));
    }
  }
  expect_exact(searcher, plans);
}

TEST_F(PrunedSearchTest, EveryLevelOfVectorInstructions) {
  for (const auto level :
       {codecs::SimdLevel::kPortable, codecs::SimdLevel::kAvx2, codecs::SimdLevel::kAvx512}) {
    SCOPED_TRACE(name_of(level));
    CpuOptions cpu = with_bits(20);
    cpu.simd = level;
    const Searcher searcher = searcher_of(index_, cpu);
    expect_exact(searcher, Queries(9).plans(searcher, 300, kAnyK));
  }
}

TEST_F(PrunedSearchTest, ParametersOfTheQueryCount) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
  std::vector<Plan> plans;
  for (const auto& [k1, b] :
       {std::pair(0.0f, 0.0f), std::pair(0.0f, 1.0f), std::pair(1.2f, 0.75f), std::pair(5.0f, 1.0f),
        std::pair(1e-9f, 0.5f), std::pair(1e9f, 1.0f)}) {
    for (const char* text : {"t1 t2 t7 t9", "t0 t1 t1 t1", "+t3 +t1 t6"}) {
      Query query;
      query.text = text;
      query.scorer = bm25(k1, b);
      plans.push_back(searcher.plan(query));
    }
  }
  expect_exact(searcher, plans);
}

TEST_F(PrunedSearchTest, EveryScorer) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
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
    expect_exact(searcher, plans, &report);
    EXPECT_GT(report.ranges_total, 0u);
  }
}

/// Plans may bring any statistics: a term's weight need not be what the index would give it.
TEST_F(PrunedSearchTest, PlansOfAnotherCollection) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
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
  expect_exact(searcher, plans);
}

TEST_F(PrunedSearchTest, ThreadsAndBatchSizesDoNotMatter) {
  for (const unsigned threads : {1u, 2u, 16u}) {
    const Searcher searcher = searcher_of(index_, with_bits(20, threads));
    const std::vector<Plan> plans = Queries(10).plans(searcher, 120, kAnyK);
    expect_exact(searcher, plans);
    for (std::size_t i = 0; i < plans.size(); i += 5) {
      expect_exact(searcher, std::span(plans).subspan(i, 1));
    }
  }
}

TEST_F(PrunedSearchTest, SegmentsDoNotMatter) {
  test::TemporaryDirectory directory;
  const auto segments =
      test::write_segments(directory.path(), collection_, {1, 5000, 5064, 30000, 40001});
  for (const unsigned threads : {1u, 4u}) {
    const Searcher searcher = searcher_of(segments, with_bits(20, threads));
    const std::vector<Plan> plans = Queries(11).plans(searcher, 200, kAnyK);
    expect_exact(searcher, plans);
    const Results whole =
        searcher_of(index_, with_bits(0)).search(plans);  // without bounds: exhaustive
    const Results parts = searcher.search(plans);
    for (std::size_t i = 0; i < plans.size(); ++i) test::expect_same(parts[i], whole[i], plans[i]);
  }
}

TEST_F(PrunedSearchTest, HundredsOfTerms) {
  const Collection collection = test::random_collection(5000, 300, 12);
  test::TemporaryDirectory directory;
  const Searcher searcher =
      searcher_of(test::write_index(directory.path(), collection), with_bits(1000));
  std::vector<Plan> plans;
  std::string text;
  for (std::uint32_t t = 0; t < 300; ++t) {
    text += "t" + std::to_string(t) + " ";
    if (t != 19 && t != 60 && t != 98 && t != 99 && t != 100 && t != 299) continue;
    for (const std::uint32_t k : {1u, 10u, 300u}) {
      Query query;
      query.text = text;
      query.k = k;
      plans.push_back(searcher.plan(query));
    }
  }
  expect_exact(searcher, plans);
}

TEST_F(PrunedSearchTest, ReportSaysWhatWasSkipped) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
  Query query;
  query.text = "t1 t2 t7 t9";
  query.k = 10;
  const Plan plan = searcher.plan(query);
  Report report;
  searcher.search(std::span(&plan, 1), &report);
  EXPECT_EQ(report.ranges_total, (40001u + 63) / 64);
  EXPECT_GT(report.ranges_searched, 0u);
  EXPECT_LT(report.ranges_searched, report.ranges_total / 2);
  EXPECT_LT(report.tiles_decoded, report.tiles_total);
  EXPECT_GE(report.documents_scored, 10u);
  EXPECT_LT(report.documents_scored, report.postings / 50);
  EXPECT_GT(report.bounds_bytes, 0u);
  EXPECT_GT(report.bounds_seconds, 0);
  const std::uint64_t bytes = report.bounds_bytes;
  Report exhaustive;
  searcher.search(std::span(&plan, 1), &exhaustive, {.stop = {}, .exhaustive = true});
  EXPECT_EQ(exhaustive.ranges_total, 0u);
  EXPECT_EQ(exhaustive.tiles_decoded, exhaustive.tiles_total);
  // They are there already.
  searcher.search(std::span(&plan, 1), &report);
  EXPECT_EQ(report.bounds_bytes, bytes);
}

TEST_F(PrunedSearchTest, BoundsOptionsOutOfRangeAreRefused) {
  EXPECT_THROW(searcher_of(index_, with_bits(-1)), UsageError);
  EXPECT_THROW(searcher_of(index_, with_bits(2000)), UsageError);
  EXPECT_THROW(searcher_of(index_, with_bits(std::nan(""))), UsageError);
}

TEST_F(PrunedSearchTest, StopRequestsEndACallAndTheNextOneWorks) {
  const Searcher searcher = searcher_of(index_, with_bits(20));
  const std::vector<Plan> plans = Queries(13).plans(searcher, 20, kAnyK);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(searcher.search(plans, nullptr, {.stop = source.get_token()}), CancelledError);
  expect_exact(searcher, plans);
}

TEST(PrunedSearch, EveryCodec) {
  const Collection collection = test::random_collection(17000, kTerms, 21);
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    SCOPED_TRACE(codec.name);
    test::TemporaryDirectory directory;
    index::WriteOptions options;
    options.docid_codec = options.freq_codec = &codec;
    const Searcher searcher =
        searcher_of(test::write_index(directory.path(), collection, options), with_bits(20));
    expect_exact(searcher, Queries(14).plans(searcher, 80, kAnyK));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gannet::query
