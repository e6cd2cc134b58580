// gannet index, inspect and verify with fields, as a user types it.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBooks =
    R"({"id": "1", "contents": "a whale", "year": 1851, "meta": {"tags": ["sea", "whale"]}, "price": 9.5}
{"id": "2", "contents": "a bug", "year": 1915, "meta": {"tags": "bug"}}
{"id": "3", "contents": "an island", "meta": {"tags": ["sea"]}, "price": 12.25}
)";

class Fields : public ::testing::Test {
 protected:
  Fields() { write_file(input_, kBooks); }
  Output index(std::vector<std::string> more) {
    more.insert(more.begin(), {"index", "--input", input_, "--format", "jsonl", "--output", index_,
                               "--overwrite"});
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string input_ = folder_ / "books.jsonl";
};

TEST_F(Fields, AreInspectedAndVerified) {
  const Output made = index({"--field", "year:i32", "--field", "tag:keyword:multi:path=meta.tags",
                             "--field", "price:decimal(2):gpu-for"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string json = gannet({"inspect", index_, "--json"}).out;
  EXPECT_EQ(json_at(json, "/fields/0/name"), "\"year\"");
  EXPECT_EQ(json_at(json, "/fields/0/type"), "\"i32\"");
  EXPECT_EQ(json_at(json, "/fields/0/documents"), "2");
  EXPECT_EQ(json_at(json, "/fields/0/values"), "2");
  EXPECT_EQ(json_at(json, "/fields/1/multi"), "true");
  EXPECT_EQ(json_at(json, "/fields/1/path"), "\"meta.tags\"");
  EXPECT_EQ(json_at(json, "/fields/1/distinct"), "3");
  EXPECT_EQ(json_at(json, "/fields/1/values"), "4");
  EXPECT_EQ(json_at(json, "/fields/1/documents"), "3");
  EXPECT_EQ(json_at(json, "/fields/2/codec"), "\"gpu-for\"");
  EXPECT_EQ(json_at(json, "/fields/2/codecs"), "{\"gpu-for\":3}");
  EXPECT_GT(std::stod(json_at(json, "/fields/2/bits_per_value")), 0);
  EXPECT_GT(std::stoi(json_at(json, "/fields/1/bytes")), 0);
  const std::string table = gannet({"inspect", index_}).out;
  EXPECT_THAT(table, HasSubstr("keyword multi"));
  EXPECT_THAT(table, HasSubstr("decimal(2)"));
  EXPECT_THAT(gannet({"verify", index_}).out, HasSubstr("8 values of fields"));
  EXPECT_EQ(json_at(gannet({"verify", index_, "--json"}).out, "/values"), "8");
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "whale"}).out, "1\n");
}

TEST_F(Fields, SchemaFileAndOptionsTogether) {
  write_file(folder_ / "s.json",
             R"([{"name": "tag", "type": "keyword", "multi": true, "path": "meta.tags"}])");
  ASSERT_EQ(index({"--schema", folder_ / "s.json", "--field", "year:i32"}).code, 0);
  const std::string json = gannet({"inspect", index_, "--json"}).out;
  EXPECT_EQ(json_at(json, "/fields/0/name"), "\"tag\"");
  EXPECT_EQ(json_at(json, "/fields/1/name"), "\"year\"");
  const Output twice = index({"--schema", folder_ / "s.json", "--field", "tag:i32"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("'tag' is there twice"));
  write_file(folder_ / "s.json", R"([{"name": "tag", "type": "word"}])");
  const Output wrong = index({"--schema", folder_ / "s.json"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("s.json"), HasSubstr("no type 'word'")));
  EXPECT_EQ(index({"--schema", folder_ / "none.json"}).code, 4);
}

TEST_F(Fields, WrongOptionsAndValues) {
  EXPECT_EQ(index({"--field", "year"}).code, 2);
  EXPECT_THAT(index({"--field", "year:int"}).err, HasSubstr("no type 'int'"));
  const Output stopped = index({"--field", "tags:i32:path=meta.tags"});
  EXPECT_EQ(stopped.code, 3);
  EXPECT_THAT(stopped.err, AllOf(HasSubstr("books.jsonl:1"), HasSubstr("field 'tags'")));
  const Output skipped =
      index({"--field", "year:i16:path=year", "--field", "p:i8:path=price", "--on-error", "skip"});
  EXPECT_EQ(skipped.code, 0);
  EXPECT_THAT(skipped.err, HasSubstr("2 malformed records skipped"));
  const Output lists = gannet({"index", "--input", "x", "--format", "dir", "--output", index_,
                               "--overwrite", "--field", "a:i8"});
  EXPECT_EQ(lists.code, 2);
  EXPECT_THAT(lists.err, HasSubstr("no values of fields"));
}

TEST_F(Fields, CsvAsTheHelpShowsIt) {
  write_file(folder_ / "shop.csv", "id,title,year\n1,\"big, whale\",1851\n2,bug,\n");
  ASSERT_EQ(gannet({"index", "--input", folder_ / "shop.csv", "--format", "csv", "--output", index_,
                    "--field", "year:i32"})
                .code,
            0);
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "whale"}).out, "1\n");
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "1851"}).out, "0\n");
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/fields/0/documents"), "1");
  EXPECT_THAT(gannet({"help", "index"}).out, HasSubstr("--field NAME:TYPE"));
}

TEST_F(Fields, WithoutFieldsNothingIsSaidOfThem) {
  ASSERT_EQ(index({}).code, 0);
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/fields"), "[]");
  EXPECT_THAT(gannet({"inspect", index_}).out, Not(HasSubstr("bits/value")));
  EXPECT_THAT(gannet({"verify", index_}).out, Not(HasSubstr("fields")));
}

}  // namespace
}  // namespace gannet::test
