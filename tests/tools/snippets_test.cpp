// gannet search --snippets, as a user types it, on the collection of corpora/tiny.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Snippets : public ::testing::Test {
 protected:
  std::string index(const std::string& input, const std::string& name,
                    std::vector<std::string> more = {"--store"}) {
    std::vector<std::string> arguments{"index", "--input",  input,          "--format",
                                       "jsonl", "--output", folder_ / name, "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Output made = gannet(arguments);
    EXPECT_EQ(made.code, 0) << made.err;
    return folder_ / name;
  }
  std::string tiny() {
    return index(std::string(kSourceFolder) + "/corpora/tiny/docs.jsonl", "tiny");
  }
  static Output search(const std::string& index, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"search", "--index", index, "--k", "1"});
    return gannet(std::move(arguments));
  }

  TemporaryDirectory folder_;
};

TEST_F(Snippets, TextHasOnePieceOfEachHitByItself) {
  const Output found = search(tiny(), {"crosswise eels"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("puffin-1\n                "));
  EXPECT_THAT(found.out, HasSubstr("They carry a row of sand eels crosswise in the bill"));
  EXPECT_THAT(found.out, Not(HasSubstr("*")));
  EXPECT_THAT(found.out, Not(HasSubstr("\033")));
}

TEST_F(Snippets, NumberLengthAndHighlightAreOptions) {
  const std::string idx = tiny();
  const Output one = search(
      idx, {"--snippets=1", "--snippet-length", "30", "--highlight", "text", "crosswise chick"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("  … sand eels *crosswise* in the …\n"));
  // Without a number there are two; the words behind are the query's.
  const Output two = search(idx, {"--snippets", "--snippet-length", "30", "--highlight", "text",
                                  "atlantic crosswise chick"});
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("*Atlantic* puffins breed in … "));
  EXPECT_EQ(search(idx, {"--snippets", "crosswise"}).code, 0);
  // Behind -- it is the query's, whose language refuses it.
  EXPECT_THAT(search(idx, {"--", "--snippets"}).err, HasSubstr("column 2"));
  const Output none = search(idx, {"--snippets=0", "crosswise"});
  EXPECT_THAT(none.out, ::testing::EndsWith("puffin-1\n"));
}

TEST_F(Snippets, EscapesAreThereIfAskedFor) {
  EXPECT_THAT(search(tiny(), {"--highlight", "ansi", "crosswise"}).out,
              HasSubstr("eels \033[1;31mcrosswise\033[0m in"));
}

TEST_F(Snippets, HtmlIsSafe) {
  write_file(folder_ / "evil.jsonl",
             "{\"id\": \"e\", \"contents\": \"an <b>evil</b>\\n \\\"gannet\\\" & 'co'\"}\n");
  const std::string idx = index(folder_ / "evil.jsonl", "evil");
  EXPECT_THAT(search(idx, {"--highlight", "html", "gannet"}).out,
              HasSubstr("an &lt;b&gt;evil&lt;/b&gt;  &quot;<mark>gannet</mark>&quot; &amp; "
                        "&#39;co&#39;\n"));
}

TEST_F(Snippets, JsonHasOffsetsAndMarks) {
  const std::string text = "{\"id\": \"d\", \"contents\": \"Häuser: zwei HAUS.\"}\n";
  write_file(folder_ / "de.jsonl", text);
  const std::string idx = index(folder_ / "de.jsonl", "de", {"--store", "--stemmer", "german"});
  const Output found = search(idx, {"--json", "--snippets", "--highlight", "html", "haus"});
  ASSERT_EQ(found.code, 0) << found.err;
  const std::string snippet = json_at(found.out, "/hits/0/snippet");
  EXPECT_EQ(json_at(snippet, "/fragments/0/begin"), "0");
  EXPECT_EQ(json_at(snippet, "/fragments/0/end"), "19");
  EXPECT_EQ(json_at(snippet, "/fragments/0/text"), "\"Häuser: zwei HAUS.\"");
  EXPECT_EQ(json_at(snippet, "/fragments/0/marks"),
            "[{\"begin\":0,\"end\":7,\"term\":\"haus\"},"
            "{\"begin\":14,\"end\":18,\"term\":\"haus\"}]");
  EXPECT_EQ(json_at(snippet, "/html"), "\"<mark>Häuser</mark>: zwei <mark>HAUS</mark>.\"");
  const std::string hit = json_at(found.out, "/hits/0");
  EXPECT_EQ(hit.find("\"text\":"), hit.rfind("\"text\":"));  // the fragment's alone
}

TEST_F(Snippets, JsonHasThemIfTheyAreAskedForAndTheWholeTextLikewise) {
  const std::string idx = tiny();
  const std::string plain = json_at(search(idx, {"--json", "crosswise"}).out, "/hits/0");
  EXPECT_THAT(plain, AllOf(Not(HasSubstr("\"text\"")), Not(HasSubstr("\"snippet\""))));
  EXPECT_THAT(json_at(search(idx, {"--json", "--snippets=0", "crosswise"}).out, "/hits/0"),
              Not(HasSubstr("\"text\"")));
  const std::string both = search(idx, {"--json", "--text", "--snippets=1", "crosswise"}).out;
  EXPECT_THAT(json_at(both, "/hits/0/text"), HasSubstr("Atlantic puffins"));
  EXPECT_THAT(json_at(both, "/hits/0/snippet/fragments/0/text"), HasSubstr("crosswise"));
  const std::string asked = search(idx, {"--json", "--snippet-length", "40", "eels"}).out;
  EXPECT_THAT(json_at(asked, "/hits/0/snippet/fragments/0/text"), HasSubstr("eels"));
}

TEST_F(Snippets, ANumberBehindTheOptionIsNotTakenForTheQuery) {
  const std::string idx = tiny();
  const Output refused = search(idx, {"--snippets", "2", "eels"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--snippets=2"));
  EXPECT_EQ(search(idx, {"--snippets", "--", "2", "eels"}).code, 0);
  EXPECT_EQ(search(idx, {"--snippets", "eels", "2"}).code, 0);
}

TEST_F(Snippets, PhrasesAreMarkedWhereTheyOccur) {
  write_file(folder_ / "layers.jsonl",
             "{\"id\": \"l\", \"contents\": \"The boundary of a layer. A boundary layer is "
             "thin; layers have boundaries.\"}\n");
  const std::string idx = index(folder_ / "layers.jsonl", "layers");
  const auto marked = [&](const std::string& query) {
    return search(idx, {"--highlight", "text", query}).out;
  };
  EXPECT_THAT(marked("\"boundary layer\""),
              HasSubstr("The boundary of a layer. A *boundary* *layer* is thin; layers have "
                        "boundaries.\n"));
  EXPECT_THAT(marked("\"boundary layer\"~2"),
              HasSubstr("The *boundary* of a *layer*. A *boundary* *layer* is thin; layers have "
                        "boundaries.\n"));
  EXPECT_THAT(marked("\"boundary lay*\" -\"layers of\""), HasSubstr("A *boundary* *layer* is"));
  EXPECT_THAT(marked("bound* thim~1"),
              HasSubstr("The *boundary* of a layer. A *boundary* layer is *thin*; layers have "
                        "*boundaries*.\n"));
  const std::string json =
      search(idx, {"--json", "--snippets", "--highlight", "html", "\"boundary layer\""}).out;
  EXPECT_EQ(json_at(json, "/hits/0/snippet/fragments/0/marks"),
            "[{\"begin\":27,\"end\":35,\"term\":\"\\\"boundari layer\\\"\"},"
            "{\"begin\":36,\"end\":41,\"term\":\"\\\"boundari layer\\\"\"}]");
  EXPECT_THAT(json_at(json, "/hits/0/snippet/html"),
              HasSubstr("A <mark>boundary</mark> <mark>layer</mark> is"));
}

TEST_F(Snippets, ExpansionsTermsAreMarked) {
  const std::string expanded =
      search(tiny(), {"--expand", "rm3", "--expand-params", "docs=1,terms=30", "--highlight",
                      "text", "crosswise"})
          .out;
  EXPECT_THAT(expanded, HasSubstr("*crosswise*"));
  EXPECT_THAT(expanded, HasSubstr("*eels*"));
}

TEST_F(Snippets, AnIndexWithoutTextsSaysSo) {
  const std::string idx =
      index(std::string(kSourceFolder) + "/corpora/tiny/docs.jsonl", "bare", {});
  for (const std::string option : {"--snippets", "--snippet-length=40", "--highlight=html"}) {
    const Output found = search(idx, {option, "eels"});
    EXPECT_EQ(found.code, 2) << option;
    EXPECT_TRUE(is_one_line(found.err)) << found.err;
    EXPECT_THAT(found.err, HasSubstr("build it with --store"));
  }
  EXPECT_EQ(search(idx, {"eels"}).code, 0);
  EXPECT_EQ(search(idx, {"--snippets=0", "eels"}).code, 0);
}

TEST_F(Snippets, WrongOptionsAreUsageErrors) {
  const std::string idx = tiny();
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.emplace_back("eels");
    const Output wrong = search(idx, arguments);
    EXPECT_EQ(wrong.code, 2) << arguments[0];
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    EXPECT_THAT(wrong.err, HasSubstr(why));
  };
  refused({"--snippets=101"}, "--snippets");
  refused({"--snippets=-1"}, "--snippets");
  refused({"--snippets=two"}, "snippets");
  refused({"--snippet-length", "9"}, "--snippet-length");
  refused({"--highlight", "bold"}, "none of text, html, ansi, none");
  refused({"--snippets", "--count"}, "is about hits");
  refused({"--highlight", "html", "--docids"}, "is about hits");
}

}  // namespace
}  // namespace gannet::test
