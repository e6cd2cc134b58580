// gannet search --explain, as a user types it.
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

class ExplainOption : public ::testing::Test {
 protected:
  Output search(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), {"search", "--index", index_, "--backend", "cpu"});
    return gannet(std::move(arguments), input);
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(ExplainOption, AddsUpToTheScoreOfTheHit) {
  for (const char* const scorer : {"bm25", "bm25f", "dirichlet", "dph"}) {
    const std::string hit = search({"--json", "--scorer", scorer, "cat^2.5", "mat"}).out;
    const std::string made =
        search({"--json", "--explain", "d-cat", "--scorer", scorer, "cat^2.5", "mat"}).out;
    EXPECT_EQ(json_at(hit, "/hits/0/id"), "\"d-cat\"");
    EXPECT_EQ(json_at(made, "/explanation/score"), json_at(hit, "/hits/0/score")) << scorer;
    EXPECT_EQ(json_at(made, "/explanation/matches"), "true");
  }
}

TEST_F(ExplainOption, PrintsEachTermWithItsNumbers) {
  const Output made = search({"--explain", "d-cat", "cat^2.5 dog"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(
      made.out,
      AllOf(HasSubstr("d-cat by bm25 k1="), HasSubstr("cat^2.5: in 2 documents; here 2 times in "),
            HasSubstr("           = "), HasSubstr("dog: in 2 documents; not in this one"),
            HasSubstr("the score: the sum")));
}

TEST_F(ExplainOption, ShowsWherePhrasesAreAndWhatWordsStandFor) {
  write_file(folder_ / "rows.jsonl",
             "{\"id\": \"r\", \"contents\": \"the cat sat, the cat sits, a cap\"}\n"
             "{\"id\": \"s\", \"contents\": \"the car sat\"}\n");
  const std::string idx = folder_ / "rows";
  ASSERT_EQ(gannet({"index", "--input", folder_ / "rows.jsonl", "--format", "jsonl", "--output",
                    idx, "--quiet"})
                .code,
            0);
  const auto explained = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"search", "--index", idx, "--explain", "r"});
    return gannet(std::move(arguments)).out;
  };
  EXPECT_THAT(
      explained({"\"the cat\""}),
      AllOf(HasSubstr("\"the cat\": in 1 document; here 2 times in 8 tokens\n"),
            HasSubstr("           factor: 0.34641096 of the (in 2 documents) + 1.3169796 of "
                      "cat (in 1 document)\n"),
            HasSubstr("           at positions 0, 3\n")));
  EXPECT_THAT(explained({"ca* car~1 \"the ca*\""}),
              AllOf(HasSubstr("expansion  ca*: 3 terms; here cap, cat\n"),
                    HasSubstr("expansion  car~1: 3 terms; here cap (distance 1, boost 0.6666666), "
                              "cat (distance 1, boost 0.6666666)\n")));
  const std::string json = explained({"--json", "cax~1 \"the ca*\""});
  EXPECT_EQ(json_at(json, "/explanation/expansions/0"),
            "{\"word\":\"cax~1\",\"found\":3,\"terms\":["
            "{\"term\":\"cap\",\"frequency\":1,\"distance\":1,\"boost\":0.6666666},"
            "{\"term\":\"cat\",\"frequency\":2,\"distance\":1,\"boost\":0.6666666}]}");
  EXPECT_EQ(json_at(json, "/explanation/expansions/1/word"), "\"ca*\"");
  EXPECT_THAT(json, HasSubstr("\"positions\":[0,3]"));
  EXPECT_THAT(json, HasSubstr("\"phrase_words\":[{\"word\":\"the\",\"document_frequency\":2,"));
}

TEST_F(ExplainOption, SaysWhyADocumentDoesNotMatch) {
  EXPECT_THAT(search({"--explain", "d-cat", "+dog -cat"}).out,
              AllOf(HasSubstr("no match\n"), HasSubstr("a required term is missing: dog"),
                    HasSubstr("it has what the query excludes: cat")));
}

TEST_F(ExplainOption, NamesAnIdThatThereIsNot) {
  const Output made = search({"--explain", "nobody", "cat"});
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.err, HasSubstr("no document has the id 'nobody'"));
  EXPECT_EQ(search({"--explain", "d-cat", "--count", "cat"}).code, 2);
}

}  // namespace
}  // namespace gannet::test
