// gannet run, as a user types it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class Run : public ::testing::Test {
 protected:
  Output run(std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"run", "--index", index_, "--topics", topics_, "--output", run_, "--overwrite"});
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
  std::string topics_ = folder_ / "topics.tsv";
  std::string run_ = folder_ / "out.run";
};

TEST_F(Run, WritesATrecRunFileAndSaysHowFast) {
  write_file(topics_, "q1\tgannets\nq2\tcats and dogs\nq3\tzebra\n");
  const Output done = run();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("3 queries"));
  EXPECT_THAT(done.out, HasSubstr("1 query without hits"));
  EXPECT_THAT(done.out, HasSubstr("queries/s"));
  const std::string text = read_file(run_);
  EXPECT_THAT(text.substr(0, text.find('\n')),
              MatchesRegex("q1 Q0 d-bird 1 [0-9]+\\.[0-9]+ gannet"));
  EXPECT_THAT(text, HasSubstr("\nq2 Q0 "));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("q3")));
}

TEST_F(Run, AFileThatIsThereIsReplacedOnlyIfAskedFor) {
  write_file(topics_, "1\tcat\n2\tdog\n");
  const std::vector<std::string> command{"run", "--index", index_, "--topics", topics_, "--quiet"};
  for (const std::string option : {"--output", "--results"}) {
    write_file(run_, "old\n");
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {option, run_});
    const Output refused = gannet(arguments);
    EXPECT_EQ(refused.code, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr("out.run: there is a file already; pass --overwrite"));
    EXPECT_EQ(read_file(run_), "old\n");
    arguments.push_back("--overwrite");
    EXPECT_EQ(gannet(arguments).code, 0);
    EXPECT_NE(read_file(run_), "old\n");
  }
}

TEST_F(Run, AFileThatAppearsMeanwhileIsKept) {
  const std::string fifo = folder_ / "fifo";
  // The topics are waited for once the outputs have been looked at.
  const Output done =
      shell("mkfifo '" + fifo + "'; $GANNET run --index '" + index_ + "' --topics '" + fifo +
            "' --quiet --output '" + run_ + "' & exec 3>'" + fifo + "'; echo precious >'" + run_ +
            "'; printf '1\\tgannets\\n' >&3; exec 3>&-; wait $!");
  EXPECT_EQ(done.code, 4);
  EXPECT_THAT(done.err, HasSubstr("which is kept; the result is in " + run_ + ".1"));
  EXPECT_EQ(read_file(run_), "precious\n");
  EXPECT_THAT(read_file(run_ + ".1"), StartsWith("1 Q0 d-bird 1 "));
}

TEST_F(Run, OneFileIsNotTwo) {
  const std::string topics = "1\tgannets\n";
  write_file(topics_, topics);
  const std::string link = folder_ / "link";
  std::filesystem::create_symlink("topics.tsv", link);
  const std::vector<std::string> command{"run",      "--index", index_,
                                         "--topics", topics_,   "--overwrite"};
  for (const auto& [more, reason] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--output", run_, "--results", run_}, "--output and --results are the same file"},
           {{"--output", run_, "--results",
             folder_ / "../" / folder_.path().filename() / "out.run"},
            "--output and --results are the same file"},
           {{"--output", topics_}, "--output and --topics are the same file"},
           {{"--results", link}, "--results and --topics are the same file"}}) {
    std::vector<std::string> all = command;
    all.insert(all.end(), more.begin(), more.end());
    const Output refused = gannet(all);
    EXPECT_EQ(refused.code, 2) << reason;
    EXPECT_THAT(refused.err, HasSubstr(reason));
  }
  EXPECT_EQ(read_file(topics_), topics);
  EXPECT_FALSE(std::filesystem::exists(run_));
  // Devices are no files.
  std::vector<std::string> devices = command;
  devices.insert(devices.end(), {"--output", "/dev/null", "--results", "/dev/null", "--quiet"});
  EXPECT_EQ(gannet(devices).code, 0);
}

TEST_F(Run, TopicsMayComeFromStdin) {
  const Output done = gannet(
      {"run", "--index", index_, "--topics", "-", "--output", "-", "--quiet"}, "1\tgannets\n");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, StartsWith("1 Q0 d-bird 1 "));
}

TEST_F(Run, TopicsMayBeInAnyEncodingThatIsNamed) {
  write_file(topics_, "1\tgannets caf\xE9\n");
  const Output refused = run();
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("topics.tsv:1: byte 14 (0xe9) is not UTF-8"));
  EXPECT_EQ(run({"--encoding", "latin1"}).code, 0);
  EXPECT_EQ(run({"--encoding", "klingon"}).code, 2);
}

TEST_F(Run, NoTopicsAreAnError) {
  write_file(topics_, "\n");
  const Output refused = run();
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("there is no topic in this file"));
}

TEST_F(Run, ALimitOf0IsAllTopics) {
  write_file(topics_, "1\tcat\n2\tdog\n");
  ASSERT_EQ(run().code, 0);
  const std::string all = read_file(run_);
  ASSERT_EQ(run({"--limit", "0"}).code, 0);
  EXPECT_EQ(read_file(run_), all);
}

TEST_F(Run, TheSummarySpeaksOfTheBatchesThatWereRun) {
  write_file(topics_, "1\tcat\n");
  EXPECT_THAT(run().out, HasSubstr("1 query, 2 hits, 0 queries without hits"));
  EXPECT_THAT(run().out, HasSubstr("latency of a query: "));
  write_file(topics_, "1\tcat\n2\tdog\n3\tmat\n");
  EXPECT_THAT(run().out, HasSubstr("latency of a batch of 3: "));
  EXPECT_THAT(run({"--batch", "2"}).out, HasSubstr("latency of a batch of 2: "));
}

TEST_F(Run, NobodyIsToldWhyNoGpuIsUsedWhoAskedForNone) {
  if (json_at(gannet({"--version", "--json"}).out, "/backends/cuda/usable") == "true") {
    GTEST_SKIP() << "there is a GPU";
  }
  write_file(topics_, "1\tcat\n");
  EXPECT_THAT(run().out, StartsWith("back end cpu\n"));
  const Output asked = run({"--backend", "cuda"});
  EXPECT_EQ(asked.code, 5);
  EXPECT_THAT(asked.err, ::testing::Not(IsEmpty()));
}

TEST_F(Run, TheBatchSizeDoesNotChangeTheRun) {
  write_file(topics_, "1\tcat\n2\tdog\n3\tfish swim\n4\tbird cat\n5\tmat\n");
  ASSERT_EQ(run({"--batch", "1"}).code, 0);
  const std::string single = read_file(run_);
  ASSERT_EQ(run({"--batch", "3"}).code, 0);
  EXPECT_EQ(read_file(run_), single);
  EXPECT_EQ(run({"--batch", "0"}).code, 2);
}

TEST_F(Run, StagesThatOverlapAndShareTheirLinesOutGiveTheSameRun) {
  // Enough topics for batches whose stages overlap, and enough hits in one for lines by several
  // threads; some topics are equal, some have no hits.
  std::string topics;
  const char* const texts[] = {"cat", "dog bird", "zebra", "fish swim cat", "mat on the"};
  for (int i = 0; i < 20'000; ++i) topics += std::to_string(i) + "\t" + texts[i * 7 % 5] + "\n";
  write_file(topics_, topics);
  ASSERT_EQ(run({"--batch", "100", "--threads", "1"}).code, 0);
  const std::string in_turn = read_file(run_);
  const auto lines = std::count(in_turn.begin(), in_turn.end(), '\n');
  for (const char* const batch : {"256", "7000", "100000"}) {
    const Output done = run({"--batch", batch, "--threads", "4", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read_file(run_), in_turn) << batch;
    EXPECT_EQ(json_at(done.out, "/queries_without_hits"), "4000") << batch;
    EXPECT_EQ(json_at(done.out, "/hits"), std::to_string(lines)) << batch;
  }
}

TEST_F(Run, ABadTopicIsNamedWithFileLineAndId) {
  write_file(topics_, "a\tcat\nb\tdog\n\nc\tcat AND\nd\t\"dog\"\n");
  const Output done = run({"--operators"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, StartsWith("gannet run: " + topics_ +
                                   ":4: topic 'c': query, column 5: AND needs an operand"));
  EXPECT_EQ(json_at(run({"--operators", "--json"}).err, "/error/column"), "5");
}

TEST_F(Run, BadTopicsAreSkippedNamedAndCountedWhereThatIsAsked) {
  for (const char* const batch : {"1", "2", "4096"}) {
    write_file(topics_, "a\tcat\nb\tcat AND\nc\t\"dog\nd\tdog\n");
    const Output done = run({"--operators", "--on-error", "skip", "--batch", batch, "--json"});
    EXPECT_EQ(done.code, 8) << done.err;
    EXPECT_THAT(done.err, HasSubstr("skipped: " + topics_ + ":2: topic 'b': query, column 5"));
    EXPECT_THAT(done.err, HasSubstr("skipped: " + topics_ + ":3: topic 'c': query, column 1"));
    EXPECT_EQ(json_at(done.out, "/skipped/0/topic"), "\"b\"");
    EXPECT_EQ(json_at(done.out, "/skipped/1/line"), "3");
    EXPECT_EQ(json_at(done.out, "/queries"), "2");
    const std::string skipping = read_file(run_);
    write_file(topics_, "a\tcat\nd\tdog\n");
    const Output all = run({"--operators", "--on-error", "skip"});
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(read_file(run_), skipping);
  }
  EXPECT_THAT(run({"--on-error", "stp"}).err,
              HasSubstr("--on-error: 'stp' is none of stop, skip (did you mean 'stop'?)"));
}

TEST_F(Run, AllTopicsMayBeBadAndWeightsOverflow) {
  write_file(topics_, "a\tcat AND\nb\tcat^1e9 cat^1e9\n");
  const Output done = run({"--operators", "--on-error", "skip", "--quiet"});
  EXPECT_EQ(done.code, 8);
  EXPECT_THAT(done.err, HasSubstr(":2: topic 'b': plan: the term 'cat': a weight must be"));
  EXPECT_EQ(read_file(run_), "");
}

TEST_F(Run, WhatIsNoTopicsFaultIsNotBlamedOnOne) {
  write_file(topics_, "a\tcat\n");
  const Output done =
      run({"--operators", "--on-error", "skip", "--scorer", "impact", "--search-fields", "nosuch"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, ::testing::Not(HasSubstr("topic 'a'")));
}

TEST_F(Run, AWrongTopicEndsItAndLeavesWhatWasThere) {
  std::string topics;
  for (int i = 0; i < 6'000; ++i) {
    topics += std::to_string(i) + (i == 3'000 ? "\t(cat\n" : "\tcat dog\n");
  }
  write_file(topics_, topics);
  write_file(run_, "old\n");
  for (const char* const batch : {"10", "500", "100000"}) {
    const Output done = run({"--operators", "--batch", batch});
    EXPECT_EQ(done.code, 2) << done.out;
    EXPECT_THAT(done.err, HasSubstr(":3001: topic '3000': query, column 1: '(' is never closed"));
    EXPECT_EQ(read_file(run_), "old\n");
  }
}

TEST_F(Run, OptionsAreHonoured) {
  write_file(topics_, "1\tcat dog\n2\tfish\n");
  ASSERT_EQ(run({"--k", "1", "--mode", "and", "--tag", "mine", "--limit", "1"}).code, 0);
  EXPECT_THAT(read_file(run_), MatchesRegex("1 Q0 d-dog 1 [0-9.]+ mine\n"));
  ASSERT_EQ(run({"--k", "0"}).code, 0);
  EXPECT_THAT(read_file(run_), IsEmpty());
}

TEST_F(Run, ScorersAreRecorded) {
  write_file(topics_, "1\tcat dog\n");
  const Output done =
      run({"--json", "--scorer", "bm25", "--scorer-params", "k1=1.2,idf=robertson"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/scorer/name"), "\"bm25\"");
  EXPECT_EQ(json_at(done.out, "/scorer/parameters/k1"), "1.2");
  EXPECT_EQ(json_at(done.out, "/scorer/parameters/idf"), "\"robertson\"");
  EXPECT_THAT(run({"--scorer", "jelinek-mercer"}).out,
              HasSubstr("scorer jelinek-mercer lambda=0.1\n"));
  EXPECT_EQ(run({"--scorer-params", "mu=3"}).code, 2);
}

TEST_F(Run, ExpansionFindsMoreAtEveryBatchSize) {
  write_file(topics_, "1\tgannets\n2\tmats dog\n3\tzebra\n");
  ASSERT_EQ(run().code, 0);
  EXPECT_THAT(read_file(run_), ::testing::Not(HasSubstr("1 Q0 d-fish")));
  const Output done = run({"--expand", "rm3", "--expand-params", "max-df=0.5", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(json_at(done.out, "/expansion"), HasSubstr("rm3 docs=10,terms=10,weight=0.5"));
  const std::string expanded = read_file(run_);
  EXPECT_THAT(expanded, HasSubstr("1 Q0 d-fish"));
  EXPECT_THAT(expanded, ::testing::Not(HasSubstr("\n3 Q0")));
  ASSERT_EQ(run({"--expand", "rm3", "--expand-params", "max-df=0.5", "--batch", "1"}).code, 0);
  EXPECT_EQ(read_file(run_), expanded);
  EXPECT_EQ(run({"--expand", "bo1"}).code, 2);
}

TEST_F(Run, OperatorsAreTakenOnlyIfAsked) {
  write_file(topics_, "1\tfish -dog\n");
  ASSERT_EQ(run().code, 0);
  EXPECT_THAT(read_file(run_), HasSubstr("d-dog"));
  ASSERT_EQ(run({"--operators"}).code, 0);
  EXPECT_THAT(read_file(run_), MatchesRegex("1 Q0 d-bird 1 [0-9.]+ gannet\n"));
}

TEST_F(Run, TrecTopicsAreRead) {
  write_file(topics_,
             "<top>\n<num> Number: 701\n<title> gannets\n<desc> Description:\ncats\n</top>\n");
  ASSERT_EQ(run().code, 0);
  EXPECT_THAT(read_file(run_), StartsWith("701 Q0 d-bird 1 "));
  ASSERT_EQ(run({"--topic-fields", "description", "--k", "1"}).code, 0);
  EXPECT_THAT(read_file(run_), HasSubstr("d-cat"));
  EXPECT_EQ(run({"--topic-fields", "summary"}).code, 2);
}

TEST_F(Run, TheRunMayGoToStdout) {
  write_file(topics_, "1\tgannets\n");
  const Output done = gannet({"run", "--index", index_, "--topics", topics_, "--output", "-"});
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, StartsWith("1 Q0 d-bird 1 "));
  EXPECT_THAT(done.err, HasSubstr("queries/s"));
}

TEST_F(Run, ALinkStaysOneAndItsFileIsReplaced) {
  write_file(topics_, "1\tgannets\n");
  const std::string file = folder_ / "file.run";
  std::filesystem::create_symlink("file.run", run_);
  for (int i = 0; i < 2; ++i) {  // the link dangles at first
    ASSERT_EQ(run({"--tag", std::to_string(i)}).code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(run_));
    EXPECT_THAT(read_file(file), MatchesRegex("1 Q0 d-bird 1 [0-9.]+ " + std::to_string(i) + "\n"));
  }
}

TEST_F(Run, NamesOfStdoutAreStdout) {
  write_file(topics_, "1\tgannets\n");
  const std::string link = folder_ / "stdout";
  std::filesystem::create_symlink("/proc/self/fd/1", link);
  // Not /dev/stdout itself: a mistake would replace it, where root runs the tests.
  for (const std::string& name : {std::string("/dev/fd/1"), link}) {
    const std::string to = folder_ / "appended";
    write_file(to, "before\n");
    const Output done =
        shell("$GANNET run --index '" + index_ + "' --topics '" + topics_ + "' --output '" + name +
              "' >>'" + to + "'; echo after >>'" + to + "'");
    EXPECT_THAT(done.err, HasSubstr("queries/s"));
    EXPECT_THAT(read_file(to), MatchesRegex("before\n1 Q0 d-bird 1 [0-9.]+ gannet\nafter\n"))
        << name;
  }
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(Run, TwoRunsToOneFileDoNotMix) {
  std::string topics;
  for (int i = 0; i < 3000; ++i) topics += std::to_string(i) + "\tcat dog fish\n";
  write_file(topics_, topics);
  ASSERT_EQ(run().code, 0);
  const std::string alone = read_file(run_);
  std::filesystem::remove(run_);
  std::vector<std::unique_ptr<Process>> runs;
  for (int i = 0; i < 4; ++i) {
    runs.push_back(std::make_unique<Process>(
        std::vector<std::string>{test::kCommand, "run", "--index", index_, "--topics", topics_,
                                 "--output", run_, "--quiet", "--overwrite"},
        ""));
  }
  for (const auto& process : runs) EXPECT_EQ(process->wait().code, 0);
  EXPECT_EQ(read_file(run_), alone);
}

TEST_F(Run, JsonSummary) {
  write_file(topics_, "1\tgannets\n2\tzebra\n");
  const Output done = run({"--json", "--backend", "cpu"});
  EXPECT_EQ(json_at(done.out, "/queries"), "2");
  EXPECT_EQ(json_at(done.out, "/hits"), "1");
  EXPECT_EQ(json_at(done.out, "/queries_without_hits"), "1");
  EXPECT_EQ(json_at(done.out, "/report/backend"), "\"cpu\"");
  for (const char* const stage : {"analysis", "planning", "searching", "writing"}) {
    const double seconds = std::stod(json_at(done.out, "/seconds/" + std::string(stage)));
    EXPECT_GT(seconds, 0) << stage;
    EXPECT_LE(seconds, std::stod(json_at(done.out, "/seconds/wall"))) << stage;
  }
}

TEST_F(Run, MalformedTopicsAndMissingFilesAreErrors) {
  write_file(topics_, "1\tcat\nno separator\n");
  const Output wrong = run();
  EXPECT_EQ(wrong.code, 3);
  EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
  EXPECT_FALSE(std::filesystem::exists(run_));
  std::filesystem::remove(topics_);
  EXPECT_EQ(run().code, 4);
  write_file(topics_, "1\tcat\n");
  run_ = folder_ / "no/such/folder/out.run";
  EXPECT_EQ(run().code, 4);
}

/// Where the judged collections are, "" if nowhere.
std::string data_folder() {
  const char* const named = std::getenv("GANNET_DATA");
  const std::string folder =
      named != nullptr ? named : std::string(test::kSourceFolder) + "/../shared/data";
  return std::filesystem::exists(folder + "/cranfield/docs.jsonl.zst") ? folder : "";
}

TEST(Cranfield, DocumentsInMeasuresOut) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << "no judged collections (set GANNET_DATA)";
  const TemporaryDirectory folder;
  const Output made = gannet({"index", "--input", data + "/cranfield/docs.jsonl.zst", "--format",
                              "jsonl", "--output", folder / "idx"});
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(gannet({"run", "--index", folder / "idx", "--topics", data + "/cranfield/queries.tsv",
                    "--output", folder / "run"})
                .code,
            0);
  const Output eval =
      gannet({"eval", "--qrels", data + "/cranfield/qrels.txt", "--run", folder / "run", "--json"});
  EXPECT_NEAR(std::stod(json_at(eval.out, "/mean/map")), 0.2917, 0.01);
  EXPECT_NEAR(std::stod(json_at(eval.out, "/mean/ndcg@10")), 0.3529, 0.01);
  EXPECT_NEAR(std::stod(json_at(eval.out, "/mean/p@10")), 0.2187, 0.01);
}

}  // namespace
}  // namespace gannet::test
