// gannet suggest, as a user types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

class Suggest : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Suggest, PrintsTheMostFrequentTermsFirst) {
  const Output found = gannet({"suggest", index_, "the", "C"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, ::testing::StartsWith("        2  the cat\n"));
  EXPECT_EQ(gannet({"suggest", "--index", index_, "the C"}).out, found.out);
  EXPECT_EQ(gannet({"suggest", index_, "-k", "1", "the C"}).out, "        2  the cat\n");
  EXPECT_EQ(gannet({"suggest", index_, "qq"}).out, "");
  EXPECT_EQ(gannet({"suggest", index_, "qq"}).code, 0);
}

TEST_F(Suggest, AnswersInJson) {
  const std::string json = gannet({"suggest", index_, "--json", "the c"}).out;
  EXPECT_EQ(json_at(json, "/prefix"), "\"the c\"");
  EXPECT_EQ(json_at(json, "/completions/0/term"), "\"cat\"");
  EXPECT_EQ(json_at(json, "/completions/0/text"), "\"the cat\"");
  EXPECT_EQ(json_at(json, "/completions/0/document_frequency"), "2");
}

TEST_F(Suggest, SaysWhatIsMissing) {
  const Output missing = gannet({"suggest", index_});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("a prefix is missing"));
  EXPECT_EQ(gannet({"suggest", index_, "--field", "title", "c"}).code, 2);
  EXPECT_EQ(gannet({"suggest", folder_ / "none", "c"}).code, 4);
}

}  // namespace
}  // namespace gannet::test
