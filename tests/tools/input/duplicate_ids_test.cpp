// Ids that occur twice: the message names the line of the second document.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class DuplicateIds : public ::testing::Test {
 protected:
  Output index(const std::string& words) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; $GANNET " + words);
  }
  void expect_at(const std::string& words, const std::string& place) {
    for (const std::string policy : {"stop", "skip"}) {
      const Output made = index(words + " --on-error " + policy);
      EXPECT_EQ(made.code, 3) << words;
      EXPECT_THAT(made.err, AllOf(HasSubstr(place + ": "), HasSubstr("the id 'a'"))) << words;
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(DuplicateIds, EveryFormatWithLinesNamesTheSecondOne) {
  write_file(folder_ / "x.jsonl",
             "{\"id\": \"a\", \"contents\": \"cat\"}\n\n{\"id\": \"a\", \"contents\": \"dog\"}\n");
  expect_at("index x.jsonl -q -o idx", "x.jsonl:3");
  write_file(folder_ / "x.csv", "id,text\na,\"cat\nmat\"\nb,dog\na,fish\n");
  expect_at("index x.csv -q -o idx", "x.csv:5");
  write_file(folder_ / "x.tsv", "a\tcat\na\tdog\n");
  expect_at("index x.tsv -q -o idx", "x.tsv:2");
  write_file(folder_ / "x.trec",
             "<DOC>\n<DOCNO> a </DOCNO>\ncat\n</DOC>\n<DOC>\n<DOCNO> a </DOCNO>\n</DOC>\n");
  expect_at("index x.trec -q -o idx", "x.trec:5");
  write_file(
      folder_ / "v.jsonl",
      "{\"id\": \"a\", \"vector\": {\"cat\": 1}}\n{\"id\": \"a\", \"vector\": {\"cat\": 1}}\n");
  expect_at("index v.jsonl -q -o idx", "v.jsonl:2");
}

TEST_F(DuplicateIds, AlsoAcrossFilesAndInDeltas) {
  write_file(folder_ / "x.jsonl", "{\"id\": \"a\", \"contents\": \"cat\"}\n");
  write_file(folder_ / "y.jsonl",
             "{\"id\": \"b\", \"contents\": \"cat\"}\n{\"id\": \"a\", \"contents\": \"dog\"}\n");
  expect_at("index x.jsonl y.jsonl -q -o idx", "y.jsonl:2");
  ASSERT_EQ(index("index x.jsonl -q -o idx").code, 0);
  expect_at("add idx y.jsonl", "y.jsonl:2");
}

}  // namespace
}  // namespace gannet::test
