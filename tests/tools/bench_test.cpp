// gannet bench, as a user types it. Nothing here depends on how fast the machine is.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/shop.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double measured_at(const std::string& json, std::string_view pointer) {
  return std::strtod(json_at(json, pointer).c_str(), nullptr);
}

TEST(Bench, SaysWhatCanBeMeasured) {
  EXPECT_EQ(gannet({"bench"}).code, 2);
  EXPECT_THAT(gannet({"bench", "--help"}).out, HasSubstr("decode"));
  const Output unknown = gannet({"bench", "decoding"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("decode"));
}

TEST(BenchDecode, TablesHaveARowForEachLength) {
  const Output done = gannet({"bench", "decode", "--backend", "cpu", "--lengths", "2^10..2^12",
                              "--repeats", "1", "--codec", "gpu-bp128,none"});
  EXPECT_EQ(done.code, 0) << done.err;
  for (const char* part :
       {"uniform, gaps: bits per integer", "clustered, docids: billion", "gpu-bp128", "\n2^10 ",
        "\n2^11 ", "\n2^12 ", "speed of a memory copy"}) {
    EXPECT_THAT(done.out, HasSubstr(part));
  }
  EXPECT_THAT(done.out, Not(HasSubstr("2^13")));
}

TEST(BenchDecode, LengthsThatItDoesNotMeasureAreRefused) {
  for (const std::string lengths : {"1000", "1500", "3..5", "2^10..1025"}) {
    const Output refused = gannet({"bench", "decode", "--backend", "cpu", "--lengths", lengths});
    EXPECT_EQ(refused.code, 2) << lengths;
    EXPECT_THAT(refused.err, HasSubstr("is no power of two"));
    EXPECT_THAT(refused.err, ::testing::StartsWith("gannet bench decode: "));
  }
  EXPECT_THAT(gannet({"bench", "decode", "--backend", "cpu", "--lengths", "1024", "--repeats", "1",
                      "--codec", "none", "--quick"})
                  .out,
              HasSubstr("\n2^10 "));
}

TEST(BenchDecode, FilesThatAreThereAreReplacedOnlyIfAsked) {
  const TemporaryDirectory folder;
  write_file(folder / "out.json", "mine");
  std::vector<std::string> command{"bench",     "decode", "--backend", "cpu",
                                   "--lengths", "2^4",    "--repeats", "1",
                                   "--codec",   "none",   "--output",  folder / "out.json"};
  EXPECT_EQ(gannet(command).code, 2);
  EXPECT_EQ(read_file(folder / "out.json"), "mine");
  command.emplace_back("--overwrite");
  EXPECT_EQ(gannet(command).code, 0);
  EXPECT_TRUE(is_json(read_file(folder / "out.json")));
}

TEST(BenchDecode, JsonHasEverything) {
  const Output done = gannet({"bench", "decode", "--backend", "cpu", "--min-log", "16", "--max-log",
                              "16", "--repeats", "1", "--codec", "gpu-bp128", "--distribution",
                              "uniform", "--content", "docids", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/results/0/codec"), "\"gpu-bp128\"");
  EXPECT_EQ(json_at(done.out, "/results/0/length"), "\"2^16\"");
  // The paper's Table 1; the batch has many lists, so their widths average out.
  EXPECT_NEAR(measured_at(done.out, "/results/0/bits_per_integer"), 16.22, 0.03);
  EXPECT_GT(measured_at(done.out, "/results/0/cpu_one_thread/billion_integers_per_second"), 0);
  EXPECT_GT(measured_at(done.out, "/results/0/cpu_all_threads/share_of_copy_speed"), 0);
  EXPECT_EQ(json_at(done.out, "/results/0/cpu_one_thread/integers"), "65536");
}

TEST(BenchDecode, ListsOfAnIndexAndOfATopicsFile) {
  const TemporaryDirectory folder;
  const std::string index = index_animals(folder);
  const std::string topics = folder / "topics.tsv";
  write_file(topics, "1\tcat\n2\tdog zebra cat\n");
  const std::vector<std::string> common{"bench",   "decode",    "--backend", "cpu",       "--index",
                                        index,     "--min-log", "0",         "--repeats", "1",
                                        "--codec", "gpu-dfor",  "--json"};
  const Output all = gannet(common);
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(json_at(all.out, "/results/0/source"), "\"index\"");
  EXPECT_EQ(json_at(all.out, "/results/0/length"), "\"all\"");
  std::vector<std::string> with_topics = common;
  with_topics.insert(with_topics.end(), {"--topics", topics});
  const Output some = gannet(with_topics);
  ASSERT_EQ(some.code, 0) << some.err;
  // cat twice (2 documents), dog once (2 documents); zebra is in none.
  EXPECT_EQ(measured_at(some.out, "/results/0/mean_length"), 2);
  EXPECT_EQ(json_at(some.out, "/results/0/source"), "\"topics\"");
}

TEST(BenchDecode, DrawsWhereThereIsGnuplot) {
  if (shell("command -v gnuplot").code != 0) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryDirectory folder;
  const std::string file = folder / "it's a plot.png";
  const Output done =
      gannet({"bench", "decode", "--backend", "cpu", "--lengths", "2^10..2^12", "--repeats", "1",
              "--codec", "none", "--plot", file, "--output", folder / "all.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(read_file(file), ::testing::StartsWith("\x89PNG"));
  EXPECT_THAT(read_file(file + ".dat"), HasSubstr("1024 "));
  EXPECT_TRUE(is_json(read_file(folder / "all.json")));
}

TEST(BenchDecode, WrongCommandLines) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"--codec", "gpu-bp64"}, "gpu-bp128"},
      {{"--content", "freqs"}, "--index"},
      {{"--content", "postings"}, "gaps"},
      {{"--distribution", "normal"}, "normal"},
      {{"--universe", "2^40"}, "--universe"},
      {{"--universe", "100"}, "--universe"},
      {{"--lengths", "ten"}, "--lengths"},
      {{"--min-log", "12", "--max-log", "11"}, "--max-log"},
      {{"--repeats", "0"}, "--repeats"},
      {{"--plot", "plot.bmp"}, ".png"},
      {{"--topics", "topics.tsv"}, "--index"},
      {{"--backend", "tpu"}, "cuda"},
  };
  for (const auto& [more, message] : wrong) {
    std::vector<std::string> arguments{"bench", "decode"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Output done = gannet(arguments);
    EXPECT_EQ(done.code, 2) << more[0] << " " << more[1];
    EXPECT_THAT(done.err, HasSubstr(message));
    EXPECT_TRUE(is_one_line(done.err)) << done.err;
  }
}

class BenchQuery : public ::testing::Test {
 protected:
  Output run(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"bench", "query", "--index", index_, "--topics", topics_,
                               "--backend", "cpu", "--repeats", "2"});
    return gannet(std::move(more));
  }

  void SetUp() override { write_file(topics_, "1\tcat\n2\tdogs chase\n3\tzebra\n4\tfish swim\n"); }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
  std::string topics_ = folder_ / "topics.tsv";
};

TEST_F(BenchQuery, ExpansionIsMeasuredAndChecked) {
  const Output done = run({"--expand", "rm3", "--check", "4", "--batch", "1,all"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("expansion rm3 docs=10"));
  EXPECT_THAT(done.out, HasSubstr("of it gathering"));
}

TEST_F(BenchQuery, EverySettingHasARow) {
  const Output done =
      run({"--k", "1,10", "--mode", "or,and", "--batch", "1,3,all", "--check", "4", "--by-length"});
  EXPECT_EQ(done.code, 0) << done.err;
  for (const char* part :
       {"4 queries", "\nor     1      1 ", "\nand   10      3 ", "p99", "by number of terms"}) {
    EXPECT_THAT(done.out, HasSubstr(part));
  }
}

TEST_F(BenchQuery, JsonHasThroughputAndLatency) {
  const Output done = run({"--json", "--batch", "all,1", "--want", "count", "--limit", "3"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/results/0/batch"), "3");
  EXPECT_EQ(json_at(done.out, "/results/0/queries"), "3");
  EXPECT_GT(measured_at(done.out, "/results/0/queries_per_second"), 0);
  EXPECT_GE(measured_at(done.out, "/results/1/batch_latency_ms/p99"),
            measured_at(done.out, "/results/1/batch_latency_ms/p50"));
  EXPECT_EQ(json_at(done.out, "/results/1/by_length/0/terms"), "1");
}

TEST_F(BenchQuery, WritesTheJsonToAFileToo) {
  const TemporaryDirectory folder;
  const Output done = run({"--batch", "all", "--limit", "2", "--output", folder / "query.json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("queries/s"));
  const std::string json = read_file(folder / "query.json");
  ASSERT_TRUE(is_json(json));
  EXPECT_EQ(json_at(json, "/results/0/queries"), "2");
}

TEST(BenchColumns, MeasuresWhatIsAskedOfColumns) {
  const TemporaryDirectory folder;
  const std::string index = index_shop(folder);
  const std::string topics = folder / "topics.tsv";
  write_file(topics, "1\ttiger\n2\t*:*\n3\tlamp year:2001\n");
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"bench", "query", "--index", index, "--topics", topics, "--backend",
                               "cpu", "--repeats", "1", "--batch", "1,all"});
    return gannet(std::move(more));
  };
  const Output done = run(
      {"--operators", "--k", "0", "--facet", "tag:2", "--stats", "cost", "--check", "3", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/results/0/matches"), "12");  // 4, 5 and 3 of the 5 documents
  EXPECT_EQ(json_at(done.out, "/results/1/matches"), "12");
  EXPECT_EQ(json_at(done.out, "/results/1/queries"), "3");
  EXPECT_GT(measured_at(done.out, "/results/0/queries_per_second"), 0);
  // As words, the second topic has none, and the third one a year.
  const Output words = run({"--sort", "price:desc", "--json"});
  ASSERT_EQ(words.code, 0) << words.err;
  EXPECT_EQ(json_at(words.out, "/results/0/matches"), "8");
  EXPECT_EQ(run({"--group", "tag:2", "--k", "2,1", "--check", "3"}).code, 0);
  const Output wrong = run({"--want", "count", "--facet", "tag"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--want"));
  EXPECT_THAT(run({"--facet", "colour"}).err, HasSubstr("colour"));
}

TEST_F(BenchQuery, WrongCommandLines) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--mode", "xor"},
                                             {"--k", "ten"},
                                             {"--k", "-1"},
                                             {"--batch", "0"},
                                             {"--want", "everything"},
                                             {"--repeats", "0"}}) {
    const Output done = run(more);
    EXPECT_EQ(done.code, 2) << more[0];
    EXPECT_TRUE(is_one_line(done.err)) << done.err;
  }
  write_file(topics_, "");
  EXPECT_EQ(run().code, 3);  // a file of topics without one
}

}  // namespace
}  // namespace gannet::test
