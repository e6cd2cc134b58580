// gannet search with the options about fields, as a user types it.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/shop.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SearchByColumns : public ::testing::Test {
 protected:
  Output search(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), {"search", "--index", index_, "--backend", "cpu"});
    return gannet(std::move(arguments), input);
  }
  std::string json(std::vector<std::string> arguments, std::string_view pointer) const {
    arguments.insert(arguments.begin(), "--json");
    const Output found = search(std::move(arguments));
    EXPECT_EQ(found.code, 0) << found.err;
    return json_at(found.out, pointer);
  }

  TemporaryDirectory folder_;
  std::string index_ = index_shop(folder_);
};

TEST_F(SearchByColumns, SortsHits) {
  const auto ids = [&](const std::string& keys) {
    const std::string out = search({"--sort", keys, "tiger OR lamp"}).out;
    std::string found;
    for (const char id : {'a', 'b', 'c', 'd', 'e'}) {
      EXPECT_THAT(out, HasSubstr(std::string("  ") + id + "\n")) << out;
    }
    for (std::size_t at = out.find("  -  "); at != std::string::npos;
         at = out.find("  -  ", at + 1)) {
      found += out[at + 5];
    }
    return found;
  };
  EXPECT_EQ(ids("price"), "bcdea");
  EXPECT_EQ(ids("price:desc"), "adecb");
  EXPECT_EQ(ids("year:desc,price:desc"), "adebc");
  EXPECT_EQ(ids("year:missing-first,price"), "cbdea");
  EXPECT_EQ(json({"--sort", "year:desc,score", "tiger"}, "/hits/0/id"), "\"a\"");
  EXPECT_EQ(json({"--sort", "score", "tiger"}, "/hits"), json({"tiger"}, "/hits"));
  EXPECT_THAT(search({"--sort", "year", "--json", "tiger"}).out, Not(HasSubstr("\"score\"")));
}

TEST_F(SearchByColumns, ShowsFieldsOfHits) {
  const Output shown = search({"--fields", "year,tag", "--fields", "price", "tiger"});
  EXPECT_THAT(shown.out, HasSubstr("year: 2001  tag: big, red  price: 10.5\n"));
  EXPECT_THAT(shown.out, HasSubstr("year: -  tag: -  price: 0.25\n"));
  EXPECT_THAT(shown.out, HasSubstr("tag: blue\xef\xbf\xbdx"));
  EXPECT_EQ(json({"--fields", "year,tag,price,when,cost,new", "--sort", "price:desc", "tiger"},
                 "/hits/0/fields"),
            "{\"year\":2001,\"tag\":[\"big\",\"red\"],\"price\":10.5,\"when\":\"2024-01-31\","
            "\"cost\":\"1.25\",\"new\":true}");
  EXPECT_EQ(json({"--fields", "year,tag,new", "zebra"}, "/hits"), "[]");
  EXPECT_EQ(
      json({"--fields", "year,tag,new", "--sort", "year:missing-first", "tiger"}, "/hits/0/fields"),
      "{\"year\":null,\"tag\":[],\"new\":null}");
}

TEST_F(SearchByColumns, CountsFacetsOfAllMatches) {
  const std::vector<std::string> query{"--k",     "1",        "--facet", "tag:1",
                                       "--facet", "year,new", "tiger"};
  EXPECT_EQ(json(query, "/facets"),
            "[{\"field\":\"tag\",\"values\":[{\"value\":\"red\",\"count\":2}],\"others\":2,"
            "\"missing\":1},"
            "{\"field\":\"year\",\"values\":[{\"value\":2001,\"count\":2},"
            "{\"value\":1999,\"count\":1}],\"others\":0,\"missing\":1},"
            "{\"field\":\"new\",\"values\":[{\"value\":true,\"count\":2},"
            "{\"value\":false,\"count\":1}],\"others\":0,\"missing\":1}]");
  EXPECT_EQ(json(query, "/total"), "4");
  const std::string text = search(query).out;
  EXPECT_THAT(text,
              HasSubstr("\n4 matches\n\nfacet tag\n           2  red\n           2  (others)\n"
                        "           1  (without it)\n"));
  EXPECT_EQ(search({"--count", "--facet", "tag:1", "tiger"}).out,
            "4\n\nfacet tag\n           2  red\n           2  (others)\n           1  (without "
            "it)\n");
}

TEST_F(SearchByColumns, CutsHistograms) {
  EXPECT_EQ(json({"--histogram", "when:month", "tiger"}, "/histograms/0/bins/0"),
            "{\"from\":\"1969-12\",\"count\":1}");
  EXPECT_EQ(json({"--histogram", "price:5", "tiger OR lamp"}, "/histograms"),
            "[{\"field\":\"price\",\"bins\":[{\"from\":\"-5\",\"count\":1},"
            "{\"from\":\"0\",\"count\":1},{\"from\":\"5\",\"count\":2},"
            "{\"from\":\"10\",\"count\":1}],\"missing\":0}]");
  const std::string text = search({"--histogram", "when:month:nonempty", "tiger"}).out;
  EXPECT_THAT(text, HasSubstr("\nhistogram when\n           1  1969-12\n           1  2024-01\n"
                              "           1  2024-03\n           1  (without it)\n"));
}

TEST_F(SearchByColumns, SumsFieldsUp) {
  EXPECT_EQ(json({"--stats", "cost", "tiger"}, "/stats/0"),
            "{\"field\":\"cost\",\"documents\":4,\"missing\":0,\"values\":4,\"distinct\":4,"
            "\"min\":\"0.5\",\"max\":\"9.99\",\"sum\":\"14.24\",\"mean\":3.56}");
  EXPECT_EQ(json({"--stats", "year", "tiger"}, "/stats/0/sum"), "6001");
  EXPECT_EQ(json({"--stats", "tag", "tiger"}, "/stats/0/mean"), "null");
  const std::string text = search({"--stats", "when", "tiger"}).out;
  EXPECT_THAT(text, HasSubstr("least  1969-12-31\n"));
  EXPECT_THAT(text, HasSubstr("mean  2006-"));
}

TEST_F(SearchByColumns, LeavesOutHowManyValuesDiffer) {
  EXPECT_EQ(json({"--stats", "cost", "--no-distinct", "tiger"}, "/stats/0/distinct"), "null");
  EXPECT_EQ(json({"--stats", "cost", "--no-distinct", "tiger"}, "/stats/0/sum"), "\"14.24\"");
  EXPECT_THAT(search({"--stats", "cost", "tiger"}).out, HasSubstr("different"));
  EXPECT_THAT(search({"--stats", "cost", "--no-distinct", "tiger"}).out,
              Not(HasSubstr("different")));
}

TEST_F(SearchByColumns, GroupsHits) {
  const std::vector<std::string> query{"--group", "tag:1", "--sort", "price", "--k", "2", "tiger"};
  EXPECT_EQ(json(query, "/grouping/groups/0/value"), "\"red\"");
  EXPECT_EQ(json(query, "/grouping/groups/0/count"), "2");
  EXPECT_EQ(json(query, "/grouping/groups/0/hits/0/id"), "\"b\"");
  EXPECT_EQ(json(query, "/grouping/groups/1/value"), "\"blue\\tx\"");
  EXPECT_EQ(json(query, "/grouping/missing"), "1");
  EXPECT_EQ(json(query, "/total"), "4") << "documents, not hits";
  const std::string text = search(query).out;
  EXPECT_THAT(text, HasSubstr("tag: red (2)\n  1          -  b\n"));
  EXPECT_THAT(text, HasSubstr("in no group, for they lack tag: 1\n"));
}

TEST_F(SearchByColumns, MistakesNameTheField) {
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.push_back("tiger");
    const Output wrong = search(arguments);
    EXPECT_EQ(wrong.code, 2) << arguments[1];
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    return wrong.err;
  };
  EXPECT_THAT(
      error({"--sort", "yaer"}),
      HasSubstr(
          "no field is called 'yaer' (did you mean 'year'?); the index has year, tag, price"));
  EXPECT_THAT(error({"--sort", "year:up"}), HasSubstr("'year:up' is no key"));
  EXPECT_THAT(error({"--fields", "x"}), HasSubstr("fields: no field is called 'x'"));
  EXPECT_THAT(error({"--fields", ","}), HasSubstr("--fields: a field is missing"));
  EXPECT_THAT(error({"--facet", "tag:0"}), HasSubstr("tag:10"));
  EXPECT_THAT(error({"--histogram", "tag:3"}), HasSubstr("--facet counts its values"));
  EXPECT_THAT(error({"--histogram", "year:month"}), HasSubstr("only dates and times"));
  EXPECT_THAT(error({"--group", "year"}), HasSubstr("'year' has no keywords"));
  EXPECT_THAT(error({"--count", "--sort", "year"}), HasSubstr("--sort is about hits"));
  EXPECT_THAT(error({"--docids", "--facet", "tag"}), HasSubstr("exclude each other"));
}

TEST_F(SearchByColumns, NothingFoundHasEmptyResults) {
  const Output none = search({"--facet", "tag", "--stats", "price", "--histogram", "year:1",
                              "--group", "tag", "--json", "zebra"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(json_at(none.out, "/facets/0/values"), "[]");
  EXPECT_EQ(json_at(none.out, "/histograms/0/bins"), "[]");
  EXPECT_EQ(json_at(none.out, "/stats/0/min"), "null");
  EXPECT_EQ(json_at(none.out, "/grouping/groups"), "[]");
  EXPECT_EQ(search({"--sort", "year", "zebra"}).err, "no documents found\n");
}

TEST_F(SearchByColumns, QueriesFromStdinHaveColumnsToo) {
  const Output found = search({"--json", "--facet", "tag", "-"}, "tiger\nlamp\n");
  EXPECT_EQ(found.code, 0) << found.err;
  const std::string second = found.out.substr(found.out.find('\n') + 1);
  EXPECT_EQ(json_at(second, "/facets/0/missing"), "1");
  EXPECT_EQ(json_at(second, "/total"), "4");
}

}  // namespace
}  // namespace gannet::test
