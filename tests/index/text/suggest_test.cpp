// Which name is meant by one that there is not.
#include "index/text/words/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gannet::index {
namespace {

const std::vector<std::string> kNames{"title", "heading", "year", "tag", "contents", "jsonl"};

const std::vector<std::string> kOneLetter{"f", "year"};

TEST(DidYouMean, NamesTheNearestOfTheNames) {
  EXPECT_EQ(did_you_mean("titel", kNames), " (did you mean 'title'?)");  // neighbours swapped
  EXPECT_EQ(did_you_mean("yaer", kNames), " (did you mean 'year'?)");
  EXPECT_EQ(did_you_mean("content", kNames), " (did you mean 'contents'?)");  // its beginning
  EXPECT_EQ(did_you_mean("json", kNames), " (did you mean 'jsonl'?)");
  EXPECT_EQ(did_you_mean("Title", kNames), " (did you mean 'title'?)");
}

TEST(DidYouMean, ComparesWithoutCase) {
  EXPECT_EQ(did_you_mean("TITLE", kNames), " (did you mean 'title'?)");
  EXPECT_EQ(did_you_mean("YAER", kNames), " (did you mean 'year'?)");
  EXPECT_EQ(did_you_mean("CONT", kNames), " (did you mean 'contents'?)");
  EXPECT_EQ(did_you_mean("F", kOneLetter), " (did you mean 'f'?)");
  const std::vector<std::string> both{"yeas", "Year"};
  EXPECT_EQ(did_you_mean("year", both), " (did you mean 'Year'?)");
}

TEST(DidYouMean, NamesNothingThatIsFar) {
  EXPECT_EQ(did_you_mean("author", kNames), "");
  EXPECT_EQ(did_you_mean("http", kNames), "");
  EXPECT_EQ(did_you_mean("", kNames), "");
  EXPECT_EQ(did_you_mean("x", kOneLetter), "") << "all of it would be wrong";
  EXPECT_EQ(did_you_mean("1", kOneLetter), "");
  EXPECT_EQ(did_you_mean("title", {}), "");
}

}  // namespace
}  // namespace gannet::index
