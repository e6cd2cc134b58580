// Names of fields and columns that are mistyped: each is named, with the nearest one that there is.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class UnknownNames : public ::testing::Test {
 protected:
  UnknownNames() {
    write_file(folder_ / "x.jsonl",
               "{\"id\": 1, \"title\": \"cat\", \"body\": \"dog\", \"year\": 3, \"tag\": \"a\"}\n");
    write_file(folder_ / "x.csv", "id,title,body,year\n1,cat,dog,3\n");
  }
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; $GANNET " + line);
  }

  TemporaryDirectory folder_;
};

TEST_F(UnknownNames, OneThatFitsHidesNoOther) {
  const Output made =
      in_folder("index x.jsonl -q -o idx --fields titel,body,bogus --field yaer:i32");
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.err, AllOf(HasSubstr("'titel' (did you mean 'title'?), which --fields"),
                              HasSubstr("'bogus', which --fields names"), Not(HasSubstr("'body'")),
                              HasSubstr("the field 'yaer' (did you mean 'year'?)")));
  EXPECT_THAT(in_folder("index x.jsonl -q -o i2 --fields title,body --field year:i32").err,
              IsEmpty());
}

TEST_F(UnknownNames, OfTextsNoneOfWhichIsThereAllAreNamed) {
  const Output made = in_folder("index x.jsonl -q -o idx --fields titel,bogus");
  EXPECT_EQ(made.code, 3);
  EXPECT_THAT(made.err, HasSubstr("no 'titel' and no 'bogus'"));
}

TEST_F(UnknownNames, OfColumnsAllAreNamed) {
  const Output made =
      in_folder("index x.csv -q -o idx --fields titel,body,bogus --field yaer:i32 --id-field id");
  EXPECT_EQ(made.code, 3);
  EXPECT_TRUE(is_one_line(made.err)) << made.err;
  EXPECT_THAT(made.err, AllOf(HasSubstr("'yaer' (did you mean 'year'?)"),
                              HasSubstr("'titel' (did you mean 'title'?)"), HasSubstr("'bogus'"),
                              HasSubstr("it names id, title, body, year")));
}

TEST_F(UnknownNames, OfPagesAndOfTopicsAllAreNamed) {
  write_file(folder_ / "x.warc", "WARC/1.0\r\n\r\n");
  const Output pages = in_folder("index x.warc -q -o idx --fields titel,body,bogus");
  EXPECT_EQ(pages.code, 2);
  EXPECT_THAT(pages.err, AllOf(HasSubstr("'titel' (did you mean 'title'?)"), HasSubstr("'bogus'")));
  const Output topics =
      in_folder("run idx --topics x.csv --output - --topic-fields titel,narrative,bogus");
  EXPECT_EQ(topics.code, 2);
  EXPECT_THAT(topics.err, AllOf(HasSubstr("'titel' (did you mean 'title'?)"), HasSubstr("'bogus'"),
                                HasSubstr("none of title, description, narrative")));
}

TEST_F(UnknownNames, EveryListOfASearchNamesAll) {
  ASSERT_EQ(in_folder("index x.jsonl -q -o idx --fields body --field year:i32 --field tag:keyword "
                      "--field title:text")
                .code,
            0);
  for (const std::string option : {"--facet", "--sort", "--stats", "--fields", "--search-fields"}) {
    const bool texts = option == "--search-fields";
    const Output found =
        in_folder("search idx dog " + option + (texts ? " titel,bogus" : " yaer,tag,bogus"));
    EXPECT_EQ(found.code, 2) << option;
    EXPECT_TRUE(is_one_line(found.err)) << option << ": " << found.err;
    EXPECT_THAT(found.err, AllOf(HasSubstr(texts ? "'titel' (did you mean 'title'?)"
                                                 : "'yaer' (did you mean 'year'?)"),
                                 HasSubstr("'bogus'")))
        << option;
  }
  const Output bins = in_folder("search idx dog --histogram yaer:1 --histogram bogus:1");
  EXPECT_THAT(bins.err, AllOf(HasSubstr("'yaer' (did you mean 'year'?)"), HasSubstr("'bogus'")));
}

}  // namespace
}  // namespace gannet::test
