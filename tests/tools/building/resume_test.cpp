// gannet index --resume: builds that are killed at any moment go on, to the bytes of one build.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

constexpr int kDocuments = 30'000;

/// All files but the lock, in which a process that was killed has left its name.
std::map<std::string, std::string> index_files(const std::filesystem::path& folder) {
  auto files = snapshot(folder);
  files.erase("gannet.lock");
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
    // It may have been done already.
    if (built.code != 0) {
      EXPECT_THAT(built.err, HasSubstr("overwrite"));
    } else {
      EXPECT_EQ(json_at(built.out, "/skipped"), "3");
    }
    EXPECT_TRUE(index_files(output_) == files) << "round " << round;
    std::filesystem::remove_all(output_);
  }
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
  const Output again = gannet(resumed({"--stemmer", "none"}));
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--stemmer is another one"));
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
              HasSubstr("only files"));
  EXPECT_THAT(refused(command({"--resume", "--step", "0"})), HasSubstr("--step"));
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

}  // namespace
}  // namespace gannet::test
