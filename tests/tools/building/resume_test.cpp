// gannet index --resume: builds that are killed at any moment go on, to the bytes of one build.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "index/manifest/directory_lock.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

constexpr int kDocuments = 30'000;

/// All files but the lock, in which a process that was killed has left its name, and the record of
/// a build that was resumed.
std::map<std::string, std::string> index_files(const std::filesystem::path& folder) {
  auto files = snapshot(folder);
  files.erase("gannet.lock");
  files.erase("gannet-resume.json");
  return files;
}

/// Enough of them make several steps: a batch is a megabyte.
std::string words(int document) {
  std::string text;
  for (int i = 0; i < 24; ++i) text += " w" + std::to_string(document * (i + 1) % 5003);
  return text;
}

class Resume : public ::testing::Test {
 protected:
  Resume() {
    std::string text;
    for (int i = 0; i < kDocuments; ++i) {
      text += R"({"id": "d)" + std::to_string(i) + R"(", "contents": "word)" +
              std::to_string(i % 97) + " common" + std::string(i % 5, 'x') + " text " + words(i) +
              R"(", "year": )" + std::to_string(1900 + i % 120) + R"(, "tag": ["t)" +
              std::to_string(i % 13) + R"(", "u)" + std::to_string(i % 3) +
              R"("], "title": "title )" + std::to_string(i % 31) + "\"}\n";
      if (i % 10'000 == 700) text += "{\"id\": broken}\n";
    }
    write_file(input_, text);
  }

  std::vector<std::string> command(std::vector<std::string> more = {}) {
    std::vector<std::string> all{"index",
                                 "--input",
                                 input_,
                                 "--format",
                                 "jsonl",
                                 "--output",
                                 output_,
                                 "--field",
                                 "year:i32",
                                 "--field",
                                 "tag:keyword:multi",
                                 "--field",
                                 "title:text",
                                 "--store",
                                 "--on-error",
                                 "skip",
                                 "--threads",
                                 "2",
                                 "--memory",
                                 "64M"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> resumed(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--resume", "--step", "1M"});
    return command(std::move(more));
  }
  /// The files of an uninterrupted build.
  std::map<std::string, std::string> expected() {
    const Output built = gannet(command());
    EXPECT_EQ(built.code, 0) << built.err;
    auto files = index_files(output_);
    std::filesystem::remove_all(output_);
    return files;
  }
  void start_and_kill(std::chrono::milliseconds after) {
    std::vector<std::string> all = resumed();
    all.insert(all.begin(), kCommand);
    Process process(all, {});
    std::this_thread::sleep_for(after);
    process.signal(SIGKILL);
    process.wait();
  }

  /// A build that was not allowed to merge: all but that is done.
  void stop_before_the_merge(const std::vector<std::string>& arguments) {
    std::filesystem::create_directories(output_);
    const index::DirectoryLock writer(output_);
    const Output stopped = gannet(arguments);
    EXPECT_EQ(stopped.code, 9);
    EXPECT_THAT(stopped.err, HasSubstr("another process"));
    EXPECT_TRUE(std::filesystem::exists(unfinished_ + "/progress.json"));
  }

  TemporaryDirectory folder_;
  std::string input_ = folder_ / "docs.jsonl";
  std::string output_ = folder_ / "idx";
  std::string unfinished_ = output_ + ".unfinished";
};

TEST_F(Resume, GivesTheBytesOfABuildAtOnce) {
  const auto files = expected();
  const Output built = gannet(resumed({"--json"}));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(index_files(output_) == files);
  EXPECT_FALSE(std::filesystem::exists(unfinished_));
  EXPECT_EQ(json_at(built.out, "/documents"), "30000");
  EXPECT_EQ(json_at(built.out, "/skipped"), "3");
}

TEST_F(Resume, KilledAtAnyMomentItGoesOn) {
  const auto files = expected();
  std::mt19937 random(7);
  for (int round = 0; round < 2; ++round) {
    int kills = 0;
    for (int longest = 60; !std::filesystem::exists(output_ + "/manifest.json") && kills < 60;
         ++kills, longest += 20) {
      start_and_kill(std::chrono::milliseconds(random() % static_cast<unsigned>(longest)));
    }
    EXPECT_GT(kills, 1);
    const Output built = gannet(resumed({"--json"}));
    EXPECT_FALSE(std::filesystem::exists(unfinished_) && built.code == 0) << built.err;
    EXPECT_EQ(built.code, 0) << built.err;  // also if it was done already
    EXPECT_EQ(json_at(built.out, "/skipped"), "3");
    EXPECT_TRUE(index_files(output_) == files) << "round " << round;
    std::filesystem::remove_all(output_);
  }
}

TEST_F(Resume, AFinishedBuildGivenAgainIsDone) {
  const Output built = gannet(resumed({"--json"}));
  ASSERT_EQ(built.code, 0) << built.err;
  const auto before = snapshot(output_);
  const Output again = gannet(resumed({"--json"}));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("complete already"));
  EXPECT_EQ(json_at(again.out, "/documents"), "30000");
  EXPECT_EQ(json_at(again.out, "/skipped"), "3");
  EXPECT_TRUE(snapshot(output_) == before);
  EXPECT_FALSE(std::filesystem::exists(unfinished_));
  EXPECT_EQ(gannet({"verify", output_}).code, 0);
  // Another build is not done, and neither is one to whose index somebody has written.
  EXPECT_EQ(gannet(resumed({"--stemmer", "none"})).code, 2);
  write_file(folder_ / "more.jsonl", "{\"id\": \"more\", \"contents\": \"x\"}\n");
  ASSERT_EQ(
      gannet({"add", "--index", output_, "--input", folder_ / "more.jsonl", "--format", "jsonl"})
          .code,
      0);
  EXPECT_FALSE(std::filesystem::exists(output_ + "/gannet-resume.json"));
  EXPECT_EQ(gannet(resumed()).code, 2);
}

/// A link of the name of the folder, or in it, leads to files of others.
TEST_F(Resume, FollowsNoLink) {
  std::filesystem::create_directories(folder_ / "elsewhere/index");
  write_file(folder_ / "elsewhere/index/theirs", "kept");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", unfinished_);
  const Output refused = gannet(resumed());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("symbolic link"));
  EXPECT_EQ(read_file(folder_ / "elsewhere/index/theirs"), "kept");
  std::filesystem::remove(unfinished_);
  std::filesystem::create_directory(unfinished_);
  std::filesystem::create_directory_symlink(folder_ / "elsewhere/index", unfinished_ + "/index");
  EXPECT_THAT(gannet(resumed()).err, HasSubstr("symbolic link"));
  EXPECT_EQ(read_file(folder_ / "elsewhere/index/theirs"), "kept");
}

TEST_F(Resume, AnInterruptKeepsWhatWasRead) {
  std::vector<std::string> all = resumed();
  all.insert(all.begin(), kCommand);
  Process process(all, {});
  while (process.running() && !std::filesystem::exists(unfinished_ + "/index/manifest.json")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process.signal(SIGTERM);
  const Output ended = process.wait();
  if (ended.code == 0) return;  // it was faster
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("the same command goes on"));
  EXPECT_TRUE(std::filesystem::exists(unfinished_ + "/progress.json"));
  EXPECT_FALSE(std::filesystem::exists(output_));
  const auto files = [&] {
    const Output built = gannet(resumed());
    EXPECT_EQ(built.code, 0) << built.err;
    return index_files(output_);
  }();
  std::filesystem::remove_all(output_);
  EXPECT_TRUE(files == expected());
}

TEST_F(Resume, KeepsWhetherThereArePositions) {
  stop_before_the_merge(resumed({"--no-positions"}));
  const Output other = gannet(resumed());
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("--no-positions is another one"));
  const Output built = gannet(resumed({"--no-positions"}));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(json_at(gannet({"inspect", output_, "--json"}).out, "/positions"), "null");
  EXPECT_EQ(gannet(resumed()).code, 2) << "a finished build has other options, too";
}

/// Stops a build behind its first step, by a document in the second that ends it.
TEST_F(Resume, OtherInputOrOptionsAreRefused) {
  const std::string sound = read_file(input_);
  std::string text = sound;
  const std::size_t place = text.find('\n', text.size() / 2) + 1;
  text.insert(place, "{\"id\": \"d1\", \"contents\": \"twice\"}\n");
  write_file(input_, text);
  const Output stopped = gannet(resumed());
  EXPECT_NE(stopped.code, 0);
  EXPECT_THAT(stopped.err, HasSubstr("'d1'"));
  ASSERT_TRUE(std::filesystem::exists(unfinished_ + "/index/manifest.json"));
  const auto left = snapshot(unfinished_);
  for (const auto& [option, value] : {std::pair{"--stemmer", "none"}, {"--encoding", "latin1"}}) {
    const Output again = gannet(resumed({option, value}));
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, HasSubstr(std::string(option) + " is another one"));
  }
  const Output without = gannet(resumed({"--no-positions"}));
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("--no-positions is another one"));
  write_file(input_, sound);
  const Output mended = gannet(resumed());
  EXPECT_EQ(mended.code, 2);
  EXPECT_THAT(mended.err, HasSubstr("docs.jsonl has another size"));
  EXPECT_THAT(mended.err, HasSubstr("remove the folder to begin again"));
  EXPECT_TRUE(snapshot(unfinished_) == left);
  std::filesystem::remove_all(unfinished_);
  EXPECT_EQ(gannet(resumed()).code, 0);
}

TEST_F(Resume, AnIndexThatIsThereStaysUntilTheEnd) {
  EXPECT_EQ(gannet(command()).code, 0);
  const auto before = snapshot(output_);
  const Output refused = gannet(resumed());
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(snapshot(output_) == before);
  EXPECT_FALSE(std::filesystem::exists(unfinished_));
  EXPECT_EQ(gannet(resumed({"--overwrite"})).code, 0);
  const Output sound = gannet({"verify", output_});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
}

TEST_F(Resume, WhatCannotBeResumedSaysSo) {
  const auto refused = [&](std::vector<std::string> arguments) {
    const Output output = gannet(std::move(arguments));
    EXPECT_EQ(output.code, 2) << output.err;
    EXPECT_FALSE(std::filesystem::exists(unfinished_));
    return output.err;
  };
  write_file(folder_ / "rows.csv", "year\n1\n");
  EXPECT_THAT(refused({"index", "--input", input_, "--format", "jsonl", "--output", output_,
                       "--resume", "--rows", folder_ / "rows.csv", "--field", "year:i32"}),
              HasSubstr("--rows"));
  EXPECT_THAT(
      refused({"index", "--input", input_, "--format", "ds2i", "--output", output_, "--resume"}),
      HasSubstr("posting lists"));
  EXPECT_THAT(refused({"index", "--input", "/dev/null", "--format", "jsonl", "--output", output_,
                       "--resume"}),
              HasSubstr("only files can"));
  EXPECT_THAT(refused(command({"--resume", "--step", "0"})), HasSubstr("--step"));
  EXPECT_THAT(refused(command({"--step", "1G"})), HasSubstr("--resume"));
}

TEST_F(Resume, AFolderOfOthersIsLeftAlone) {
  std::filesystem::create_directories(unfinished_ + "/index");
  write_file(unfinished_ + "/index/theirs.txt", "kept");
  const Output refused = gannet(resumed());
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("is not empty"));
  EXPECT_EQ(read_file(unfinished_ + "/index/theirs.txt"), "kept");
  EXPECT_FALSE(std::filesystem::exists(output_));
}

/// Killed when the first file was being written.
TEST_F(Resume, WhatWasLeftBeforeItBeganIsItsOwn) {
  std::filesystem::create_directories(unfinished_);
  write_file(unfinished_ + "/gannet.lock", "");
  write_file(unfinished_ + "/progress.json.4711-0.gannet.tmp", "{\"task\":");
  const Output built = gannet(resumed());
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_FALSE(std::filesystem::exists(unfinished_));
}

/// Somebody has written an index there since the merge began.
TEST_F(Resume, AnotherIndexInTheOutputIsNotItsOwn) {
  stop_before_the_merge(resumed());
  write_file(folder_ / "other.tsv", "1\tcat\n");
  ASSERT_EQ(
      gannet({"index", "--input", folder_ / "other.tsv", "--format", "tsv", "--output", output_})
          .code,
      0);
  const auto others = index_files(output_);
  const Output refused = gannet(resumed());
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("there is an index already"));
  EXPECT_TRUE(index_files(output_) == others);
  const Output built = gannet(resumed({"--overwrite", "--json"}));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(json_at(built.out, "/documents"), "30000");
  EXPECT_FALSE(std::filesystem::exists(unfinished_));
}

TEST_F(Resume, TimeOfWhatWasDoneBeforeCounts) {
  stop_before_the_merge(resumed());
  std::string progress = read_file(unfinished_ + "/progress.json");
  ASSERT_THAT(progress, HasSubstr("\"seconds\":"));
  const std::size_t seconds = progress.find("\"seconds\":") + 10;
  const std::size_t end = progress.find_first_of(",}", seconds);
  EXPECT_GT(std::stod(json_at(progress, "/steps/0/seconds")), 0);
  write_file(unfinished_ + "/progress.json", progress.replace(seconds, end - seconds, "1000.5"));
  const Output built = gannet(resumed({"--json"}));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_GT(std::stod(json_at(built.out, "/seconds")), 1000);
}

TEST_F(Resume, NamesOfFilesMayHaveAnyBytes) {
  const std::string input = folder_ / "caf\xe9.tsv";
  write_file(input, "1\tcat\n");
  const std::vector<std::string> arguments{"index", "--input",  input,   "--format",
                                           "tsv",   "--output", output_, "--resume"};
  stop_before_the_merge(arguments);
  EXPECT_EQ(gannet(arguments).code, 0);
  stop_before_the_merge([&] {
    std::vector<std::string> again = arguments;
    again.emplace_back("--overwrite");
    return again;
  }());
  write_file(input, "1\tcats\n");
  EXPECT_THAT(gannet(arguments).err, HasSubstr("caf\\xE9.tsv has another size"));
}

TEST_F(Resume, StepsAreNoInput) {
  folder_.write("docs/a.tsv", "1\tcat\n");
  const auto before = names_in(folder_ / "docs");
  const Output refused = gannet({"index", "--input", folder_ / "docs", "--format", "tsv",
                                 "--output", folder_ / "docs/idx", "--resume"});
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("would be read"));
  EXPECT_EQ(names_in(folder_ / "docs"), before);
}

TEST_F(Resume, TheOutputMayBeWhereOneIs) {
  write_file(folder_ / "a.tsv", "1\tcat\n");
  const auto before = names_in(folder_.path());
  for (const std::string more : {"--resume", "--order id --overwrite"}) {
    const Output built =
        shell("mkdir -p '" + output_ + "' && cd '" + output_ +
              "' && $GANNET index --input ../a.tsv --format tsv --output . " + more);
    EXPECT_EQ(built.code, 0) << more << ": " << built.err;
    EXPECT_EQ(gannet({"search", "--index", output_, "--count", "cat"}).out, "1\n") << more;
  }
  std::filesystem::remove_all(output_);
  EXPECT_EQ(names_in(folder_.path()), before);
}

TEST_F(Resume, OrderIsAnotherStep) {
  const Output refused = gannet(resumed({"--order", "bisection"}));
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("gannet reorder"));
}

TEST_F(Resume, SkippedRecordsAreListed) {
  const std::string list = folder_ / "bad.txt";
  const Output built = gannet(command({"--skipped", list}));
  EXPECT_EQ(built.code, 0) << built.err;
  const std::string lines = read_file(list);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3);
  EXPECT_THAT(lines, HasSubstr("docs.jsonl:702: not a valid JSON object"));
  const Output refused = gannet({"index", "--input", input_, "--format", "jsonl", "--output",
                                 folder_ / "other", "--skipped", list});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--skipped"));
}

/// Lines that are appended to what is read would be read, and be malformed, and be appended.
TEST_F(Resume, SkippedRecordsAreListedElsewhere) {
  folder_.write("docs/a.jsonl", "{}\n");
  for (const std::filesystem::path& list : {folder_ / "docs/bad.txt", folder_ / "docs/a.jsonl"}) {
    const Output refused = gannet({"index", "--input", folder_ / "docs", "--format", "jsonl",
                                   "--output", output_, "--on-error", "skip", "--skipped", list});
    EXPECT_EQ(refused.code, 2) << list;
    EXPECT_THAT(refused.err, HasSubstr("is read as --input"));
  }
  EXPECT_EQ(names_in(folder_ / "docs"), std::set<std::string>{"a.jsonl"});
  EXPECT_EQ(read_file(folder_ / "docs/a.jsonl"), "{}\n");
}

}  // namespace
}  // namespace gannet::test
