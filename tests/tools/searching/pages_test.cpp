// gannet search --offset and --after, as a user types them.
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
using ::testing::IsEmpty;
using ::testing::Not;

/// Forty documents; of each kind ten have equal scores for "fish".
std::string documents(int first, int end, const std::string& mark = "") {
  std::string lines;
  for (int d = first; d < end; ++d) {
    std::string text = "fish";
    for (int n = 0; n < d % 4; ++n) text += " water";
    lines += "{\"id\": \"d" + std::to_string(d) + mark + "\", \"contents\": \"" + text +
             "\", \"tag\": \"t" + std::to_string(d % 3) +
             "\", \"year\": " + std::to_string(2000 + d % 5) + "}\n";
  }
  return lines;
}

class PagesOfTheCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "fish.jsonl", documents(0, 40));
    const Output made = run("index", {"--input", folder_ / "fish.jsonl", "--output", index_,
                                      "--field", "tag:keyword", "--field", "year:i32", "--quiet"});
    ASSERT_EQ(made.code, 0) << made.err;
  }

  static Output run(const std::string& command, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), command);
    return gannet(std::move(arguments));
  }
  Output search(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--index", index_, "--backend", "cpu"});
    return run("search", std::move(arguments));
  }
  void change(const std::string& command, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--index", index_});
    const Output done = run(command, std::move(arguments));
    EXPECT_EQ(done.code, 0) << done.err;
  }

  /// The ids of --json's hits, with blanks between.
  static std::string ids(const Output& found) {
    EXPECT_EQ(found.code, 0) << found.err;
    simdjson::dom::parser parser;
    simdjson::dom::array hits;
    EXPECT_EQ(parser.parse(found.out)["hits"].get(hits), simdjson::SUCCESS) << found.out;
    std::string all;
    for (const simdjson::dom::element hit : hits) {
      all += std::string(hit["id"].get_string().value_unsafe()) + " ";
    }
    return all;
  }
  /// The cursor; "null" behind the last page.
  static std::string next(const Output& found) {
    std::string text = json_at(found.out, "/next");
    std::erase(text, '"');
    return text;
  }

  /// All pages of three hits.
  std::string walk(std::vector<std::string> query) const {
    query.insert(query.begin(), {"--json", "-k", "3"});
    std::string all;
    Output page = search(query);
    for (int pages = 0; pages < 30; ++pages) {
      all += ids(page);
      if (next(page) == "null") return all;
      std::vector<std::string> more = query;
      more.insert(more.begin(), {"--after", next(page)});
      page = search(more);
    }
    return all + "and on";
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(PagesOfTheCommand, OneAfterTheOtherAreAllHits) {
  for (const std::vector<std::string>& query : {std::vector<std::string>{"fish"},
                                                {"water fish"},
                                                {"--sort", "year:desc", "fish"},
                                                {"--sort", "tag,score", "fish"},
                                                {"--filter", "year:2001", "fish water"},
                                                {"--facet", "tag", "fish"},
                                                {"--expand", "rm3", "fish water"}}) {
    std::vector<std::string> all = query;
    all.insert(all.begin(), {"--json", "-k", "100"});
    EXPECT_EQ(walk(query), ids(search(all))) << query.front();
  }
}

TEST_F(PagesOfTheCommand, OffsetsAndCursorsGoOnWithTheRanks) {
  const Output first = search({"-k", "3", "--json", "fish"});
  const Output second = search({"-k", "3", "--offset", "3", "--json", "fish"});
  EXPECT_EQ(ids(search({"-k", "6", "--json", "fish"})), ids(first) + ids(second));
  EXPECT_EQ(json_at(second.out, "/hits/0/rank"), "4");
  const Output after = search({"-k", "3", "--after", next(first), "--json", "fish"});
  EXPECT_EQ(ids(after), ids(second));
  EXPECT_EQ(json_at(after.out, "/hits/0/rank"), "4");
  EXPECT_EQ(next(after), next(second)) << "the same place, whichever way it was reached";
  EXPECT_EQ(json_at(after.out, "/total_at_least"), "6");
  EXPECT_EQ(json_at(search({"--after", next(after), "-k", "100", "--json", "fish"}).out, "/total"),
            "40");
}

TEST_F(PagesOfTheCommand, TextEndsWithTheCursorWherePagesAreAskedFor) {
  EXPECT_THAT(search({"-k", "3", "fish"}).out, Not(HasSubstr("next:")));
  const Output first = search({"-k", "3", "--offset", "0", "fish"});
  EXPECT_THAT(first.out, HasSubstr("  3  "));
  const std::size_t at = first.out.find("\nnext: ");
  ASSERT_NE(at, std::string::npos) << first.out;
  const std::string cursor = first.out.substr(at + 7, first.out.size() - at - 8);
  const Output second = search({"-k", "3", "--after", cursor, "fish"});
  EXPECT_THAT(second.out, HasSubstr("  4  "));
  EXPECT_THAT(search({"-k", "3", "--offset", "39", "fish"}).out, Not(HasSubstr("next:")));
}

TEST_F(PagesOfTheCommand, StayWhenDocumentsAreDeletedAndAddedUntilAMerge) {
  const std::string all = ids(search({"--json", "-k", "100", "fish"}));
  const Output first = search({"--json", "-k", "5", "fish"});
  change("delete", {"--id", "d4", "--id", "d8", "--id", "d39"});
  write_file(folder_ / "more.jsonl", documents(0, 3, "-new"));
  change("add", {"--input", folder_ / "more.jsonl"});
  const Output rest = search({"--json", "-k", "100", "--after", next(first), "fish"});
  std::string expected = all.substr(ids(first).size());
  for (const std::string gone : {"d4 ", "d8 ", "d39 "}) {
    const std::size_t at = (" " + expected).find(" " + gone);
    if (at != std::string::npos) expected.erase(at, gone.size());
  }
  EXPECT_EQ(ids(rest), expected);
  EXPECT_EQ(next(rest), "null");
  change("merge", {});
  const Output late = search({"--after", next(first), "fish"});
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("start again from the first page"));
}

TEST_F(PagesOfTheCommand, WhatMakesNoSenseIsSaid) {
  const std::string cursor = next(search({"--json", "-k", "3", "fish"}));
  const auto refused = [&](std::vector<std::string> arguments, const std::string& message) {
    const Output found = search(std::move(arguments));
    EXPECT_EQ(found.code, 2) << found.out;
    EXPECT_THAT(found.err, HasSubstr(message));
    EXPECT_THAT(found.out, IsEmpty());
  };
  refused({"--after", "x", "fish"}, "no cursor");
  refused({"--after", cursor.substr(1), "fish"}, "no cursor");
  refused({"--after", "", "fish"}, "a cursor is missing");
  refused({"--after", cursor, "water"}, "of another query");
  refused({"--after", cursor, "--scorer", "dirichlet", "fish"}, "of another query");
  refused({"--after", cursor, "--filter", "year:2001", "fish"}, "of another query");
  refused({"--after", cursor, "--sort", "year", "fish"}, "in another order");
  refused({"--after", cursor, "--offset", "3", "fish"}, "exclude each other");
  refused({"--after", cursor, "--count", "fish"}, "leave them out with --count");
  refused({"--after", cursor, "--group", "tag", "fish"}, "leave them out with --group");
  refused({"--after", cursor, "-"}, "several from stdin");
  refused({"--offset", "4294967290", "fish"}, "by its cursor (--after)");
  refused({"--offset", "-1", "fish"}, "offset");
}

}  // namespace
}  // namespace gannet::test
