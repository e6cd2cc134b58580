// What bounds of phrases are made of: the pruned searches take contributions at weight 1 for
// those of a plan.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/bounds/contribution.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class PhraseBounds : public testing::Test {
 protected:
  PlanTerm term_of(const std::string& text, ScorerId scorer) const {
    Query query{.text = text};
    query.scorer = standard_scorer(scorer);
    plan_ = searcher_.plan(query);
    return plan_.terms()[0];
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_ = test::random_texts(2000, 1, 3);
  Searcher searcher_{
      test::build_texts(folder_.path() / "idx", documents_, test::texts_schema(1), {2000}),
      {.backend = BackendChoice::kCpu}};
  mutable Plan plan_;
};

TEST_F(PhraseBounds, AreMultiplesOfWhatTheScorerGives) {
  for (const ScorerId scorer : {ScorerId::kBm25, ScorerId::kBm25Plus, ScorerId::kTfIdf,
                                ScorerId::kDirichlet, ScorerId::kPl2, ScorerId::kDph}) {
    for (const char* const text : {"\"w0 w1\"^3", "\"w0 w2 w1\"^0.5", "\"w3 w3\"~4", "w0^2"}) {
      SCOPED_TRACE(std::string(text) + ", scorer " + std::to_string(static_cast<int>(scorer)));
      const PlanTerm term = term_of(text, scorer);
      const Contribution own(term), unit = Contribution::unit(plan_, term);
      const auto multiple = own.multiple_of(unit);
      ASSERT_TRUE(multiple);
      for (const std::uint32_t frequency : {1u, 2u, 7u}) {
        for (const std::uint32_t length : {7u, 30u, 900u}) {
          const double one = unit(frequency, length);
          EXPECT_NEAR(own(frequency, length), multiple->most * one, 1e-5 * multiple->most * one);
        }
      }
    }
  }
}

/// Phrases that as many documents have may have words of any idf.
TEST_F(PhraseBounds, AreOfTheWords) {
  PlanTerm term = term_of("\"w0 w1\"", ScorerId::kBm25);
  const TermStatistics before = Contribution::statistics_of(term);
  Plan::Parts parts{.scorer = plan_.scorer(),
                    .collection = plan_.collection_of(term),
                    .terms = {term},
                    .expression = {plan_.expression().front()}};
  parts.terms[0].phrase.words[0].document_frequency = term.document_frequency;
  const Plan rarer(std::move(parts));
  EXPECT_NE(Contribution::statistics_of(rarer.terms()[0]), before);
}

}  // namespace
}  // namespace gannet::query
