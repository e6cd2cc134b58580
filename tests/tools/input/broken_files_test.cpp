// Input files that are cut off, damaged or cannot be read: an error, or with --on-error skip an
// index of what is there and an exit code that says so.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class BrokenFiles : public ::testing::Test {
 protected:
  BrokenFiles() {
    for (int i = 0; i < 3000; ++i) {
      lines_ += "{\"id\": \"d" + std::to_string(i) + "\", \"contents\": \"word" +
                std::to_string(i * 7919 % 1009) + " cat\"}\n";
    }
    write_file(folder_ / "whole.jsonl", "{\"id\": \"w\", \"contents\": \"cat\"}\n");
  }
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  /// Half of a compressed file.
  std::size_t cut(const std::string& name, const std::string& packed) {
    write_file(folder_ / name, packed.substr(0, packed.size() / 2));
    return packed.size() / 2;
  }

  TemporaryDirectory folder_;
  std::string lines_;
};

TEST_F(BrokenFiles, ACutFileIsBadInputAndNamesWhereItEnds) {
  for (const auto& [name, packed] :
       {std::pair<std::string, std::string>{"cut.jsonl.gz", gzip(lines_)},
        {"cut.jsonl.zst", zstd(lines_)},
        {"cut.jsonl.bz2", bzip2(lines_)}}) {
    const std::size_t end = cut(name, packed);
    const Output made = in_folder("$GANNET index " + name + " -f jsonl -o idx -q");
    EXPECT_EQ(made.code, 3) << made.err;
    EXPECT_TRUE(is_one_line(made.err)) << made.err;
    EXPECT_THAT(made.err, AllOf(HasSubstr(name), HasSubstr("ends too early"),
                                HasSubstr("at byte " + std::to_string(end) + " of the file")));
  }
}

TEST_F(BrokenFiles, WithSkipTheBeginningStaysAndTheExitCodeSaysSo) {
  cut("cut.jsonl.gz", gzip(lines_));
  const Output made =
      in_folder("$GANNET index cut.jsonl.gz whole.jsonl -o idx --on-error skip --json");
  EXPECT_EQ(made.code, 8) << made.err;
  EXPECT_THAT(json_at(made.out, "/broken_files/0"),
              AllOf(HasSubstr("cut.jsonl.gz: "), HasSubstr("ends too early"),
                    HasSubstr("what stands before line ")));
  const int documents = std::stoi(json_at(made.out, "/documents"));
  EXPECT_GT(documents, 100);
  EXPECT_LT(documents, 3000);
  const Output found = in_folder("$GANNET search idx --count cat");
  EXPECT_EQ(found.out, std::to_string(documents) + "\n");
  EXPECT_THAT(in_folder("$GANNET get idx w").out, HasSubstr("live")) << "others are read";
}

TEST_F(BrokenFiles, TextNamesThemApartFromRecords) {
  cut("cut.jsonl.gz", gzip(lines_));
  write_file(folder_ / "bad.jsonl", "{\"id\": \"w\", \"contents\": \"cat\"}\nno json\n");
  const Output made =
      in_folder("$GANNET index cut.jsonl.gz bad.jsonl -f jsonl -o idx --on-error skip");
  EXPECT_EQ(made.code, 8) << made.err;
  EXPECT_THAT(made.err, AllOf(HasSubstr("gannet index: warning: cut.jsonl.gz: "),
                              HasSubstr("gannet index: 1 malformed record skipped\n")));
}

TEST_F(BrokenFiles, DeltasAreHeldToTheSame) {
  ASSERT_EQ(in_folder("$GANNET index whole.jsonl -o idx -q").code, 0);
  cut("cut.jsonl.zst", zstd(lines_));
  EXPECT_EQ(in_folder("$GANNET add idx cut.jsonl.zst").code, 3);
  EXPECT_EQ(in_folder("$GANNET add idx cut.jsonl.zst --on-error skip").code, 8);
  EXPECT_EQ(in_folder("$GANNET update idx cut.jsonl.zst --on-error skip").code, 8);
}

TEST_F(BrokenFiles, AResumedBuildRemembersThem) {
  cut("cut.jsonl.gz", gzip(lines_));
  const std::string build =
      "$GANNET index cut.jsonl.gz whole.jsonl -f jsonl -o idx --on-error skip --resume --step 1";
  const Output made = in_folder(build + " --json");
  EXPECT_EQ(made.code, 8) << made.err;
  EXPECT_THAT(json_at(made.out, "/broken_files/0"), HasSubstr("cut.jsonl.gz: "));
  EXPECT_EQ(in_folder(build).code, 8) << "it is complete already, and still lacks something";
}

TEST_F(BrokenFiles, AFileThatCannotBeReadIsOneToo) {
  std::filesystem::create_directory(folder_ / "docs");
  write_file(folder_ / "docs/a.txt", "cat");
  write_file(folder_ / "docs/b.txt.gz", gzip("some text").substr(0, 12));
  const Output made = in_folder("$GANNET index docs -f dir -o idx --on-error skip");
  EXPECT_EQ(made.code, 8) << made.err;
  EXPECT_THAT(made.err, AllOf(HasSubstr("warning: docs/b.txt.gz: "), Not(HasSubstr("malformed"))));
}

}  // namespace
}  // namespace gannet::test
