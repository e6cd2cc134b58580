// gannet index --mpi and gannet run --mpi, as mpirun starts them on one machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

/// What mpirun needs to start several ranks on a machine of any size, for any user, without a
/// network.
void set_environment() {
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
           {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
           {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
           {"OMPI_MCA_hwloc_base_binding_policy", "none"},
           {"OMPI_MCA_btl", "self,vader"},
           {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}}) {
    setenv(name, value, 1);
  }
}

/// Documents of a small vocabulary, in files of different sizes.
class MpiJobs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (shell("command -v mpirun >/dev/null").code != 0) {
      GTEST_SKIP() << "no mpirun here: tools/setup.sh --mpi installs it";
    }
    set_environment();
    write_documents();
    write_topics();
    ASSERT_EQ(index({"--output", whole_}).code, 0);
  }

  void write_documents() {
    for (int f = 0; f < 6; ++f) {
      std::string lines;
      for (int d = 0; d < 40 + 70 * (f % 3); ++d) lines += document("d" + std::to_string(next_++));
      files_.push_back(folder_ / ("part-" + std::to_string(f) + ".jsonl"));
      write_file(files_.back(), lines);
    }
  }

  std::string word() { return "w" + std::to_string(word_(random_) * word_(random_) / 60); }

  std::string document(const std::string& id) {
    std::string text;
    for (int i = length_(random_); i > 0; --i) text += " " + word();
    return R"({"id": ")" + id + R"(", "contents": ")" + text + R"(", "year": )" +
           std::to_string(length_(random_)) + "}\n";
  }

  void write_topics() {
    std::string topics;
    for (int q = 0; q < 300; ++q) {
      topics += std::to_string(q) + "\t" + word() + " " + word() + (q % 3 == 0 ? " w1\n" : "\n");
    }
    write_file(topics_, topics);
  }

  std::vector<std::string> index_arguments(std::vector<std::string> more) const {
    std::vector<std::string> all{"index",    "--format",  "jsonl", "--field",
                                 "year:u16", "--threads", "1",     "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    if (std::ranges::find(more, "--input") == more.end()) {
      all.emplace_back("--input");
      all.insert(all.end(), files_.begin(), files_.end());
    }
    return all;
  }
  Output index(std::vector<std::string> more) const { return gannet(index_arguments(more)); }

  std::vector<std::string> run_arguments(std::vector<std::string> more) const {
    std::vector<std::string> all{"run",       "--topics", topics_,     "--quiet",
                                 "--threads", "1",        "--backend", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  static std::vector<std::string> ranks(int count, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"mpirun", "-n", std::to_string(count), kCommand});
    arguments.emplace_back("--mpi");
    return arguments;
  }
  static Output mpirun(int count, std::vector<std::string> arguments) {
    return Process(ranks(count, std::move(arguments)), {}).wait();
  }

  std::string build_set(int shards) {
    const std::string set = folder_ / ("set-" + std::to_string(shards));
    const Output built = mpirun(shards, index_arguments({"--output", set}));
    EXPECT_EQ(built.code, 0) << built.err;
    return set;
  }

  TemporaryDirectory folder_;
  std::string whole_ = folder_ / "whole";
  std::string topics_ = folder_ / "topics.tsv";
  std::vector<std::string> files_;

 private:
  int next_ = 0;
  std::mt19937 random_{7};
  std::uniform_int_distribution<int> word_{0, 99};
  std::uniform_int_distribution<int> length_{1, 30};
};

TEST_F(MpiJobs, BuildWhatOneProcessBuilds) {
  for (int count = 1; count <= 4; ++count) {
    SCOPED_TRACE(count);
    const std::string set = build_set(count);
    EXPECT_EQ(gannet({"verify", set + "/shard-0000"}).code, 0);
    EXPECT_FALSE(fs::exists(set + "/shard-000" + std::to_string(count)));
    const std::string joined = folder_ / ("joined-" + std::to_string(count));
    ASSERT_EQ(gannet({"shard", "--join", set, "--output", joined, "--quiet"}).code, 0);
    EXPECT_EQ(shell("diff -r '" + whole_ + "' '" + joined + "'").out, "");
  }
}

TEST_F(MpiJobs, FindWhatOneProcessFinds) {
  const std::string set = build_set(4);
  const std::string one = folder_ / "one.run", all = folder_ / "all.run";
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--k", "10"},
           {"--k", "1000", "--mode", "and"},
           {"--k", "100", "--scorer", "dirichlet", "--batch", "256"},
           {"--k", "5", "--batch", "7", "--limit", "20"},
           {"--k", "20", "--filter", "year:[3 TO 9]"}}) {
    SCOPED_TRACE(::testing::PrintToString(options));
    auto arguments = run_arguments({"--index", whole_, "--output", one, "--overwrite"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(gannet(arguments).code, 0);
    for (int count = 2; count <= 4; ++count) {
      arguments = run_arguments({"--index", set, "--output", all, "--overwrite"});
      arguments.insert(arguments.end(), options.begin(), options.end());
      const Output done = mpirun(count, arguments);
      ASSERT_EQ(done.code, 0) << done.err;
      EXPECT_EQ(read_file(all), read_file(one)) << count << " ranks";
    }
  }
}

/// Words stand for the terms of all ranks, and these count against the limit.
TEST_F(MpiJobs, FindInexactWordsAsOneProcessDoes) {
  std::string topics;
  for (int q = 0; q < 10; ++q) {
    const std::string digit = std::to_string(q);
    topics += "a" + digit + "\tw" + digit + "* " + word() + "\nb" + digit + "\tw1" + digit +
              "~1 -w?" + digit + "\nc" + digit + "\t/w[3-9]" + digit + "/ (w\n";
  }
  write_file(topics_, topics + "d\tw*\n");
  const std::string set = build_set(4);
  const std::string one = folder_ / "one.run", all = folder_ / "all.run";
  const std::vector<std::string> options{"--operators", "--on-error",       "skip",
                                         "--overwrite", "--max-expansions", "40"};
  auto arguments = run_arguments({"--index", whole_, "--output", one});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Output expected = gannet(arguments);
  ASSERT_EQ(expected.code, 8) << expected.err;
  EXPECT_THAT(expected.err, HasSubstr("topic 'd': query, column 1: 'w*' stands for"));
  arguments = run_arguments({"--index", set, "--output", all});
  arguments.insert(arguments.end(), options.begin(), options.end());
  for (int count = 2; count <= 4; ++count) {
    const Output done = mpirun(count, arguments);
    EXPECT_EQ(done.code, 8) << done.err;
    EXPECT_EQ(read_file(all), read_file(one)) << count << " ranks";
    EXPECT_THAT(done.err, HasSubstr(expected.err)) << count << " ranks";
  }
  EXPECT_GT(read_file(one).size(), 1000u);
}

TEST_F(MpiJobs, CountWhatAllRanksDid) {
  const std::string set = folder_ / "set";
  auto arguments = index_arguments({"--output", set, "--json"});
  const Output built = mpirun(3, arguments);
  const Output alone = index({"--output", folder_ / "again", "--json"});
  EXPECT_EQ(json_at(built.out, "/shards"), "3");
  for (const char* const number : {"/documents", "/postings", "/tokens", "/text_bytes"}) {
    EXPECT_EQ(json_at(built.out, number), json_at(alone.out, number)) << number;
  }
  arguments = run_arguments({"--output", folder_ / "x.run", "--overwrite", "--json", "--index"});
  arguments.push_back(set);
  const Output all = mpirun(3, arguments);
  arguments.back() = whole_;
  const Output one = gannet(arguments);
  for (const char* const number : {"/queries", "/hits", "/report/postings"}) {
    EXPECT_EQ(json_at(all.out, number), json_at(one.out, number)) << number;
  }
}

TEST_F(MpiJobs, AnswerInJson) {
  const std::string set = build_set(2);
  auto arguments = run_arguments({"--results", "-", "--fields", "year", "--k", "3", "--index"});
  arguments.push_back(set);
  const Output all = mpirun(2, arguments);
  arguments.back() = whole_;
  EXPECT_EQ(all.out, gannet(arguments).out) << all.err;
}

/// One line says why, nothing is left, and mpirun ends with the code that the command ends with.
TEST_F(MpiJobs, FailTogether) {
  const std::string set = folder_ / "set";
  const auto fails = [&](const Output& done, int code, const std::string& why) {
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_THAT(done.err, HasSubstr(why));
    const std::size_t first = done.err.find("gannet index: ");
    EXPECT_EQ(done.err.find("gannet index: ", first + 1), std::string::npos) << done.err;
    EXPECT_FALSE(fs::exists(set));
  };
  std::vector<std::string> inputs = files_;
  const std::string bad = folder_ / "bad.jsonl";
  write_file(bad, "{\"id\": \"x\", \"contents\": 3}\n");
  inputs.push_back(bad);
  const auto with = [&](const std::vector<std::string>& input) {
    std::vector<std::string> more{"--output", set, "--input"};
    more.insert(more.end(), input.begin(), input.end());
    return index_arguments(more);
  };
  fails(mpirun(3, with(inputs)), 3, "bad.jsonl:1");
  write_file(bad, document("d0"));
  fails(mpirun(3, with(inputs)), 3, "both have the id 'd0'; ids must be unique");
  fails(mpirun(3, with({files_[0], files_[1]})), 2, "2 files for 3 processes");
  fails(mpirun(2, index_arguments({"--output", set, "--ordr", "id"})), 2, "did you mean '--order'");
  fails(mpirun(2, index_arguments({"--output", set, "--order", "id"})), 2, "--order: with --mpi");
}

TEST_F(MpiJobs, TellNoPartForTheWhole) {
  const std::string set = build_set(3);
  const std::string run = folder_ / "x.run";
  const auto arguments = run_arguments({"--output", run, "--index", set});
  EXPECT_EQ(mpirun(4, arguments).code, 2) << "more ranks than shards";
  EXPECT_EQ(mpirun(2, run_arguments({"--output", run, "--index", whole_})).code, 2);
  EXPECT_EQ(mpirun(2, run_arguments(
                          {"--output", (folder_.path() / "no" / "x.run").string(), "--index", set}))
                .code,
            4);
  for (const auto& entry : fs::directory_iterator(set + "/shard-0002")) {
    if (entry.path().extension() != ".postings") continue;
    std::string bytes = read_file(entry.path());
    for (std::size_t i = 100; i + 300 < bytes.size(); ++i) bytes[i] = static_cast<char>(~bytes[i]);
    write_file(entry.path(), bytes);
  }
  const Output damaged = mpirun(3, arguments);
  EXPECT_EQ(damaged.code, 7) << damaged.err;
  EXPECT_THAT(damaged.err, HasSubstr("shard-0002"));
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(MpiJobs, RefuseWhatOneProcessMustDo) {
  const std::string set = build_set(2);
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--expand", "rm3"}, {"--sort", "year"}, {"--facet", "year:3", "--results", "-"}}) {
    auto arguments = run_arguments({"--output", folder_ / "x.run", "--index", set});
    arguments.insert(arguments.end(), option.begin(), option.end());
    const Output refused = mpirun(2, arguments);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr(option[0] + ": not with --mpi"));
  }
}

/// Jobs that are still reading: their last file is a pipe that nobody writes to.
class StoppedMpiJobs : public MpiJobs {
 protected:
  /// Starts two ranks, of which the second waits for input, until both build.
  Process& start() {
    const std::string pipe = folder_ / "waiting.jsonl";
    EXPECT_EQ(shell("mkfifo '" + pipe + "'").code, 0);
    writer_.emplace(std::vector<std::string>{"/bin/sh", "-c", "exec 3>'" + pipe + "'; sleep 60"},
                    "");
    auto arguments = index_arguments({"--output", set_, "--input", files_[0], pipe});
    job_.emplace(ranks(2, arguments), "");
    const fs::path second = fs::path(set_) / "shard-0001" / "gannet.lock";
    for (int i = 0; i < 600 && !fs::exists(second); ++i) std::this_thread::sleep_for(50ms);
    EXPECT_TRUE(fs::exists(second));
    return *job_;
  }
  void TearDown() override {
    if (writer_) {
      writer_->signal(SIGKILL);
      writer_->wait();
    }
  }

  std::string set_ = folder_ / "set";

 private:
  std::optional<Process> writer_, job_;
};

TEST_F(StoppedMpiJobs, LeaveNothingAfterASignal) {
  Process& job = start();
  job.signal(SIGTERM);
  EXPECT_NE(job.wait().code, 0);
  EXPECT_FALSE(fs::exists(set_ + "/shards.json"));
  // What a rank that was killed meanwhile has left, the next writer of a set removes.
  const Output again = mpirun(2, index_arguments({"--output", set_}));
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(StoppedMpiJobs, EndWhenARankIsKilled) {
  Process& job = start();
  // A rank by its program's name: the command lines of mpirun and of this shell have the set's
  // name, too.
  const std::string kill =
      "for p in /proc/[0-9]*; do [ \"$(cat $p/comm 2>/dev/null)\" = gannet-mpi ] || continue; "
      "case \"$(tr '\\0' ' ' <$p/cmdline)\" in *'" +
      set_ + "'*) kill -9 ${p#/proc/}; break;; esac; done";
  shell(kill);
  EXPECT_NE(job.wait().code, 0);
  EXPECT_FALSE(fs::exists(set_ + "/shards.json"));
}

}  // namespace
}  // namespace gannet::test
