// gannet get, as a user types it.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Get : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Get, PrintsDocumentsInTheOrderOfTheIds) {
  const Output found = gannet({"get", index_, "d-dog", "d-cat"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out,
            "id          d-dog\nstate       live\nplace       docid 1, in segment 1 of 1\n\n"
            "A dog chased the cat.\n\n"
            "id          d-cat\nstate       live\nplace       docid 0, in segment 1 of 1\n\n"
            "The cat sat on the mat; cats like mats.\n");
  const std::string json = gannet({"get", index_, "--json", "d-dog"}).out;
  EXPECT_EQ(json_at(json, "/text"), "\"A dog chased the cat.\"");
  EXPECT_EQ(json_at(json, "/state"), "\"live\"");
}

TEST_F(Get, ReadsIdsFromFilesAndStdin) {
  write_file(folder_ / "ids", "d-dog\n\nd-cat\n");
  const std::string both = gannet({"get", index_, "d-dog", "d-cat"}).out;
  EXPECT_EQ(gannet({"get", index_, "--input", folder_ / "ids"}).out, both);
  EXPECT_EQ(gannet({"get", index_, "--input", "-"}, "d-dog\nd-cat\n").out, both);
  EXPECT_EQ(gannet({"get", index_}).code, 2);
}

TEST_F(Get, NamesUnknownIdsAndPrintsTheOthers) {
  const Output found = gannet({"get", index_, "nobody", "d-dog"});
  EXPECT_EQ(found.code, 1);
  EXPECT_EQ(found.err, "gannet get: no document has the id 'nobody'\n");
  EXPECT_THAT(found.out, HasSubstr("A dog chased"));
  const Output json = gannet({"get", index_, "--json", "nobody", "d-dog"});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"id\":\"nobody\",\"state\":\"unknown\"}\n{"));
}

TEST_F(Get, ShowsDeletedDocumentsUntilAMerge) {
  ASSERT_EQ(gannet({"delete", "--index", index_, "--id", "d-dog"}).code, 0);
  EXPECT_THAT(gannet({"get", index_, "d-dog"}).out,
              AllOf(HasSubstr("state       deleted\n"), HasSubstr("A dog chased")));
  EXPECT_THAT(gannet({"search", "--index", index_, "--explain", "d-dog", "dog"}).out,
              HasSubstr("the document is deleted"));
  ASSERT_EQ(gannet({"merge", index_}).code, 0);
  EXPECT_EQ(gannet({"get", index_, "d-dog"}).code, 1);
}

TEST_F(Get, ShowsFieldsAndSaysHowTextsAreStored) {
  write_file(folder_ / "docs.jsonl", "{\"id\":\"a\",\"contents\":\"x\",\"year\":2001}\n");
  const std::string plain = folder_ / "plain";
  const Output made = gannet({"index", "--input", folder_ / "docs.jsonl", "--format", "jsonl",
                              "--output", plain, "--quiet", "--field", "year:i32"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Output found = gannet({"get", plain, "a"});
  EXPECT_EQ(found.code, 0);
  EXPECT_THAT(found.out, HasSubstr("year        2001\n"));
  EXPECT_THAT(found.err, AllOf(HasSubstr("keeps no texts"), HasSubstr("the fields year"),
                               HasSubstr("--store")));
  EXPECT_THAT(gannet({"get", plain, "a", "--json"}).out, Not(HasSubstr("\"text\"")));
}

}  // namespace
}  // namespace gannet::test
