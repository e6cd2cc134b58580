// Searches that are not quite as they were meant: the message says what was meant.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Mistyped : public ::testing::Test {
 protected:
  Mistyped() {
    write_file(folder_ / "x.jsonl", "{\"id\": \"a\", \"contents\": \"cat\", \"year\": 3}\n");
    in_folder("$GANNET index x.jsonl -q -o idx --field year:i32");
  }
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  std::string refused(const std::string& words) {
    const Output found = in_folder("$GANNET search idx " + words);
    EXPECT_EQ(found.code, 2) << words;
    EXPECT_TRUE(is_one_line(found.err)) << found.err;
    return found.err;
  }

  TemporaryDirectory folder_;
};

TEST_F(Mistyped, AQueryThatExplainTookIsNamed) {
  EXPECT_THAT(
      refused("--explain 'solar power'"),
      AllOf(HasSubstr("a query is missing"), HasSubstr("'solar power' was taken for the id"),
            HasSubstr("--explain ID QUERY")));
}

TEST_F(Mistyped, AnEmptyQueryIsNone) {
  for (const std::string words : {"''", "' '", "--count ''", "--docids ''", "'' --filter year:3"}) {
    EXPECT_THAT(refused(words), HasSubstr("the query is empty"));
  }
  // In a batch it finds nothing, as other lines may.
  const Output lines = in_folder("printf 'cat\\n\\ncat\\n' | $GANNET search idx --count -");
  EXPECT_EQ(lines.code, 0);
  EXPECT_EQ(lines.out, "1\n0\n1\n");
  EXPECT_EQ(in_folder("$GANNET search idx --count --filter year:3").out, "1\n");
}

TEST_F(Mistyped, SortKeysOfOtherProgramsGiveThoseOfThisOne) {
  for (const std::string key :
       {"year desc", "-year", "year:descending", "year DESC", "year:DESC"}) {
    EXPECT_THAT(refused("cat --sort '" + key + "'"), HasSubstr("did you mean 'year:desc'?")) << key;
  }
  EXPECT_THAT(refused("cat --sort 'year asc'"), HasSubstr("did you mean 'year:asc'?"));
  EXPECT_THAT(refused("cat --sort 'year:down'"), Not(HasSubstr("did you mean")));
  EXPECT_EQ(in_folder("$GANNET search idx cat --docids").code, 0);
}

}  // namespace
}  // namespace gannet::test
