// gannet index --stop-words: lists, files, and what queries say.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StopWords : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(docs_, "1\tder Hund und die Katze\n2\tHund\n");
    write_file(words_, "# German\nder | the\nund\nDIE\nz.B.\n");
  }
  Output index(const std::string& list, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"index", docs_, "-f", "tsv", "-o", index_, "--stop-words", list,
                               "--stemmer", "none", "--overwrite"});
    return gannet(std::move(more));
  }
  Output search(const std::string& query, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"search", index_});
    more.push_back(query);
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
  std::string docs_ = folder_ / "docs.tsv";
  std::string words_ = folder_ / "words.txt";
  std::string index_ = folder_ / "idx";
};

TEST_F(StopWords, AreReadFromAFileAndKnownToQueries) {
  const Output built = index(words_);
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_THAT(built.err, HasSubstr("1 of 4 stop words are not one token of the text and have no "
                                   "effect: z.B."));
  EXPECT_EQ(search("der", {"--count"}).out, "0\n");
  EXPECT_EQ(search("der Hund", {"--count"}).out, "2\n");
  const std::string inspected = gannet({"inspect", index_, "--json"}).out;
  EXPECT_EQ(json_at(inspected, "/analyzer/stopword_list/0"), "\"DIE\"");
  EXPECT_EQ(json_at(inspected, "/tokens"), "3");  // lengths count no stop words
  EXPECT_THAT(gannet({"inspect", index_}).out, HasSubstr("stop words 4 of a list"));
}

TEST_F(StopWords, AQueryOfThemAloneIsToldSo) {
  ASSERT_EQ(index(words_).code, 0);
  const Output found = search("der +UND");
  EXPECT_EQ(found.code, 0);
  EXPECT_THAT(found.err,
              HasSubstr("gannet search: the words of 'der +UND' are stop words of this index"));
  EXPECT_THAT(search("der Hund").err, IsEmpty());
  EXPECT_EQ(search("...").err, "no documents found\n");
  ASSERT_EQ(index("none").code, 0);
  EXPECT_THAT(search("der").err, IsEmpty());
}

TEST_F(StopWords, AddedDocumentsHaveThem) {
  ASSERT_EQ(index(words_).code, 0);
  write_file(docs_, "3\tund Vogel\n");
  ASSERT_EQ(gannet({"add", index_, "--input", docs_, "--format", "tsv"}).code, 0);
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/tokens"), "4");
  EXPECT_EQ(search("und", {"--count"}).out, "0\n");
}

TEST_F(StopWords, OfFieldsAreThoseOfTheTextUnlessNamed) {
  write_file(docs_, "{\"id\": \"1\", \"a\": \"die Katze\", \"b\": \"die Katze\"}\n");
  const std::vector<std::string> index{
      "index",        docs_,  "-f",      "jsonl",  "-o",      index_,
      "--stop-words", words_, "--field", "a:text", "--field", "b:text:stop-words=none"};
  ASSERT_EQ(gannet(index).code, 0);
  EXPECT_EQ(search("a:die", {"--count"}).out, "0\n");
  EXPECT_EQ(search("b:die", {"--count"}).out, "1\n");
}

TEST_F(StopWords, WhatIsNoListIsAUsageError) {
  const Output misspelt = index("englsh");
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("'englsh' is neither none nor english nor a file that there "
                                      "is (did you mean 'english'?)"));
  write_file(words_, "a\n\xFF\n");
  const Output bytes = index(words_);
  EXPECT_EQ(bytes.code, 2);
  EXPECT_THAT(bytes.err, HasSubstr("words.txt:2: is not UTF-8"));
  EXPECT_EQ(index(folder_.path()).code, 4);
}

TEST_F(StopWords, AResumedBuildWantsTheSame) {
  ASSERT_EQ(index(words_, {"--resume"}).code, 0);
  EXPECT_EQ(index(words_, {"--resume"}).code, 0);
  write_file(words_, "und\n");
  ASSERT_EQ(index(words_, {"--resume"}).code, 0);
  EXPECT_EQ(search("der", {"--count"}).out, "1\n");
}

}  // namespace
}  // namespace gannet::test
