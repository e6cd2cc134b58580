// gannet index where the input was misunderstood: nothing is wrong, but what came of it is not
// what was meant.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class BuildWarnings : public ::testing::Test {
 protected:
  Output index(const std::string& text, std::vector<std::string> more = {}) {
    write_file(input_, text);
    more.insert(more.begin(), {"index", "--input", input_, "--format", "jsonl", "--output",
                               (folder_ / "idx").string(), "--overwrite"});
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
  std::string input_ = folder_ / "docs.jsonl";
  const std::string good_ = "{\"id\": \"a\", \"contents\": \"x\", \"m\": {\"year\": 1851}}\n";
};

TEST_F(BuildWarnings, NameAFieldThatNoDocumentHas) {
  const std::vector<std::string> fields{"--field",           "yaer:i32", "--field",
                                        "y:i32:path=m.year", "--field",  "z:keyword:path=m.zeit"};
  const Output built = index(good_, fields);
  EXPECT_EQ(built.code, 0);
  EXPECT_THAT(built.err,
              AllOf(HasSubstr("warning: no document has a value of the field 'yaer'\n"),
                    HasSubstr("no document has a value of the field 'z', looked for as 'm.zeit'"),
                    Not(HasSubstr("'y'"))));
  std::vector<std::string> json = fields;
  json.emplace_back("--json");
  EXPECT_EQ(json_at(index(good_, json).out, "/warnings/0"),
            "\"no document has a value of the field 'yaer'\"");
}

TEST_F(BuildWarnings, SayThatNothingWasFound) {
  const Output empty = index("");
  EXPECT_EQ(empty.code, 0);
  EXPECT_THAT(empty.err, HasSubstr("warning: no document was found in " + input_ +
                                   ", which is empty (read as jsonl)"));
  const Output blank = index("\n\n");
  EXPECT_THAT(blank.err, HasSubstr("no document was found in " + input_ + " (read as jsonl)"));
}

TEST_F(BuildWarnings, SayThatNoDocumentHasAWord) {
  const Output wordless = index("{\"id\": \"a\", \"contents\": \"...\"}\n");
  EXPECT_EQ(wordless.code, 0);
  EXPECT_THAT(wordless.err, HasSubstr("warning: 1 document was read, and it has no word"));
}

TEST_F(BuildWarnings, AreNoneWhereAllIsWell) {
  const Output built = index(good_, {"--json", "--field", "year:i32:path=m.year"});
  EXPECT_EQ(built.err, "");
  EXPECT_EQ(json_at(built.out, "/warnings"), "[]");
}

TEST_F(BuildWarnings, AnUnknownFormatIsAnsweredWithAllThatThereAre) {
  const Output wrong =
      gannet({"index", "--input", input_, "--format", "json", "--output", folder_ / "idx"});
  EXPECT_NE(wrong.code, 0);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("unknown format 'json' (did you mean 'jsonl'?)"),
                               HasSubstr("wikipedia"), HasSubstr("ds2i"), HasSubstr("ciff")));
}

TEST_F(BuildWarnings, TopicsWithoutTextAreNamed) {
  ASSERT_EQ(index(good_).code, 0);
  write_file(folder_ / "topics", "1\tx\n2\t\n");
  const Output run = gannet({"run", "--index", folder_ / "idx", "--topics", folder_ / "topics",
                             "--output", folder_ / "run", "--quiet"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.err, HasSubstr("warning: " + (folder_ / "topics").string() +
                                 ": 1 of 2 topics has no text and finds nothing; the first is "
                                 "'2'"));
  write_file(folder_ / "topics", "<top>\n<num> 1\n<desc> x\n</top>\n");
  const Output nothing = gannet({"run", "--index", folder_ / "idx", "--topics", folder_ / "topics",
                                 "--output", folder_ / "run2"});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_THAT(nothing.err, HasSubstr("no topic has a text that was asked for"));
}

}  // namespace
}  // namespace gannet::test
