// gannet merge, as a user types it.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MergeCommand : public ::testing::Test {
 protected:
  MergeCommand() {
    for (const char* id : {"a", "b", "c"}) {
      const std::string input = folder_ / (std::string(id) + ".jsonl");
      write_file(input, std::string("{\"id\": \"") + id + "\", \"contents\": \"red fox\"}\n");
      const bool first = id == std::string("a");
      const Output made = gannet({first ? "index" : "add", "--input", input, "--format", "jsonl",
                                  first ? "--output" : "--index", index_});
      EXPECT_EQ(made.code, 0) << made.err;
    }
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(MergeCommand, LeavesOneSegmentWithTheSameAnswers) {
  const std::string before = gannet({"search", "--index", index_, "fox"}).out;
  const Output merged = gannet({"merge", index_});
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr("segments left: 1 of 3; documents merged: 3 of 3"));
  EXPECT_EQ(gannet({"search", "--index", index_, "fox"}).out, before);
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  EXPECT_THAT(gannet({"merge", index_}).out,
              HasSubstr("segments left: 1 of 1; documents merged: 0 of 3"));
}

TEST_F(MergeCommand, LeavesAsManyAsAskedForAndSaysSoAsJson) {
  const std::string report = gannet({"merge", index_, "--max-segments", "2", "--json"}).out;
  EXPECT_EQ(json_at(report, "/segments"), "2");
  EXPECT_EQ(json_at(report, "/segments_before"), "3");
  EXPECT_EQ(json_at(report, "/documents_merged"), "2");
}

TEST_F(MergeCommand, RefusesWhatItCannotDo) {
  EXPECT_EQ(gannet({"merge", index_, "--max-segments", "0"}).code, 2);
  EXPECT_EQ(gannet({"merge", folder_ / "no"}).code, 4);
  EXPECT_EQ(gannet({"merge"}).code, 2);
  EXPECT_THAT(gannet({"help", "merge"}).out,
              AllOf(HasSubstr("gannet merge IDX"), HasSubstr("--max-segments")));
}

}  // namespace
}  // namespace gannet::test
