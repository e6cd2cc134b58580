// Scorers as users write them.
#include "query/scoring/base/scorer_spec.hpp"

#include <gmock/gmock.h>

#include <set>

#include "codecs/base/error.hpp"

namespace gannet::query {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(std::string_view name, std::string_view parameters) {
  try {
    parse_scorer(name, parameters, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ScorerSpec, NamesAreDistinctAndDefaultsInRange) {
  std::set<std::string_view> names;
  for (const ScorerInfo& scorer : all_scorers()) {
    EXPECT_TRUE(names.insert(scorer.name).second);
    EXPECT_EQ(find_scorer(scorer.name), &scorer);
    EXPECT_EQ(find_scorer(scorer.id), &scorer);
    const ScorerSpec standard = standard_scorer(scorer.id);
    EXPECT_FALSE(scorer_problem(standard)) << scorer.name;
    EXPECT_EQ(parse_scorer(scorer.name, "", {}), standard);
    EXPECT_EQ(parse_scorer(scorer.name, parameters_of(standard), {}), standard);
  }
  EXPECT_EQ(standard_scorer(ScorerId::kBm25), ScorerSpec{});
}

TEST(ScorerSpec, ParametersAreReadAndPrinted) {
  const ScorerSpec spec = parse_scorer("bm25", "k1=1.25,norm=lucene", {});
  EXPECT_EQ(to_string(spec), "bm25 k1=1.25,b=0.4,idf=lucene,norm=lucene");
  EXPECT_EQ(to_string(parse_scorer("dph", "", {})), "dph");
  EXPECT_EQ(to_string(parse_scorer("dirichlet", "mu=2500", {})), "dirichlet mu=2500");
  EXPECT_EQ(parse_scorer("bm25", "k1=0.1,k1=0.2", {}), bm25(0.2f, 0.4f)) << "the last one counts";
}

TEST(ScorerSpec, WhatIsNotSaidComesFromTheDefaults) {
  const ScorerSpec defaults = bm25(1.2f, 0.75f);
  EXPECT_EQ(parse_scorer("", "", defaults), defaults);
  EXPECT_EQ(parse_scorer("", "b=0.5", defaults), bm25(1.2f, 0.5f));
  EXPECT_EQ(parse_scorer("bm25", "b=0.5", defaults), bm25(1.2f, 0.5f));
  EXPECT_EQ(parse_scorer("bm25plus", "", defaults), standard_scorer(ScorerId::kBm25Plus));
}

TEST(ScorerSpec, MistakesAreNamed) {
  EXPECT_THAT(error_of("bm52", ""), AllOf(HasSubstr("'bm52'"), HasSubstr("jelinek-mercer")));
  EXPECT_THAT(error_of("bm25", "mu=1"), AllOf(HasSubstr("'mu'"), HasSubstr("k1 (between 0")));
  EXPECT_THAT(error_of("dph", "c=1"), HasSubstr("it has none"));
  EXPECT_THAT(error_of("bm25", "b=2"), HasSubstr("b must be between 0 and 1, not '2'"));
  EXPECT_THAT(error_of("bm25", "idf=terrier"), HasSubstr("one of lucene, robertson"));
  for (const char* wrong : {"b", "b=", "b=x", "b=nan", "b=inf", "b=0.5 ", "b=0.5,", ",", "=1",
                            "b=1e99", "b=0x1", "idf=0", "b=-0.1", "b=0.5=0.5"}) {
    EXPECT_NE(error_of("bm25", wrong), "") << wrong;
  }
}

TEST(ScorerSpec, ProblemsOfSpecsMadeByHandAreFound) {
  EXPECT_TRUE(scorer_problem({static_cast<ScorerId>(99), {}}));
  EXPECT_TRUE(scorer_problem({ScorerId::kDph, {1, 0, 0, 0}}));
  EXPECT_TRUE(scorer_problem({ScorerId::kBm25, {1, 0.4f, 0.5f, 0}}));
  EXPECT_TRUE(scorer_problem({ScorerId::kBm25, {1, 0.4f, 2, 0}}));
  EXPECT_FALSE(scorer_problem({ScorerId::kBm25, {1, 0.4f, 1, 1}}));
}

}  // namespace
}  // namespace gannet::query
