// --filter of gannet search, run and bench query, as a user types it.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kLibrary =
    R"({"id": "moby", "contents": "a white whale", "year": 1851, "tag": ["sea", "whale"]}
{"id": "bug", "contents": "a man becomes a bug", "year": 1915, "tag": "bug"}
{"id": "island", "contents": "an island with a whale", "tag": ["sea", "deep sea"]}
{"id": "fish", "contents": "a man and a fish", "year": 1952, "tag": "sea"}
)";

class FilterOption : public ::testing::Test {
 protected:
  FilterOption() {
    write_file(folder_ / "books.jsonl", kLibrary);
    const Output made =
        gannet({"index", "--input", folder_ / "books.jsonl", "--format", "jsonl", "--output",
                index_, "--field", "year:i32", "--field", "tag:keyword:multi"});
    EXPECT_EQ(made.code, 0) << made.err;
  }
  Output search(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"search", "--index", index_});
    return gannet(std::move(arguments));
  }
  std::string docids(const std::string& filter, const std::string& query) {
    return search({"--docids", "--filter", filter, query}).out;
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(FilterOption, LeavesWhatPasses) {
  EXPECT_EQ(docids("year:[1900 TO 1952}", "man OR whale"), "bug\n");
  EXPECT_EQ(docids("year:>=1900", "man OR whale"), "bug\nfish\n");
  EXPECT_EQ(docids("NOT year:>=1900", "man OR whale"), "moby\nisland\n");
  EXPECT_EQ(docids("tag:(whale OR bug)", "man OR whale"), "moby\nbug\n");
  EXPECT_EQ(docids("tag:\"deep sea\" OR tag:b*", "man OR whale"), "bug\nisland\n");
  EXPECT_EQ(docids("year:*", "whale"), "moby\n");
  EXPECT_EQ(docids("year:[1952 TO 1900]", "whale"), "");
}

TEST_F(FilterOption, WithoutAQueryListsWhatPasses) {
  EXPECT_EQ(search({"--docids", "--filter", "tag:sea"}).out, "moby\nisland\nfish\n");
  EXPECT_EQ(search({"--count", "--filter", "tag:sea year:*"}).out, "2\n");
  EXPECT_EQ(json_at(search({"--json", "--filter", "tag:sea"}).out, "/total"), "3");
}

TEST_F(FilterOption, QueriesKnowTheFieldsAsWell) {
  EXPECT_EQ(search({"--docids", "whale year:1851"}).out, "moby\n");
  EXPECT_EQ(search({"--docids", "whale -year:1851"}).out, "island\n");
  EXPECT_EQ(search({"--docids", "bug OR tag:whale"}).out, "moby\nbug\n");
  const Output wrong = search({"whale title:x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("column 12: there is no field 'title'"));
  EXPECT_THAT(wrong.err, HasSubstr("fields of this index: year, tag"));
}

TEST_F(FilterOption, MistakesAreWrongCommandLines) {
  const Output wrong = search({"--filter", "tag:sea AND year:old", "whale"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("filter, column 18: 'old' is no value of field 'year'"));
  EXPECT_EQ(search({"--filter", "", "whale"}).code, 2);
  EXPECT_EQ(search({"--filter", "yaer:1", "whale"}).code, 2);
}

TEST_F(FilterOption, JsonAndExplainShowIt) {
  const Output json = search(
      {"--json", "--backend", "cpu", "--candidate-filters", "2", "--filter", "year:>=1900", "man"});
  EXPECT_EQ(json_at(json.out, "/filter"), "\"year:[1900 TO *]\"");
  EXPECT_EQ(json_at(json.out, "/total"), "2");
  EXPECT_EQ(json_at(json.out, "/report/filter_passing"), "2");
  EXPECT_EQ(json_at(json.out, "/report/filter_documents"), "4");
  EXPECT_EQ(json_at(json.out, "/report/filter_on_candidates"), "0");
  const Output explained =
      search({"--plan", "--candidate-filters", "2", "--filter", "year:>=1900", "man"});
  EXPECT_THAT(explained.out, HasSubstr("filter\n  year:[1900 TO *]\n"));
  EXPECT_THAT(explained.out, HasSubstr("filter: 2 of 4 documents pass (50 percent; "));
}

TEST_F(FilterOption, IsEvaluatedForTheDocumentsThatAreLookedAt) {
  const Output json = search({"--json", "--backend", "cpu", "--filter", "year:>=1900", "man"});
  EXPECT_EQ(json_at(json.out, "/total"), "2");
  EXPECT_EQ(json_at(json.out, "/report/filter_documents"), "0");
  EXPECT_EQ(json_at(json.out, "/report/filter_on_candidates"), "1");
  const Output explained = search({"--plan", "--filter", "year:>=1900", "man"});
  EXPECT_THAT(explained.out, HasSubstr("filter: evaluated for the documents that are looked at"));
}

TEST_F(FilterOption, AppliesToAllTopicsOfARun) {
  write_file(folder_ / "topics.tsv", "q1\twhale\nq2\tman year:1851\nq3\tbug\n");
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--index", index_, "--topics", folder_ / "topics.tsv",
                               "--output", folder_ / "out.run", "--overwrite"});
    const Output done = gannet(std::move(more));
    EXPECT_EQ(done.code, 0) << done.err;
    return read_file(folder_ / "out.run");
  };
  const std::string all = run({});
  EXPECT_THAT(all, HasSubstr("q2 Q0 fish"));
  EXPECT_THAT(all, HasSubstr("q1 Q0 island"));
  const std::string some = run({"--filter", "year:[1900 TO 1920]"});
  EXPECT_THAT(some, StartsWith("q2 Q0 bug 1 "));
  EXPECT_THAT(some, HasSubstr("\nq3 Q0 bug 1 "));
  EXPECT_EQ(std::count(some.begin(), some.end(), '\n'), 2);
}

TEST_F(FilterOption, BenchQueryChecksFilteredResults) {
  write_file(folder_ / "topics.tsv", "q1\twhale\nq2\tman\n");
  const Output done =
      gannet({"bench", "query", "--index", index_, "--topics", folder_ / "topics.tsv", "--filter",
              "tag:sea", "--repeats", "1", "--check", "2"});
  EXPECT_EQ(done.code, 0) << done.err;
}

}  // namespace
}  // namespace gannet::test
