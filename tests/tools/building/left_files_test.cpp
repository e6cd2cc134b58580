// What commands that were killed have left, and files of others beside it.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <string>
#include <thread>

#include "index/files/unfinished_mark.hpp"
#include "index/manifest/directory_lock.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class LeftFiles : public ::testing::Test {
 protected:
  LeftFiles() {
    std::string lines;
    for (int i = 0; i < 60'000; ++i) {
      lines += std::to_string(i) + "\tword" + std::to_string(i % 9973) + " common text\n";
    }
    write_file(input_, lines);
  }

  std::vector<std::string> command(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"index", "--input",  input_,           "--format",
                                 "tsv",   "--output", output_.string(), "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// Folders beside the output that a build in order works in.
  std::set<std::string> scratch() const {
    std::set<std::string> names = names_in(folder_.path());
    std::erase_if(names,
                  [](const std::string& name) { return !name.starts_with("idx.building-"); });
    return names;
  }
  /// Kills a build in order once its working folder has something in it.
  void kill_build() {
    std::vector<std::string> all = command({"--order", "id", "--overwrite"});
    all.insert(all.begin(), kCommand);
    Process build(all, {});
    const auto at_work = [&] {
      const std::set<std::string> names = scratch();
      return !names.empty() && fs::exists(folder_.path() / *names.begin() / "index");
    };
    while (build.running() && !at_work()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    build.signal(SIGKILL);
    EXPECT_EQ(build.wait().code, 128 + SIGKILL);
    EXPECT_EQ(scratch().size(), 1u);
  }

  TemporaryDirectory folder_;
  const std::string input_ = folder_ / "docs.tsv";
  const fs::path output_ = folder_ / "idx";
};

TEST_F(LeftFiles, TheNextBuildRemovesTheFolderOfAKilledOne) {
  kill_build();
  const Output built = gannet(command({"--order", "id"}));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(scratch().empty());
  kill_build();
  EXPECT_EQ(gannet(command({"--overwrite"})).code, 0) << "also one that has no order";
  EXPECT_TRUE(scratch().empty());
}

TEST_F(LeftFiles, AFailedBuildInOrderLeavesNothing) {
  write_file(input_, "1\tone\n1\ttwice\n");
  EXPECT_EQ(gannet(command({"--order", "id"})).code, 3);
  EXPECT_TRUE(scratch().empty());
}

TEST_F(LeftFiles, FoldersOfOthersAndOfLivingBuildsStay) {
  const fs::path other = folder_ / "idx.building-reports";  // too few or many letters
  fs::create_directory(other);
  const fs::path notes = folder_ / "idx.building-notes1";
  fs::create_directory(notes);
  write_file(notes / "gannet.lock", "");
  write_file(notes / "plan.txt", "precious");
  const fs::path within = folder_ / "idx.building-within";
  fs::create_directories(within / "index");
  write_file(within / "gannet.lock", "");
  write_file(within / "index/film", "precious");
  const fs::path link = folder_ / "idx.building-linked";
  fs::create_directory(folder_ / "elsewhere");
  write_file(folder_ / "elsewhere/gannet.lock", "");
  fs::create_directory_symlink(folder_ / "elsewhere", link);
  const fs::path living = folder_ / "idx.building-atwork";
  fs::create_directories(living / "index");
  const index::DirectoryLock lock(living);
  index::mark_unfinished(living);
  const fs::path backup = folder_ / "idx.building-backup";
  ASSERT_EQ(gannet({"index", "--input", input_, "--format", "tsv", "--output", backup / "index",
                    "--quiet"})
                .code,
            0);
  write_file(backup / "gannet.lock", "");
  EXPECT_EQ(gannet(command({"--order", "id"})).code, 0);
  EXPECT_TRUE(fs::exists(other));
  EXPECT_EQ(read_file(notes / "plan.txt"), "precious");
  EXPECT_EQ(read_file(within / "index/film"), "precious");
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere/gannet.lock"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::exists(living / "index"));
  EXPECT_TRUE(fs::exists(backup / "index/manifest.json"));
}

TEST_F(LeftFiles, AListOfSkippedRecordsThatIsThereIsNotAddedTo) {
  write_file(folder_ / "bad.jsonl", "{broken\n{\"id\": \"a\", \"contents\": \"b\"}\n");
  const auto build = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"index",    "--input",   folder_ / "bad.jsonl",
                                 "--format", "jsonl",     "--on-error",
                                 "skip",     "--skipped", folder_ / "list"};
    all.insert(all.end(), more.begin(), more.end());
    return gannet(all);
  };
  write_file(folder_ / "list", "notes of mine\n");
  const Output refused = build({"--output", folder_ / "one"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("--skipped"), HasSubstr("there is a file already"),
                                 HasSubstr("--overwrite"), HasSubstr("--resume")));
  EXPECT_EQ(read_file(folder_ / "list"), "notes of mine\n");
  EXPECT_FALSE(fs::exists(folder_ / "one"));
  EXPECT_EQ(build({"--output", folder_ / "one", "--overwrite"}).code, 0);
  EXPECT_THAT(read_file(folder_ / "list"), HasSubstr("bad.jsonl:1"));
  EXPECT_THAT(read_file(folder_ / "list"), ::testing::Not(HasSubstr("notes")));
  fs::remove(folder_ / "list");
  EXPECT_EQ(build({"--output", folder_ / "two"}).code, 0);
  EXPECT_THAT(read_file(folder_ / "list"), HasSubstr("bad.jsonl:1"));
}

/// A command line that is wrong costs no file, whatever --overwrite says.
TEST_F(LeftFiles, AListOfSkippedRecordsStaysUntilInputAndOutputAreOpen) {
  write_file(folder_ / "docs.jsonl", "{\"id\": \"a\", \"contents\": \"b\"}\n");
  const auto build = [&](const std::string& input, const std::string& output) {
    return gannet({"index", "--input", input, "--format", "jsonl", "--output", output, "--on-error",
                   "skip", "--skipped", folder_ / "list", "--overwrite"});
  };
  write_file(folder_ / "list", "notes of mine\n");
  write_file(folder_ / "file", "");
  EXPECT_EQ(build(folder_ / "missing.jsonl", folder_ / "one").code, 4);
  EXPECT_NE(build(folder_ / "docs.jsonl", folder_ / "file").code, 0);
  EXPECT_EQ(read_file(folder_ / "list"), "notes of mine\n");
  EXPECT_EQ(build(folder_ / "docs.jsonl", folder_ / "one").code, 0);
  EXPECT_EQ(read_file(folder_ / "list"), "");
}

TEST_F(LeftFiles, MessagesNameNoTemporaryFile) {
  ASSERT_EQ(gannet(command()).code, 0);
  const fs::path lists = folder_ / "lists/cran";
  const Output refused =
      gannet({"export", "--index", output_, "--format", "ds2i", "--output", lists});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(lists.string()), HasSubstr("there is no folder '"),
                                 ::testing::Not(HasSubstr(".tmp"))));
}

}  // namespace
}  // namespace gannet::test
