// What gannet search says may have been meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class DidYouMean : public ::testing::Test {
 protected:
  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(DidYouMean, IsSaidWhereNothingIsFound) {
  const Output found = gannet({"search", index_, "ganet"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.out, "");
  const std::string said = "gannet search: did you mean 'gannet'?\n";
  EXPECT_EQ(found.err, "no documents found\n" + said);
  EXPECT_EQ(gannet({"search", index_, "--count", "ganet"}).err, said);
  EXPECT_EQ(gannet({"search", index_, "--docids", "ganet"}).err, said);
  EXPECT_THAT(gannet({"search", index_, "zebra"}).err, Not(HasSubstr("did you mean")));
  EXPECT_THAT(gannet({"search", index_, "-k", "0", "ganet"}).err, Not(HasSubstr("did you mean")));
}

TEST_F(DidYouMean, IsAskedForWhereSomethingIsFound) {
  EXPECT_THAT(gannet({"search", index_, "fish ganet"}).err, Not(HasSubstr("did you mean")));
  const Output found = gannet({"search", index_, "--did-you-mean", "fish ganet"});
  EXPECT_THAT(found.err, HasSubstr("did you mean 'fish gannet'?"));
  EXPECT_EQ(found.out, gannet({"search", index_, "fish ganet"}).out) << "it is not applied";
  EXPECT_EQ(gannet({"search", index_, "--did-you-mean", "--like", "d-cat"}).code, 0);
}

TEST_F(DidYouMean, IsAMemberOfJson) {
  const Output found = gannet({"search", index_, "--json", "ganet -cat"});
  EXPECT_EQ(found.err, "");
  EXPECT_EQ(json_at(found.out, "/did_you_mean/query"), "\"gannet -cat\"");
  EXPECT_EQ(json_at(found.out, "/did_you_mean/words/0/word"), "\"ganet\"");
  EXPECT_EQ(json_at(found.out, "/did_you_mean/words/0/distance"), "1");
  EXPECT_EQ(json_at(found.out, "/did_you_mean/documents"), "1");
}

}  // namespace
}  // namespace gannet::test
