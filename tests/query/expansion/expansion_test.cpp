// Expansions as users write them.
#include "query/options/expansion.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "codecs/base/error.hpp"
#include "query/expansion/feedback.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

std::string problem_of(std::string_view name, std::string_view parameters) {
  try {
    parse_expansion(name, parameters);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(ParseExpansion, DefaultsAreThoseOfTheLiterature) {
  const Expansion rm3 = parse_expansion("rm3");
  EXPECT_EQ(rm3, Expansion{});
  EXPECT_EQ(rm3.documents, 10u);
  EXPECT_EQ(rm3.terms, 10u);
  EXPECT_EQ(rm3.weight, 0.5);
  EXPECT_EQ(rm3.max_document_share, 0.1);
  const Expansion rocchio = parse_expansion("rocchio");
  EXPECT_EQ(rocchio.method, ExpansionMethod::kRocchio);
  EXPECT_EQ(rocchio.alpha, 1);
  EXPECT_EQ(rocchio.beta, 0.75);
}

TEST(ParseExpansion, ParametersAreSet) {
  const Expansion rm3 = parse_expansion(
      "rm3",
      "docs=5,terms=20,weight=0.25,max-df=1,min-length=1,max-length=9,chars=ascii,doc-terms=7");
  EXPECT_EQ(rm3, (Expansion{.documents = 5,
                            .terms = 20,
                            .weight = 0.25,
                            .max_document_share = 1,
                            .min_length = 1,
                            .max_length = 9,
                            .ascii_only = true,
                            .document_terms = 7}));
  const Expansion rocchio = parse_expansion("rocchio", "alpha=0.5,beta=2,chars=any");
  EXPECT_EQ(rocchio.alpha, 0.5);
  EXPECT_EQ(rocchio.beta, 2);
}

TEST(ParseExpansion, AnserinisRm3HasItsValues) {
  Expansion expected{.documents = 10,
                     .terms = 10,
                     .weight = 0.5,
                     .max_document_share = 0.1,
                     .min_length = 2,
                     .max_length = 20,
                     .ascii_only = true,
                     .document_terms = 10};
  EXPECT_EQ(parse_expansion("rm3:anserini"), expected);
  EXPECT_NE(parse_expansion("rm3:anserini"), parse_expansion("rm3"));
  expected.terms = expected.document_terms = 25;
  EXPECT_EQ(parse_expansion("rm3:anserini", "terms=25"), expected);
  expected.document_terms = 7;
  EXPECT_EQ(parse_expansion("rm3:anserini", "doc-terms=7,terms=25"), expected);
  EXPECT_EQ(parse_expansion("rm3:anserini", "chars=any,doc-terms=0"), parse_expansion("rm3"));
  EXPECT_THAT(problem_of("rm3:anserini", "alpha=1"), HasSubstr("no parameter is called 'alpha'"));
  EXPECT_THAT(problem_of("rocchio:anserini", ""), HasSubstr("'rocchio:anserini'; there are"));
}

// Anserini's Rm3Reranker step by step, with two terms of each document and two in all. Of document
// 0 (score 2) solar 3 and coal 2 count, the latter before wind, which is as frequent; of document 1
// (score 1) tide 4 and sun 1. What is frequent, short, long or no ASCII word never counts.
TEST(ParseExpansion, AnserinisRm3ByHand) {
  const Expansion expansion = parse_expansion("rm3:anserini", "terms=2");
  DocumentVectors vectors;
  vectors.vocabulary = {{"coal", 10}, {"s", 1},    {"solar", 5}, {"sun", 1}, {"the", 11},
                        {"tide", 1},  {"wind", 1}, {"x-ray", 1}, {"über", 1}};
  vectors.terms = {{0, 2}, {1, 9}, {2, 3}, {4, 9}, {6, 2}, {7, 9}, {8, 9}, {3, 1}, {5, 4}};
  vectors.offsets = {0, 7, 9};
  const std::vector<char> usable = usable_terms(vectors.vocabulary, expansion, 100);
  Feedback feedback(vectors, usable, expansion);
  const std::vector<FeedbackDocument> best{{0, 2.0f}, {1, 1.0f}};
  const std::vector<WeightedTerm> terms = feedback(best, {});
  const double solar = 3.0 / 5 * 2, tide = 4.0 / 5 * 1, coal = 2.0 / 5 * 2;
  ASSERT_EQ(tide, coal) << "of equal ones the first by text";
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].term, 2u);
  EXPECT_DOUBLE_EQ(terms[0].weight, solar / (solar + coal));
  EXPECT_EQ(terms[1].term, 0u);
  EXPECT_DOUBLE_EQ(terms[1].weight, coal / (solar + coal));
}

TEST(ParseExpansion, WhatIsWrittenIsReadBack) {
  for (const Expansion& expansion :
       {Expansion{}, Expansion{.documents = 3, .weight = 0.1, .ascii_only = true},
        Expansion{.method = ExpansionMethod::kRocchio, .terms = 0, .alpha = 0.3, .beta = 1e-3}}) {
    const std::string text = to_string(expansion);
    const std::size_t space = text.find(' ');
    EXPECT_EQ(parse_expansion(text.substr(0, space), text.substr(space + 1)), expansion) << text;
  }
}

TEST(ParseExpansion, MistakesAreNamedWithWhatThereIs) {
  EXPECT_THAT(problem_of("rm4", ""), HasSubstr("'rm4'; there are rm3, rm3:anserini, rocchio"));
  EXPECT_THAT(problem_of("rm3", "doc=3"), HasSubstr("'doc'; there are docs (a whole number"));
  EXPECT_THAT(problem_of("rm3", "alpha=1"), HasSubstr("no parameter is called 'alpha'"));
  EXPECT_THAT(problem_of("rocchio", "weight=1"), HasSubstr("no parameter is called 'weight'"));
  EXPECT_THAT(problem_of("rm3", "docs=3,"), HasSubstr("no parameter is called ''"));
  EXPECT_THAT(problem_of("rm3", "docs"), HasSubstr("docs must be"));
  EXPECT_EQ(problem_of("rm3", "docs=0"),
            "rm3: docs must be a whole number between 1 and 1000, not '0'");
  EXPECT_THAT(problem_of("rm3", "docs=2.5"), HasSubstr("not '2.5'"));
  EXPECT_THAT(problem_of("rm3", "docs=-1"), HasSubstr("not '-1'"));
  EXPECT_THAT(problem_of("rm3", "terms=1001"), HasSubstr("between 0 and 1000, not '1001'"));
  EXPECT_THAT(problem_of("rm3", "weight=1.01"), HasSubstr("between 0 and 1, not '1.01'"));
  EXPECT_THAT(problem_of("rm3", "weight=nan"), HasSubstr("between 0 and 1, not 'nan'"));
  EXPECT_THAT(problem_of("rm3", "max-df=10%"), HasSubstr("not '10%'"));
  EXPECT_THAT(problem_of("rm3", "chars=utf8"), HasSubstr("one of any, ascii, not 'utf8'"));
  EXPECT_THAT(problem_of("rm3", "min-length=9,max-length=8"), HasSubstr("is more than"));
  EXPECT_THAT(problem_of("rocchio", "alpha=0,beta=0"), HasSubstr("cannot both be 0"));
}

TEST(ExpansionProblem, KnowsWhatProgramsGetWrong) {
  EXPECT_EQ(expansion_problem({}), std::nullopt);
  EXPECT_THAT(expansion_problem({.documents = 0}).value_or(""), HasSubstr("docs must be"));
  EXPECT_THAT(expansion_problem({.weight = std::nan("")}).value_or(""), HasSubstr("weight must"));
  EXPECT_THAT(expansion_problem({.method = static_cast<ExpansionMethod>(9)}).value_or(""),
              HasSubstr("there are rm3, rm3:anserini, rocchio"));
}

}  // namespace
}  // namespace gannet::query
