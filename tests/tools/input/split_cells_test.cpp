// Cells of tables that have several values: --field tags:keyword:multi:split=;
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SplitCells : public ::testing::Test {
 protected:
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  std::string tags(const std::string& id) {
    return json_at(in_folder("$GANNET get idx --json " + id).out, "/fields/tags");
  }

  TemporaryDirectory folder_;
};

TEST_F(SplitCells, ACellHasSeveralValues) {
  write_file(folder_ / "x.csv",
             "id,text,tags\n1,cat,b; a ;;b\n2,dog,\n3,fish,\"one;two, three\"\n");
  const Output made =
      in_folder("$GANNET index x.csv -q -o idx --fields text --field 'tags:keyword:multi:split=;'");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(tags("1"), R"(["a","b"])");
  EXPECT_EQ(tags("2"), "[]");
  EXPECT_EQ(tags("3"), R"(["one","two, three"])");
  // A delta is read as the index was built.
  write_file(folder_ / "y.tsv", "id\ttext\ttags\n4\tcow\tx;y\n");
  ASSERT_EQ(in_folder("$GANNET add idx y.tsv --header").code, 0);
  EXPECT_EQ(tags("4"), R"(["x","y"])");
}

TEST_F(SplitCells, NumbersAndTheSchemaFileDoAsWell) {
  write_file(folder_ / "x.csv", "id,text,tags\n1,cat,3 | 1|2\n");
  write_file(folder_ / "schema.json",
             R"([{"name": "tags", "type": "i32", "multi": true, "split": "|"}])");
  const Output made = in_folder("$GANNET index x.csv -q -o idx --fields text --schema schema.json");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(tags("1"), "[1,2,3]");
  write_file(folder_ / "bad.csv", "id,text,tags\n1,cat,3|x\n");
  const Output bad =
      in_folder("$GANNET index bad.csv -q -o i2 --fields text --field 'tags:i32:multi:split=|'");
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("bad.csv:2"), HasSubstr("'x'")));
}

TEST_F(SplitCells, WhatCannotBeMeantIsRefused) {
  write_file(folder_ / "x.csv", "id,text,tags\n1,cat,a;b\n");
  write_file(folder_ / "x.jsonl", "{\"id\": 1, \"contents\": \"cat\", \"tags\": [\"a\"]}\n");
  const auto refused = [&](const std::string& words) {
    const Output made = in_folder("$GANNET index " + words + " -q -o idx");
    EXPECT_EQ(made.code, 2) << words;
    return made.err;
  };
  EXPECT_THAT(refused("x.csv --field 'tags:keyword:split=;'"), HasSubstr("add multi"));
  EXPECT_THAT(refused("x.csv --field 'tags:keyword:multi:split='"), HasSubstr("behind split="));
  EXPECT_THAT(refused("x.jsonl --field 'tags:keyword:multi:split=;'"), HasSubstr("an array"));
}

}  // namespace
}  // namespace gannet::test
