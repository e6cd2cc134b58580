// Pruned searches against exhaustive ones: same documents, same order, same score bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

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

/// Expects of `searcher` what it finds exhaustively.
void expect_exact(const Searcher& searcher, std::span<const Plan> plans, Report* report = nullptr) {
  test::expect_exact(searcher, searcher, plans, report);
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

TEST(PrunedSearch, HardCollections) {
  unsigned seed = 0;
  for (const auto& [name, collection] : test::hard_collections()) {
    SCOPED_TRACE(name);
    expect_exact(collection, ++seed);
    if (HasFatalFailure()) return;
  }
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

/// Ends of segments: of a few documents, of whole ranges, of windows and of any number.
std::vector<std::uint32_t> some_ends(std::mt19937& random, std::uint32_t documents) {
  const auto up_to = [&](std::uint32_t n) { return 1 + static_cast<std::uint32_t>(random() % n); };
  std::vector<std::uint32_t> ends;
  for (std::uint32_t end = 0; end < documents;) {
    const std::uint32_t sizes[] = {up_to(5), 64 * up_to(9), 4096, up_to(9000)};
    end = std::min(documents, end + sizes[random() % 4]);
    ends.push_back(end);
  }
  return ends;
}

TEST_F(PrunedSearchTest, SegmentsOfAnySizes) {
  std::mt19937 random(29);
  const Searcher whole = searcher_of(index_, with_bits(0));
  const std::vector<Plan> plans = Queries(30).plans(whole, 120, kAnyK);
  const Results expected = whole.search(plans, nullptr, {.exhaustive = true});
  for (const double bits : {1000.0, 2.5, 0.2}) {
    test::TemporaryDirectory directory;
    const auto ends = some_ends(random, collection_.documents());
    const auto segments = test::write_segments(directory.path(), collection_, ends);
    for (const unsigned threads : {1u, 2u, 8u}) {
      SCOPED_TRACE(testing::Message()
                   << bits << " bits, " << ends.size() << " segments, " << threads << " threads");
      const Searcher searcher = searcher_of(segments, with_bits(bits, threads));
      const Results found = searcher.search(plans);
      for (std::size_t i = 0; i < plans.size(); ++i) {
        test::expect_same(found[i], expected[i], plans[i]);
        if (i % 5 != 0) continue;
        const Results alone = searcher.search(std::span(plans).subspan(i, 1));
        test::expect_same(alone[0], expected[i], plans[i]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Segments share the first wave: an index that was added to is not searched again and again from
/// the start.
TEST_F(PrunedSearchTest, SegmentsCostNoMoreDocuments) {
  test::TemporaryDirectory directory;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t end = 4096; end < 40001; end += 4096) ends.push_back(end);
  ends.push_back(40001);
  const Searcher one = searcher_of(index_, with_bits(20));
  const auto segments = test::write_segments(directory.path(), collection_, ends);
  const Searcher ten = searcher_of(segments, with_bits(20));
  std::vector<Plan> plans;
  // (Of conjunctions, those with few postings in a segment are not pruned.)
  for (const char* text : {"t1 t2 t7 t9", "t3 t4", "t2 t5 t8 t11", "t6 t1 t12"}) {
    Query query;
    query.text = text;
    query.k = 10;
    plans.push_back(one.plan(query));
  }
  Report of_one, of_ten;
  one.search(plans, &of_one);
  ten.search(plans, &of_ten);
  EXPECT_LE(of_ten.ranges_searched, of_one.ranges_searched * 5 / 4);
  EXPECT_EQ(of_ten.ranges_total, of_one.ranges_total);
  Report of_each;
  for (std::size_t s = 0; s < segments->segments().size(); ++s) {
    Report report;
    const auto part = std::make_shared<const index::Index>(segments->part(s, s + 1));
    searcher_of(part, with_bits(20)).search(plans, &report);
    of_each.add(report);
  }
  EXPECT_LE(of_ten.documents_scored * 2, of_each.documents_scored);
  EXPECT_LE(of_ten.ranges_searched * 2, of_each.ranges_searched);
}

/// Queries of more terms than 16 bits have room for at 256 each; a few terms are worth the most.
TEST_F(PrunedSearchTest, ManyTermsPruneToo) {
  test::TemporaryDirectory directory;
  const Collection collection = test::random_collection(30001, 700, 41);
  const auto index = test::write_index(directory.path(), collection);
  for (const double bits : {1000.0, 2.5}) {
    const Searcher searcher = searcher_of(index, with_bits(bits));
    for (const std::uint32_t terms : {100u, 255u, 256u, 257u, 700u}) {
      SCOPED_TRACE(testing::Message() << bits << " bits, " << terms << " terms");
      std::vector<Plan> plans;
      for (const char* first : {"t11^300 t10^200", "t1", "t700^9", "+t3"}) {
        Query query;
        query.text = first;
        for (std::uint32_t t = 0; t < terms; ++t) query.text += " t" + std::to_string(t);
        for (const std::uint32_t k : {10u, 1000u}) {
          query.k = k;
          plans.push_back(searcher.plan(query));
        }
      }
      Report report;
      expect_exact(searcher, plans, &report);
      if (HasFatalFailure()) return;
      EXPECT_GT(report.ranges_total, 0u) << "none is pruned";
      EXPECT_LT(report.ranges_searched, report.ranges_total);
    }
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

/// A required list without bounds has so few documents that they are looked up in the others.
TEST_F(PrunedSearchTest, RequiredTermsWithFewPostingsAreNotPruned) {
  for (const bool bounds : {true, false}) {
    const Searcher searcher = searcher_of(index_, with_bits(bounds ? 1000 : 1e-9));
    std::vector<Plan> plans;
    for (const char* text : {"+t1 +t2", "+t3 +t1 t6", "+t2 t1 t7"}) {
      Query query;
      query.text = text;
      query.k = 10;
      plans.push_back(searcher.plan(query));
    }
    Report report;
    expect_exact(searcher, plans, &report);
    EXPECT_EQ(report.ranges_total, bounds ? plans.size() * ((40001u + 63) / 64) : 0u);
  }
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
