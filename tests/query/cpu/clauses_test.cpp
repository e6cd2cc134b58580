// Plans of clauses: words over several texts. Each way of searching them gives the same, and what
// explanations say of each document by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "query/explain.hpp"
#include "query/results/hits.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/query/text_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {
namespace {

query::Searcher searcher_of(std::shared_ptr<const index::Index> index, double bits,
                            unsigned threads = 2) {
  query::SearcherOptions options;
  options.backend = query::BackendChoice::kCpu;
  options.cpu.threads = threads;
  options.cpu.bounds_bits = bits;
  options.cpu.bitmap_bits = bits;
  return query::Searcher(std::move(index), options);
}

query::Results search_one(const query::Searcher& searcher, const query::Plan& plan,
                          query::Report* report = nullptr) {
  return searcher.search(std::span(&plan, 1), report);
}

class ClausesTest : public testing::Test {
 protected:
  std::shared_ptr<const index::Index> build(std::size_t documents, std::uint32_t fields,
                                            const std::vector<std::size_t>& ends, unsigned seed) {
    documents_ = random_texts(documents, fields, seed);
    return build_texts(folder_ / std::to_string(seed), documents_, texts_schema(fields), ends);
  }

  TemporaryDirectory folder_;
  std::vector<TextsDocument> documents_;
};

/// All matches of a plan, best first, each by its explanation.
std::vector<std::uint64_t> explained(const index::Index& index, const query::Plan& plan) {
  std::vector<std::uint64_t> keys;
  for (index::Docid d = 0; d < index.statistics().documents; ++d) {
    const query::Explanation made = query::explain(index, plan, d);
    if (made.matches) keys.push_back(query::rank_key(std::bit_cast<std::uint32_t>(made.score), d));
  }
  std::ranges::sort(keys, std::greater<>());
  return keys;
}

TEST_F(ClausesTest, EachSearchFindsWhatExplanationsSay) {
  for (const std::uint32_t fields : {1u, 3u}) {
    const auto index = build(330, fields, {100, 330}, 80 + fields);
    const auto some = with_deleted(*index, random_deletions(330, 0.1, 3, 40, 60));
    const query::Searcher pruned = searcher_of(some, 1000);
    const query::Searcher exhaustive = searcher_of(some, 0);
    TextQueries queries(fields, 90 + fields);
    for (int round = 0; round < 250; ++round) {
      query::Query query = queries.next();
      const query::Plan plan = pruned.plan(query);
      SCOPED_TRACE(query.text + "\n" + to_string(plan));
      const std::vector<std::uint64_t> expected = explained(*some, plan);
      for (const query::Searcher* searcher : {&pruned, &exhaustive}) {
        const query::Results results = search_one(*searcher, plan);
        const query::ResultView found = results[0];
        ASSERT_EQ(found.docids.size(), std::min<std::size_t>(expected.size(), plan.k()));
        for (std::size_t i = 0; i < found.docids.size(); ++i) {
          const auto bits = std::bit_cast<std::uint32_t>(found.scores[i]);
          ASSERT_EQ(query::rank_key(bits, found.docids[i]), expected[i]) << i;
        }
        const query::Plan count = plan.with_want(query::Want::kCount);
        const query::Results counted = search_one(*searcher, count);
        EXPECT_EQ(counted[0].count, expected.size());
      }
    }
  }
}

/// Larger collections, where lists have bounds or not; every segmentation gives the same.
TEST_F(ClausesTest, PrunedSearchesFindWhatExhaustiveOnesDo) {
  for (const std::uint32_t fields : {1u, 3u}) {
    const auto whole = build(6000, fields, {6000}, 60 + fields);
    const auto parts = build_texts(folder_ / "parts" / std::to_string(fields), documents_,
                                   texts_schema(fields), {64, 1500, 6000});
    const std::vector<bool> gone = random_deletions(6000, 0.05, 5, 1000, 1200);
    for (const bool deletions : {false, true}) {
      const auto one = deletions ? with_deleted(*whole, gone) : whole;
      const auto three = deletions ? with_deleted(*parts, gone) : parts;
      const query::Searcher oracle = searcher_of(one, 0);
      TextQueries queries(fields, 70 + fields);
      std::vector<query::Plan> plans;
      for (int i = 0; i < 400; ++i) plans.push_back(oracle.plan(queries.next()));
      const query::Results expected = oracle.search(plans);
      for (const double bits : {1000.0, 6.0}) {
        for (const auto& index : {one, three}) {
          query::Report report;
          const query::Results found = searcher_of(index, bits).search(plans, &report);
          EXPECT_GT(report.ranges_total, 0u);
          for (std::size_t i = 0; i < plans.size(); ++i) {
            SCOPED_TRACE(testing::Message() << bits << " bits");
            expect_same(found[i], expected[i], plans[i]);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

query::Report report_of(const query::Searcher& searcher, const query::Query& query) {
  query::Report report;
  search_one(searcher, searcher.plan(query), &report);
  return report;
}

/// Texts of which some stretches have `red`, others `blue`, few both; one in fifty has a word in
/// its title, and some documents more of both than others.
std::vector<TextsDocument> stretches(std::size_t documents) {
  std::mt19937 random(17);
  std::vector<TextsDocument> all(documents);
  for (std::size_t d = 0; d < documents; ++d) {
    const bool much = random() % 900 == 0;
    std::string text = random() % 8 == 0 ? "gray" : "";
    if (d / 200 % 7 < 2 && random() % 3 == 0) text += " red";
    if (d / 200 % 7 > 0 && random() % 3 == 0) text += " blue";
    if (much) text += " red red red blue blue";
    for (std::size_t n = 5 + random() % 30; n > 0; --n) text += " x";
    const std::string title = random() % 50 == 0 ? "red" : random() % 50 == 0 ? "blue sky" : "sky";
    all[d].texts = {text, title + (much ? " red blue" : "")};
  }
  return all;
}

TEST_F(ClausesTest, AndsAndWordsOfBm25FSkip) {
  documents_ = stretches(40000);
  const auto index = build_texts(folder_ / "skip", documents_, texts_schema(1), {40000});
  const query::Searcher searcher = searcher_of(index, 1000);
  for (const auto scorer : {query::ScorerId::kBm25, query::ScorerId::kBm25F}) {
    for (const auto mode : {query::Mode::kAnd, query::Mode::kOr}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(scorer) << static_cast<int>(mode));
      const query::Report report = report_of(
          searcher,
          {.text = "red blue", .mode = mode, .k = 10, .scorer = query::standard_scorer(scorer)});
      EXPECT_GT(report.ranges_total, 0u);
      EXPECT_LT(report.ranges_searched * 4, report.ranges_total * 3);
      EXPECT_LT(report.documents_scored * 10, report.postings);
    }
  }
  // A range in which the clause of `red` has nothing is not looked at, whatever `x` could add.
  const query::Report both = report_of(searcher, {.text = "+red +x", .k = 40000});
  EXPECT_GT(both.ranges_searched, 0u);
  EXPECT_LT(both.ranges_searched * 10, both.ranges_total * 9);
}

/// The documents of the rarest clause are looked up in the lists of the others.
TEST_F(ClausesTest, CountsStartFromTheRarestClause) {
  documents_ = stretches(20000);
  for (std::size_t d = 100; d < documents_.size(); d += 1500) documents_[d].texts[d % 2] += " odd";
  const auto index = build_texts(folder_ / "counts", documents_, texts_schema(1), {20000});
  const query::Searcher searcher = searcher_of(index, 1000);
  const query::Report report = report_of(
      searcher, {.text = "x odd", .mode = query::Mode::kAnd, .want = query::Want::kCount});
  EXPECT_LT(report.tiles_decoded * 2, report.tiles_total);
  EXPECT_GT(report.tiles_total, 100u);
}

}  // namespace
}  // namespace gannet::test
