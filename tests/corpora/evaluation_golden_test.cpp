// Measures of an odd run, and the discounts of nDCG, bit by bit. The expected measures were
// computed by pytrec_eval (package pytrec-eval-terrier 0.5.11, which holds trec_eval 9), their
// means from them as trec_eval adds up. tests/python/test_trec_eval.py compares thousands of random
// runs where that package is installed.
#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "corpora/evaluation/discounts.hpp"
#include "corpora/evaluation/evaluate.hpp"

namespace gannet {
namespace {

using ::testing::ElementsAreArray;

// Grades below 0, a topic with no relevant document (3), one that the run lacks (4).
constexpr const char* kOddQrels =
    "1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 d 0\n1 0 e -1\n1 0 f 3\n"
    "10 0 a 1\n10 0 b 1\n10 0 c 0\n"
    "2 0 x 1\n2 0 y 0\n"
    "3 0 a 0\n3 0 b -1\n"
    "4 0 m 1\n"
    "5 0 é 2\n5 0 z 1\n5 0 p 0\n";

// Scores that are one float and two doubles (topic 1), 0 or infinite as floats (1 and 5); ranks
// that are none; equal scores; a topic of which no document is judged (2), and one that is not
// judged at all (9).
constexpr const char* kOddRun =
    "1 Q0 b 1 1.00000001 t\n1 Q0 a -3 1 t\n1 Q0 c x 0.99999999 t\n1 Q0 e 1.5 2e0 t\n"
    "1 Q0 u nan 1.5 t\n1 Q0 f 7 -1e-50 t\n1 Q0 d 8 0 t\n"
    "10 Q0 a 1 7 t\n10 Q0 c 2 7 t\n10 Q0 b 3 7 two words\n"
    "2 Q0 w 1 3 t\n2 Q0 v 2 2 t\n"
    "3 Q0 a 1 1 t\n"
    "5 Q0 z 1 1e39 t\n5 Q0 é 1 2e300 t\n5 Q0 p 1 3e300 t\n"
    "9 Q0 a 1 1 t\n";

struct TrecEvalRow {
  const char* query;
  /// map, recip_rank, bpref, P_5, P_10, recall_5, recall_10, ndcg_cut_5, ndcg_cut_10.
  std::vector<double> measures;
};

const std::vector<TrecEvalRow> kTrecEvalRows{
    {"1",
     {0.41111111111111115, 0.3333333333333333, 0.6666666666666666, 0.4, 0.3, 0.6666666666666666,
      1.0, 0.29124185733624136, 0.5156545179200125}},
    {"10",
     {0.5833333333333333, 0.5, 0.0, 0.4, 0.2, 1.0, 1.0, 0.6934264036172708, 0.6934264036172708}},
    {"2", std::vector<double>(9, 0.0)},
    {"3", std::vector<double>(9, 0.0)},
    {"5", {1.0, 1.0, 1.0, 0.4, 0.2, 1.0, 1.0, 1.0, 1.0}},
};
const std::vector<double> kTrecEvalMean{0.3988888888888889,
                                        0.36666666666666664,
                                        0.3333333333333333,
                                        0.24000000000000005,
                                        0.13999999999999999,
                                        0.5333333333333333,
                                        0.6,
                                        0.3969336521907024,
                                        0.4418161843074566};
const std::vector<double> kTrecEvalCompleteMean{0.33240740740740743,
                                                0.3055555555555555,
                                                0.27777777777777773,
                                                0.20000000000000004,
                                                0.11666666666666665,
                                                0.4444444444444444,
                                                0.5,
                                                0.33077804349225204,
                                                0.3681801535895472};

std::vector<double> listed(const corpora::Measures& measures) {
  const corpora::CutoffMeasures& at5 = measures.at_cutoff(5);
  const corpora::CutoffMeasures& at10 = measures.at_cutoff(10);
  return {measures.average_precision,
          measures.reciprocal_rank,
          measures.bpref,
          at5.precision,
          at10.precision,
          at5.recall,
          at10.recall,
          at5.ndcg,
          at10.ndcg};
}

corpora::Evaluation odd_evaluation(bool complete) {
  corpora::EvaluationOptions options;
  options.complete = complete;
  return corpora::evaluate(corpora::parse_run(kOddRun, "run"),
                           corpora::parse_qrels(kOddQrels, "qrels"), options);
}

TEST(TrecEval, AnOddRunHasItsMeasuresBitByBit) {
  const corpora::Evaluation evaluation = odd_evaluation(false);
  ASSERT_EQ(evaluation.queries.size(), kTrecEvalRows.size());
  for (std::size_t i = 0; i < kTrecEvalRows.size(); ++i) {
    EXPECT_EQ(evaluation.queries[i].query, kTrecEvalRows[i].query);
    EXPECT_THAT(listed(evaluation.queries[i].measures), ElementsAreArray(kTrecEvalRows[i].measures))
        << kTrecEvalRows[i].query;
  }
}

TEST(TrecEval, MeansAreOverCommonTopicsOrOverAllThatAreJudged) {
  EXPECT_THAT(listed(odd_evaluation(false).mean), ElementsAreArray(kTrecEvalMean));
  EXPECT_THAT(listed(odd_evaluation(true).mean), ElementsAreArray(kTrecEvalCompleteMean));
}

// trec_eval reads outside its memory where a topic has grades below 0 alone.
TEST(TrecEval, TopicsOfNegativeGradesAloneCountAsZero) {
  const corpora::Evaluation evaluation = corpora::evaluate(
      corpora::parse_run("1 Q0 a 1 2 t\n", "run"), corpora::parse_qrels("1 0 a -2\n", "qrels"));
  ASSERT_EQ(evaluation.queries.size(), 1u);
  EXPECT_EQ(listed(evaluation.mean), std::vector<double>(9, 0.0));
}

TEST(Discounts, AreTheNearestDoublesToTheLogarithms) {
  const std::vector<double> discounts = corpora::rank_discounts(100'000);
  ASSERT_EQ(discounts.size(), 100'000u);
  for (int power = 1; power <= 16; ++power) EXPECT_EQ(discounts[(1u << power) - 2], power);
  // By Python's decimal with 60 digits.
  EXPECT_EQ(discounts[3 - 2], 0x1.95c01a39fbd68p+0);
  EXPECT_EQ(discounts[7 - 2], 0x1.675767f54042dp+1);
  EXPECT_EQ(discounts[11 - 2], 0x1.bacea7c065d42p+1);
  EXPECT_EQ(discounts[1001 - 2], 0x1.3ef3847bb10e8p+3);
  EXPECT_EQ(discounts[65537 - 2], 0x1.000017153bda9p+4);
  EXPECT_EQ(discounts[99999 - 2], 0x1.09c1073e06f1cp+4);
  for (std::size_t i = 0; i < discounts.size(); ++i) {
    EXPECT_DOUBLE_EQ(discounts[i], std::log2(static_cast<double>(i) + 2)) << i;
  }
}

}  // namespace
}  // namespace gannet
