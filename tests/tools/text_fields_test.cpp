// Text fields, as a user types it.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTitledBooks =
    R"({"id": "1", "contents": "a whale and the sea", "title": "Moby Dick", "tag": "sea"}
{"id": "2", "contents": "a bug", "title": "The whale", "meta": {"heads": ["one", "two bugs"]}}
{"id": "3", "title": "Island"}
)";

class TextFieldsCommand : public ::testing::Test {
 protected:
  TextFieldsCommand() {
    write_file(input_, kTitledBooks);
    const Output made = gannet({"index", "--input", input_, "--format", "jsonl", "--output", index_,
                                "--field", "title:text:weight=2:stemmer=none", "--field",
                                "tag:keyword", "--field", "heads:text:weight=0:path=meta.heads"});
    EXPECT_EQ(made.code, 0) << made.err;
  }
  std::string count(const std::string& query, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"search", "--index", index_, "--count"};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(query);
    const Output output = gannet(words);
    return output.code == 0 ? output.out : output.err;
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string input_ = folder_ / "books.jsonl";
};

TEST_F(TextFieldsCommand, SearchesThem) {
  EXPECT_EQ(count("whale"), "2\n");
  EXPECT_EQ(count("title:whale"), "1\n");
  EXPECT_EQ(count("contents:whale"), "1\n");
  EXPECT_EQ(count("title:(moby island)"), "2\n");
  EXPECT_EQ(count("two"), "0\n");  // of weight 0
  EXPECT_EQ(count("heads:two"), "1\n");
  EXPECT_EQ(count("two", {"--search-fields", "contents,heads"}), "1\n");
  EXPECT_EQ(count("whale title:* tag:sea"), "1\n");
  EXPECT_THAT(count("author:moby"), HasSubstr("column"));
  EXPECT_THAT(count("x", {"--search-fields", "tag"}), HasSubstr("'tag' has values and no words"));
  EXPECT_THAT(count("x", {"--search-fields", "titel"}), HasSubstr("did you mean 'title'?"));
  EXPECT_THAT(count("x", {"--search-fields", "title^x"}),
              HasSubstr("'x' is no weight; write a number, as in title^2.5"));
  EXPECT_THAT(count("titel:wing"), HasSubstr("no field 'titel' (did you mean 'title'?)"));
  EXPECT_THAT(count("contents:*"), HasSubstr("'contents:*' is not known"));
  EXPECT_THAT(count("x", {"--filter", "contents:*"}), HasSubstr("all documents are *:*"));
  EXPECT_THAT(count("x", {"--filter", "title:moby"}), HasSubstr("filters do not search"));
  EXPECT_THAT(gannet({"search", "--index", index_, "--sort", "title", "whale"}).err,
              HasSubstr("no values"));
}

TEST_F(TextFieldsCommand, ScoresThem) {
  const auto first = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"search", "--index", index_, "--json", "whale"};
    words.insert(words.end(), more.begin(), more.end());
    return json_at(gannet(words).out, "/hits/0/id");
  };
  EXPECT_EQ(first({}), "\"2\"");  // a title counts twice
  EXPECT_EQ(first({"--search-fields", "contents,title^0.1"}), "\"1\"");
  EXPECT_EQ(first({"--scorer", "bm25f"}), "\"2\"");
  EXPECT_EQ(first({"--scorer", "bm25f", "--scorer-params", "title.weight=0.01"}), "\"1\"");
  const Output explained =
      gannet({"search", "--index", index_, "--plan", "--scorer", "bm25f", "whale"});
  EXPECT_THAT(explained.out, HasSubstr("title:whale (weight 2)"));
}

TEST_F(TextFieldsCommand, InspectsAndVerifiesThem) {
  const std::string json = gannet({"inspect", index_, "--json", "--term", "title:whale"}).out;
  EXPECT_THAT(json, HasSubstr("title:whale"));
  EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/fields/0/documents"), "3");
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  EXPECT_EQ(
      gannet({"export", "--index", index_, "--format", "ds2i", "--output", folder_ / "x"}).code, 2);
}

}  // namespace
}  // namespace gannet::test
