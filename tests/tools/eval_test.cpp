// gannet eval, as a user types it.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Eval : public ::testing::Test {
 protected:
  Output eval(const std::string& qrels, const std::string& run,
              std::vector<std::string> more = {}) const {
    write_file(folder_ / "qrels", qrels);
    write_file(folder_ / "run", run);
    more.insert(more.begin(), {"eval", "--qrels", folder_ / "qrels", "--run", folder_ / "run"});
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
};

// q1: relevant at ranks 1 and 3 of 2 relevant; q2: nothing found; q3 has no relevant document; q4
// is not judged.
constexpr const char* kQrels = "q1 0 a 1\nq1 0 c 1\nq1 0 b 0\nq2 0 a 1\nq3 0 a 0\n";
constexpr const char* kRun =
    "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq3 Q0 a 1 1 t\nq4 Q0 a 1 1 t\n";

TEST_F(Eval, ScoresARunByHand) {
  const Output text = eval(kQrels, kRun);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("mean of 2"));
  const Output json = eval(kQrels, kRun, {"--json", "--per-query"});
  EXPECT_EQ(json_at(json.out, "/queries"), "2");
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/map")), (1.0 + 2.0 / 3) / 2 / 2, 1e-9);
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/p@10")), 0.1, 1e-9);
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/recall@1000")), 0.5, 1e-9);
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/reciprocal_rank")), 0.5, 1e-9);
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/bpref")), 0.25, 1e-9);
  EXPECT_EQ(json_at(json.out, "/per_query/0/relevant_retrieved"), "2");
  EXPECT_EQ(json_at(json.out, "/per_query/0/judged_retrieved"), "3");
}

TEST_F(Eval, EitherFileMayBeStdin) {
  const std::string text = eval(kQrels, kRun).out;
  EXPECT_EQ(gannet({"eval", "--qrels", folder_ / "qrels", "--run", "-"}, kRun).out, text);
  EXPECT_EQ(gannet({"eval", "--qrels", "-", "--run", folder_ / "run"}, kQrels).out, text);
  const Output both = gannet({"eval", "--qrels", "-", "--run", "-"}, kRun);
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("cannot both be read from stdin"));
}

TEST_F(Eval, TopicsOfOneFileAloneAreCounted) {
  const Output text = eval(kQrels, kRun);
  EXPECT_THAT(text.err, HasSubstr("1 judged topic is not in the run: left out of the mean"));
  EXPECT_THAT(text.err, HasSubstr("1 topic of the run has no judgements: left out of the mean"));
  EXPECT_THAT(text.err, Not(HasSubstr("warning")));
  const Output json = eval(kQrels, kRun, {"--json"});
  EXPECT_EQ(json_at(json.out, "/topics_not_in_run"), "1");
  EXPECT_EQ(json_at(json.out, "/topics_not_judged"), "1");
  std::string many = kQrels;
  for (int i = 0; i < 1234; ++i) many += "x" + std::to_string(i) + " 0 a 1\n";
  EXPECT_THAT(eval(many, kRun).err, HasSubstr("1,235 judged topics are not in the run"));
  EXPECT_THAT(eval("1 0 a 1\n", "1 Q0 a 1 1 t\n").err, IsEmpty());
}

TEST_F(Eval, CompleteCountsTopicsThatTheRunLacks) {
  const Output text = eval(kQrels, kRun, {"--complete"});
  EXPECT_THAT(text.out, HasSubstr("mean of 3"));
  EXPECT_THAT(text.err, HasSubstr("1 judged topic is not in the run: counted as 0"));
  const Output json = eval(kQrels, kRun, {"--complete", "--json"});
  EXPECT_NEAR(std::stod(json_at(json.out, "/mean/map")), (1.0 + 2.0 / 3) / 2 / 3, 1e-9);
}

TEST_F(Eval, WithoutARelevantDocumentTheAnswerIsNo) {
  const Output none = eval("1 0 a 0\n2 0 a -1\n", "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("warning: the judgements have no relevant document"));
  EXPECT_THAT(none.out, HasSubstr("mean of 2"));
}

TEST_F(Eval, DocumentsThatAreAllUnknownAreAWarning) {
  const Output json = eval("1 0 a 1\n", "1 Q0 00a 1 1 t\n", {"--json"});
  EXPECT_EQ(json.code, 0);
  EXPECT_THAT(json_at(json.err, "/warning"), HasSubstr("no document of the run has a judgement"));
  EXPECT_THAT(json_at(json.out, "/warnings/0"), HasSubstr("no document of the run"));
}

TEST_F(Eval, WithoutACommonTopicTheFilesAreRefused) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--complete"}}) {
    const Output wrong = eval("301 0 a 1\n", "q1 Q0 a 1 1 t\n", more);
    EXPECT_EQ(wrong.code, 3);
    EXPECT_THAT(wrong.err, HasSubstr("no topic in common: the run begins with topic 'q1', the "
                                     "judgements begin with topic '301'"));
    EXPECT_THAT(eval("1 0 a 1\n", "", more).err, HasSubstr("the run has no topic"));
  }
}

TEST_F(Eval, TiesAreAsTrecEvalOrdersThemOrAsRanksDo) {
  const std::string run = "1 Q0 a 1 5.00000001 t\n1 Q0 b 2 5 t\n";
  const auto reciprocal = [&](std::vector<std::string> more) {
    more.emplace_back("--json");
    return json_at(eval("1 0 b 1\n", run, std::move(more)).out, "/mean/reciprocal_rank");
  };
  EXPECT_EQ(std::stod(reciprocal({})), 1);
  EXPECT_EQ(std::stod(reciprocal({"--ties", "trec_eval"})), 1);
  EXPECT_EQ(std::stod(reciprocal({"--ties", "rank"})), 0.5);
  EXPECT_EQ(eval("1 0 b 1\n", "1 Q0 b first 1 t\n").code, 0);
  EXPECT_EQ(eval("1 0 b 1\n", "1 Q0 b first 1 t\n", {"--ties", "rank"}).code, 3);
  EXPECT_EQ(eval("1 0 b 1\n", run, {"--ties", "docid"}).code, 2);
}

// Of each line, the columns at which the values begin.
TEST_F(Eval, ColumnsStayUnderTheirNamesWhateverTheIds) {
  const std::string id = "1_0000001_1_1-é日";
  const Output text =
      eval(id + " 0 a 1\n2 0 a 1\n", id + " Q0 a 1 1 t\n2 Q0 a 1 1 t\n", {"--per-query"});
  EXPECT_EQ(text.out,
            "query             MAP      nDCG@10  P@10     recall@1000  RR       bpref\n"
            "1_0000001_1_1-é日 1.0000   1.0000   0.1000   1.0000       1.0000   1.0000\n"
            "2                 1.0000   1.0000   0.1000   1.0000       1.0000   1.0000\n"
            "mean of 2         1.0000   1.0000   0.1000   1.0000       1.0000   1.0000\n");
}

TEST_F(Eval, MalformedFilesAreInputErrors) {
  const Output wrong = eval("q1 0 a 1\n", "q1 Q0 a 1 three t\n");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
  EXPECT_EQ(gannet({"eval", "--qrels", folder_ / "none", "--run", folder_ / "run"}).code, 4);
}

}  // namespace
}  // namespace gannet::test
