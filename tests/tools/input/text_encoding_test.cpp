// UTF-16 wherever the command reads a text: with a byte order mark it is converted, without one it
// is refused with a hint, and never read as something else.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// UTF-16LE of ASCII.
std::string wide(std::string_view text) {
  std::string bytes;
  for (const char c : text) bytes += std::string{c, '\0'};
  return bytes;
}

class TextEncoding : public ::testing::Test {
 protected:
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  /// Files of one text: as it is, with the mark of UTF-16 and without.
  void texts(std::string_view text) {
    write_file(folder_ / "plain", text);
    write_file(folder_ / "marked", "\xff\xfe" + wide(text));
    write_file(folder_ / "bare", wide(text));
  }
  void expect_same(const std::string& text, const std::string& before, const std::string& behind) {
    texts(text);
    const auto with = [&](const std::string& file) { return in_folder(before + file + behind); };
    const Output plain = with("plain");
    EXPECT_EQ(plain.code, 0) << before << ": " << plain.err;
    const Output marked = with("marked");
    EXPECT_EQ(marked.code, 0) << before << ": " << marked.err;
    EXPECT_EQ(marked.out, plain.out) << before;
    const Output bare = with("bare");
    EXPECT_EQ(bare.code, 3) << before << ": " << bare.out;
    EXPECT_TRUE(is_one_line(bare.err)) << before << ": " << bare.err;
    EXPECT_THAT(bare.err, AllOf(HasSubstr("this looks like UTF-16LE"),
                                HasSubstr("iconv -f UTF-16LE -t UTF-8")))
        << before;
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(TextEncoding, ListsOfTheCommandLine) {
  expect_same("cat\ndog\n", "$GANNET index animals.jsonl -o sw -q --overwrite --stop-words ",
              " && $GANNET search sw --count cat");
  expect_same("cat, dog, fish\n", "$GANNET search idx --count cat --synonyms ", "");
  expect_same("[{\"name\": \"n\", \"type\": \"i32\"}]",
              "$GANNET index animals.jsonl -o sc -q --overwrite --schema ",
              " && $GANNET inspect sc --json | grep -o '\"name\":\"n\"'");
  expect_same("d-cat\nd-dog\n", "$GANNET delete idx --dry-run --ids ", "");
  expect_same("d-cat\nd-dog\n", "$GANNET get idx --input ", "");
  expect_same("cats and dogs", "$GANNET search idx --docids --like-text ", "");
}

TEST_F(TextEncoding, TopicsRunsAndJudgements) {
  expect_same("1\tcat\n2\tfish\n", "$GANNET run idx -q --output - --topics ", "");
  write_file(folder_ / "run", "1 Q0 d-cat 1 2.5 x\n1 Q0 d-dog 2 2.0 x\n");
  write_file(folder_ / "qrels", "1 0 d-dog 1\n");
  expect_same("1 0 d-dog 1\n1 0 d-cat 0\n", "$GANNET eval --run run --qrels ", "");
  expect_same("1 Q0 d-cat 1 2.5 x\n1 Q0 d-dog 2 2.0 x\n", "$GANNET eval --qrels qrels --run ", "");
}

TEST_F(TextEncoding, LinesOfStdin) {
  expect_same("cat\nfish\n", "$GANNET search idx --docids - <", "");
  expect_same("d-cat\n", "$GANNET get idx --input - <", "");
}

TEST_F(TextEncoding, Documents) {
  expect_same(std::string(kAnimals),
              "$GANNET index -f jsonl -o docs -q --overwrite --on-error stop --input ",
              " && $GANNET search docs --count cat");
}

}  // namespace
}  // namespace gannet::test
