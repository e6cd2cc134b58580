// The frame of the benchmark programs: wrong command lines and wrong outputs are statuses, reports
// are written; the generators' data do not depend on threads.
#include "bench/frame/program.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/frame/timing.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::bench {
namespace {

using ::testing::HasSubstr;

int run_with(std::vector<std::string> arguments, const std::function<void(Program&)>& run) {
  std::vector<char*> argv;
  arguments.insert(arguments.begin(), "program");
  for (std::string& argument : arguments) argv.push_back(argument.data());
  Program program("program", "A program.");
  program.repeats(7).parts({"a", "b"});
  return program.main(static_cast<int>(argv.size()), argv.data(), [&] { run(program); });
}

TEST(Program, RunsWithItsDefaults) {
  EXPECT_EQ(run_with({},
                     [](Program& program) {
                       EXPECT_EQ(program.repeats(), 7);
                       EXPECT_TRUE(program.wants("a"));
                     }),
            0);
}

TEST(Program, OnlyAndRepeatsAreTakenFromTheCommandLine) {
  EXPECT_EQ(run_with({"--only", "b", "--repeats", "3"},
                     [](Program& program) {
                       EXPECT_EQ(program.repeats(), 3);
                       EXPECT_FALSE(program.wants("a"));
                       EXPECT_TRUE(program.wants("b"));
                     }),
            0);
}

TEST(Program, WrongCommandLinesDoNotRun) {
  const auto never = [](Program&) { FAIL(); };
  EXPECT_EQ(run_with({"--only", "a,c"}, never), 2);
  EXPECT_EQ(run_with({"--repeats", "0"}, never), 2);
  EXPECT_EQ(run_with({"--no-such-option"}, never), 2);
}

TEST(Program, AWrongOutputIsAFailure) {
  EXPECT_EQ(run_with({}, [](Program&) { throw std::runtime_error("3 bytes are wrong"); }), 1);
}

TEST(Program, WritesWhatItReportsAsJson) {
  const test::TemporaryDirectory folder;
  const std::string path = (folder.path() / "report.json").string();
  EXPECT_EQ(run_with({"--json", path},
                     [](Program& program) {
                       program.report().fact("values", 12.0);
                       program.report().fact("share", 0.25);
                       program.report().fact("note", "a \"b\"\n");
                       program.report().fact("no number", std::nan(""));
                       program.report().table({"speeds", "Speeds", {"codec"}, {}}).add({"none"});
                     }),
            0);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("\"values\": 12,"));
  EXPECT_THAT(text, HasSubstr("\"share\": 0.25"));
  EXPECT_THAT(text, HasSubstr(R"("note": "a \"b\"\n")"));
  EXPECT_THAT(text, HasSubstr("\"no number\": null"));
  EXPECT_THAT(text, HasSubstr("\"codec\": \"none\""));
}

TEST(BenchData, IsTheSameHoweverManyThreadsThereAre) {
  const auto values = uniform_values(1000, 12);
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], corpora::mix64(i) >> 52);
  }
  const auto runs = run_values(100'000, 16);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) changes += runs[i] != runs[i - 1] ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(changes), 100'000 / 16.0, 500);
}

TEST(BenchTiming, TheMedianIsTheMiddleOne) {
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1}), 4);
}

}  // namespace
}  // namespace gannet::bench
