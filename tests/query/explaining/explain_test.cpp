// An explanation adds up to the score of the search, bit for bit, and says why documents do not
// match.
#include "query/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/evaluate_text.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using IndexPointer = std::shared_ptr<const index::Index>;

Searcher cpu(const IndexPointer& index) {
  return Searcher(index, {.backend = BackendChoice::kCpu});
}

/// The text of a formula has the value of what it explains.
void expect_formula(const std::string& formula, float contribution, float weight) {
  if (contribution == 0) {
    EXPECT_EQ(formula, "");
    return;
  }
  const double value = test::evaluate_text(formula);
  // The numbers of a formula are rounded, and differences of them lose digits.
  const double scale = std::max({1.0, double{weight}, std::abs(value)});
  EXPECT_NEAR(value, contribution, 1e-3 * scale) << formula;
}

/// The explanations of all documents say what the search finds of the plan.
void expect_explained(const Searcher& searcher, const Plan& plan) {
  const Plan all = plan.with_want(Want::kTopK).with_k(0xffffffff);
  const Results results = searcher.search({&all, 1});
  std::map<index::Docid, std::uint32_t> found;
  for (const Hit hit : results[0].hits())
    found[hit.docid] = std::bit_cast<std::uint32_t>(hit.score);
  for (index::Docid d = 0; d < searcher.index().statistics().documents; ++d) {
    const Explanation made = explain(searcher.index(), plan, d);
    ASSERT_EQ(made.matches, found.contains(d)) << to_string(plan) << "document " << d;
    ASSERT_EQ(made.matches, made.mismatches.empty());
    for (const ExplainedTerm& term : made.terms) {
      expect_formula(term.formula, term.contribution, term.weight);
    }
    for (const ExplainedWord& word : made.words) {
      expect_formula(word.formula, word.contribution, word.weight);
    }
    if (!made.matches) continue;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(made.score), found[d]) << to_string(plan) << " " << d;
  }
}

TEST(Explain, AddsUpToTheScoreForEveryScorerAndShapeOfQuery) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(400, test::kTerms, 1);
  const Searcher searcher = cpu(test::write_segments(folder / "idx", collection, {64, 130, 400}));
  for (const ScorerInfo& scorer : all_scorers()) {
    SCOPED_TRACE(std::string(scorer.name));
    // Frequencies of this index are no impacts, but plans of kImpact run on it all the same.
    for (const Plan& plan :
         test::Queries(7 + static_cast<unsigned>(scorer.id)).plans(searcher, 30, {10})) {
      Plan::Parts parts{Want::kTopK, 10, standard_scorer(scorer.id), plan.collection(), {}, {}};
      for (QueryTerm term : plan.terms()) {
        for (const auto& segment : searcher.index().segments()) {
          const auto id = segment->find(term.key());
          if (id) term.collection_frequency += segment->collection_frequency(*id);
        }
        parts.terms.push_back(std::move(term));
      }
      parts.expression = plan.expression();
      expect_explained(searcher, Plan(std::move(parts)));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// A shard explains by the plan of the whole what the whole explains.
TEST(Explain, IsTheSameInAShard) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(400, test::kTerms, 6);
  const IndexPointer whole = test::write_segments(folder / "idx", collection, {64, 130, 400});
  const index::Index shard = whole->part(1, 3);
  for (const Plan& plan : test::Queries(8).plans(cpu(whole), 30, {10})) {
    for (index::Docid d = 0; d < shard.statistics().documents; ++d) {
      const Explanation mine = explain(shard, plan, d);
      const Explanation all = explain(*whole, plan, d + 64);
      ASSERT_EQ(mine.matches, all.matches);
      ASSERT_EQ(std::bit_cast<std::uint32_t>(mine.score), std::bit_cast<std::uint32_t>(all.score));
    }
  }
}

TEST(Explain, KnowsFiltersAndDeletedDocuments) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(300, test::kTerms, 2);
  const auto fields = test::random_fields(300, 2);
  const IndexPointer whole =
      test::with_fields(*test::write_segments(folder / "idx", collection, {100, 300}), fields);
  const Searcher searcher = cpu(test::with_deleted(*whole, test::random_deletions(300, 0.2, 3)));
  test::RandomFilters filters(fields, 2);
  for (const Plan& plan : test::Queries(5).plans(searcher, 60, {10})) {
    Plan::Parts parts{Want::kTopK, 10, plan.scorer(), plan.collection(), {}, {}, filters.next()};
    parts.terms.assign(plan.terms().begin(), plan.terms().end());
    parts.expression = plan.expression();
    expect_explained(searcher, Plan(std::move(parts)));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Explain, KnowsExpansion) {
  const test::TemporaryDirectory folder;
  const auto collection = test::random_collection(500, test::kTerms, 3);
  const Searcher searcher = cpu(test::write_segments(folder / "idx", collection, {200, 500}));
  const std::vector<Plan> plans{searcher.plan({.text = "t1 t2"}),
                                searcher.plan({.text = "+t3 -t4"})};
  for (const Plan& plan : searcher.expand(plans, parse_expansion("rm3"))) {
    expect_explained(searcher, plan);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Explain, KnowsTextsAndBm25F) {
  const test::TemporaryDirectory folder;
  const auto documents = test::random_texts(400, 2, 4);
  const Searcher searcher =
      cpu(test::build_texts(folder / "idx", documents, test::texts_schema(2), {150, 400}));
  const ScorerSpec standard = standard_scorer(ScorerId::kBm25);
  for (const char* const scorer : {"bm25", "bm25f", "pl2"}) {
    for (const char* const text : {"w0 w3 w7", "+w1 w2^2.5 -w4", "w5 AND (w6 OR NOT w1)"}) {
      const Query query{
          .text = text,
          .search_fields = {{"contents", 1}, {searcher.index().schema().fields()[0].name, 2}},
          .scorer = parse_scorer(scorer, "", standard)};
      expect_explained(searcher, searcher.plan(query));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

class Mismatches : public ::testing::Test {
 protected:
  /// Why the document, which has t0 and t1 alone, does not match.
  std::vector<std::string> reasons(const std::string& text) const {
    std::vector<std::string> made;
    for (const Mismatch& mismatch :
         explain(searcher_.index(), searcher_.plan({.text = text}), 0).mismatches) {
      made.push_back(to_string(mismatch));
    }
    return made;
  }

  test::TemporaryDirectory folder_;
  Searcher searcher_ = cpu(test::write_segments(
      folder_ / "idx",
      test::collection_of(2, 10, [](auto t, auto d) { return d == 1 || t < 2 ? 1u : 0u; }), {2}));
};

TEST_F(Mismatches, AreNamed) {
  EXPECT_THAT(reasons("t0"), ElementsAre());
  EXPECT_THAT(reasons("+t0 +t5"), ElementsAre("a required term is missing: t5"));
  EXPECT_THAT(reasons("t0 -t1"), ElementsAre("it has what the query excludes: t1"));
  EXPECT_THAT(reasons("t5 t6"), ElementsAre("it has none of these, and one is required: t5, t6"));
  EXPECT_THAT(reasons("+t5 -t1"), UnorderedElementsAre("a required term is missing: t5",
                                                       "it has what the query excludes: t1"));
  EXPECT_THAT(reasons("t0 AND NOT (t1 OR t6)"), ElementsAre("it has what the query excludes: t1"));
  EXPECT_THAT(reasons("t5 OR (t6 AND NOT t1)"), ElementsAre(HasSubstr("t5")));
  EXPECT_THAT(reasons("!"), ElementsAre("the query matches no document"));
}

TEST_F(Mismatches, NeedADocument) {
  EXPECT_THROW(explain(searcher_.index(), searcher_.plan({.text = "t0"}), 2), UsageError);
}

}  // namespace
}  // namespace gannet::query
