// gannet search --like and --like-text.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kDocuments =
    "{\"id\": \"sun\", \"contents\": \"Solar panels on roofs and the sun\", \"year\": 2001}\n"
    "{\"id\": \"roof\", \"contents\": \"A roof with solar panels\", \"year\": 2002}\n"
    "{\"id\": \"star\", \"contents\": \"The sun and other stars\", \"year\": 2003}\n"
    "{\"id\": \"sea\", \"contents\": \"Whales of the sea\", \"year\": 2004}\n";

class Like : public ::testing::Test {
 protected:
  Like() { build(index_, {"--store", "--field", "year:i32"}); }

  void build(const std::string& index, std::vector<std::string> options) const {
    write_file(folder_ / "docs.jsonl", kDocuments);
    std::vector<std::string> words{"index", folder_ / "docs.jsonl", "-o", index, "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    ASSERT_EQ(gannet(words).code, 0);
  }
  Output search(std::vector<std::string> words, std::string_view input = {}) const {
    words.insert(words.begin(), {"search", index_});
    return gannet(words, input);
  }
  std::string ids(std::vector<std::string> words, std::string_view input = {}) const {
    words.insert(words.begin(), "--json");
    const Output found = search(std::move(words), input);
    EXPECT_EQ(found.code, 0) << found.err;
    std::string all;
    simdjson::dom::parser parser;
    for (const auto hit : parser.parse(found.out)["hits"].get_array()) {
      all += std::string(hit["id"].get_string().value()) + " ";
    }
    return all;
  }

  TemporaryDirectory folder_;
  const std::string index_ = folder_ / "idx";
};

TEST_F(Like, ADocumentFindsThoseLikeItAndNotItself) {
  EXPECT_EQ(ids({"--like", "sun"}), "roof star sea ");
  const Output found = search({"--like", "sun", "-k", "1"});
  EXPECT_THAT(found.out, HasSubstr("  roof\n"));
  EXPECT_THAT(found.out, HasSubstr("A roof with solar panels"));
}

TEST_F(Like, FiltersFieldsAndCountsAreAsWithAQuery) {
  EXPECT_EQ(ids({"--like", "sun", "--filter", "year:>=2003"}), "star sea ");
  EXPECT_THAT(search({"--like", "sun", "--fields", "year", "-k", "1"}).out,
              HasSubstr("year: 2002"));
  EXPECT_EQ(search({"--like", "sun", "--count"}).out, "3\n");
  EXPECT_EQ(search({"--like", "sun", "--docids"}).out, "roof\nstar\nsea\n");
  const Output counted = search({"--like", "sun", "--json", "--facet", "year"});
  EXPECT_THAT(counted.out, Not(HasSubstr("2001"))) << "it is not counted, either";
  EXPECT_EQ(json_at(counted.out, "/total"), "3");
  EXPECT_EQ(json_at(counted.out, "/filter"), "\"NOT document 0\"");
  EXPECT_THAT(json_at(counted.out, "/query"), HasSubstr("solar"));
}

TEST_F(Like, ATextFindsDocumentsLikeIt) {
  write_file(folder_ / "text", "The whales, and the sea");
  EXPECT_THAT(ids({"--like-text", folder_ / "text"}), ::testing::StartsWith("sea "));
  EXPECT_THAT(ids({"--like-text", "-"}, "solar roofs"), ::testing::StartsWith("roof sun "));
  const Output nothing = search({"--like-text", "-"}, "unheard");
  EXPECT_EQ(nothing.code, 0);
  EXPECT_EQ(nothing.err, "no documents found\n");
}

TEST_F(Like, ADeletedDocumentStillSaysWhatItIsLike) {
  ASSERT_EQ(gannet({"delete", index_, "--id", "sun"}).code, 0);
  EXPECT_EQ(ids({"--like", "sun"}), "roof star sea ");
  EXPECT_EQ(ids({"--like", "roof"}), "") << "nobody else has its words any more";
}

TEST_F(Like, ExplainsAndShowsItsPlan) {
  EXPECT_THAT(search({"--like", "sun", "--plan"}).out, HasSubstr("solar: in 2 documents"));
  const Output why = search({"--like", "sun", "--explain", "roof"});
  EXPECT_EQ(why.code, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("solar"));
  EXPECT_THAT(search({"--like", "sun", "--explain", "sun"}).out, HasSubstr("NOT document 0"));
}

TEST_F(Like, ErrorsSayWhatToDo) {
  const Output unknown = search({"--like", "nobody"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_EQ(unknown.err, "gannet search: --like: no document has the id 'nobody'\n");
  EXPECT_EQ(search({"--like", "sun", "solar"}).code, 2);
  EXPECT_EQ(search({"--like", "sun", "-"}).code, 2);
  EXPECT_EQ(search({"--like", "sun", "--like-text", "x"}).code, 2);
  EXPECT_EQ(search({"--like-text", folder_ / "nowhere"}).code, 4);
  const std::string bare = folder_ / "bare";
  build(bare, {});
  const Output textless = gannet({"search", bare, "--like", "sun"});
  EXPECT_EQ(textless.code, 2);
  EXPECT_THAT(textless.err, HasSubstr("keeps no texts; build it with --store"));
}

}  // namespace
}  // namespace gannet::test
