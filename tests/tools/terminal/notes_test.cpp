// What commands say beside their results: text, or with --json lines of JSON and nothing else.
#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Notes : public ::testing::Test {
 protected:
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Notes, WithJsonEveryLineOnStderrIsJson) {
  write_file(folder_ / "topics", "1\tcat\n2\t\n");
  write_file(folder_ / "qrels", "1 0 d-dog 1\n9 0 d-dog 1\n");
  write_file(folder_ / "run", "1 Q0 d-cat 1 2.5 x\n7 Q0 d-dog 2 2.0 x\n");
  write_file(folder_ / "bad.jsonl", "{\"id\": \"x\", \"contents\": \"cat\"}\nno json\n");
  write_file(folder_ / "sw", "the\n");
  ASSERT_EQ(in_folder("$GANNET index animals.jsonl -q -o stopped --stop-words sw").code, 0);
  for (const std::string command :
       {"index animals.jsonl --field nosuch:i32", "index bad.jsonl -f jsonl --on-error skip",
        "index animals.jsonl --id-field nosuch", "search idx --explain nosuch cat",
        "search idx --like nosuch", "search stopped the", "delete idx --id nosuch",
        "get idx nosuch", "run idx --topics topics --output -", "eval --qrels qrels --run run",
        "add idx animals.jsonl", "search idx 'cat (dog'"}) {
    const Output said = in_folder("$GANNET " + command + " --json");
    std::istringstream lines(said.err);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(is_json(line)) << command << ": " << line;
      if (is_json(line)) {
        EXPECT_EQ(json_at(line, "/version"), "1") << command;
      }
    }
  }
}

TEST_F(Notes, ANoteIsOneObjectThatNamesTheCommand) {
  const Output made = in_folder("$GANNET index animals.jsonl --json");
  EXPECT_EQ(made.code, 0);
  EXPECT_EQ(json_at(made.err, "/command"), "\"index\"");
  EXPECT_EQ(json_at(made.err, "/note"), "\"format jsonl, output animals.gannet\"");
}

TEST_F(Notes, TextIsAsItWas) {
  const Output made = in_folder("$GANNET index animals.jsonl");
  EXPECT_EQ(made.err, "gannet index: format jsonl, output animals.gannet\n");
  EXPECT_THAT(in_folder("$GANNET index animals.jsonl -o x --field no:i32").err,
              HasSubstr("gannet index: warning: no document has a value"));
  EXPECT_THAT(in_folder("$GANNET index animals.jsonl -o y -q").err, Not(HasSubstr("format")));
}

}  // namespace
}  // namespace gannet::test
