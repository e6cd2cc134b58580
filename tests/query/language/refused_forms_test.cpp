// What the grammars of other engines have: each form has its meaning here, or is refused with the
// column and what to write. None is read as plain words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/language/parse.hpp"
#include "query/language/unsupported.hpp"
#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/query/show_syntax.hpp"

namespace gannet::query {
namespace {

using test::show;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const index::Schema& form_fields() {
  static const index::Schema fields(
      {index::parse_field("year:i32"), index::parse_field("tag:keyword:multi"),
       index::parse_field("when:time"), index::parse_field("title:text")});
  return fields;
}

/// What a query is: its tree, or why it is refused.
std::string form_outcome(const std::string& text, const index::Schema& fields = form_fields()) {
  try {
    return show(parse(text, fields));
  } catch (const UsageError& error) {
    return error.what();
  }
}

struct FormOutcome {
  const char* text;
  int column;        ///< of the refusal; 0: it is known here
  const char* says;  ///< what the message has; or the tree
};

void expect_outcomes(std::initializer_list<FormOutcome> forms) {
  for (const FormOutcome& form : forms) {
    if (form.column == 0) {
      EXPECT_EQ(form_outcome(form.text), form.says) << form.text;
    } else {
      const std::string column = "query, column " + std::to_string(form.column) + ": ";
      EXPECT_THAT(form_outcome(form.text), AllOf(StartsWith(column), HasSubstr(form.says)))
          << form.text;
    }
  }
}

/// QueryParser.jj of Lucene 10 (classic), StandardSyntaxParser.jj (flexible: `@`, `fn:`).
TEST(RefusedForms, OfLucene) {
  expect_outcomes({
      {"wing tip", 0, "[wing tip]"},
      {"\"wing tip\"", 0, "[\"wing tip\"]"},
      {"\"wing tip\"~3", 0, "[\"wing tip\"~3]"},
      {"\"wing tip\"^2", 0, "[\"wing tip\"^2.0]"},
      {"\"wing tip\"~3^2", 0, "[\"wing tip\"~3^2.0]"},
      {"lift -\" wing (AND tip:\"", 0, "[lift -\" wing (AND tip:\"]"},
      {"+\"wing\"", 0, "[+\"wing\"]"},
      {"(\"wing tip\")", 0, "[[\"wing tip\"]]"},
      {"+title:\"wing tip\"~1", 0, "[+3:\"wing tip\"~1]"},
      {"lift \"wing tip", 6, "the phrase is never closed"},
      {"wing \"", 6, "the phrase is never closed"},
      {"\"\" wing", 1, "nothing between the quotation marks"},
      {"\" \" wing", 1, "nothing between the quotation marks"},
      {"\"wing tip\"s", 11, "white space, how far its words may be moved, or a weight"},
      {"\"wing tip\"~", 12, "0 to 1000000"},
      {"\"wing tip\"~x", 12, "0 to 1000000"},
      {"\"wing tip\"~0.5", 12, "0 to 1000000"},
      {"\"wing tip\"~1000001", 12, "0 to 1000000"},
      {"\"wing tip\"~2x", 12, "0 to 1000000"},
      {"\"wing tip\"^2~2", 11, "as in \"a b\"~2^1.5"},
      {"\"wing tip\"^x", 11, "as in \"a b\"~2^1.5"},
      {"\"wing tip\"^1e10", 11, "between 1e-6 and 1e9"},
      {"mot\"juste here\"", 4, "put a space in its place"},
      {"lift größe\"flow\"", 11, "put a space in its place"},
      {"title:wing", 0, "[3:wing]"},
      {"title:(wing tip)^2", 0, "[3:[wing tip]^2.0]"},
      {"title: wing", 7, "a word or '(' is missing behind 'title:'"},
      {"author:smith", 7, "there is no field 'author'; if ':' is just text"},
      {"author:(a b)", 7, "there is no field 'author'"},
      {"author:[a TO b]", 8, "a range is of a field's values"},
      {"author:/smi.h/", 7, "there is no field 'author'"},
      {"author:*", 7, "there is no field 'author'"},
      {"*:wing", 0, "[wildcard *:wing]"},
      {"te?t", 0, "[wildcard te?t]"},
      {"?est", 0, "[wildcard ?est]"},
      {"gr?ße", 0, "[wildcard gr?ße]"},
      {"test*", 0, "[wildcard test*]"},
      {"+title:test*^2", 0, "[+3:wildcard test*^2.0]"},
      {"te*t", 0, "[wildcard te*t]"},
      {"*est", 0, "[wildcard *est]"},
      {"*", 1, "all documents are *:*"},
      {"wing * tip", 6, "all documents are *:*"},
      {"+*", 2, "all documents are *:*"},
      {"title:*", 0, "[<title:*>]"},
      {"*:*", 0, "[<*:*>]"},
      {"*:*^2", 4, "a predicate adds nothing to the score"},
      {"+*:*^2", 5, "a predicate adds nothing to the score"},
      {"(*:*)", 0, "[[<*:*>]]"},
      {"*:*(wing)", 0, "[<*:*> [wing]]"},
      {"title:*:*", 7, "all documents are *:*"},
      {"/[mb]oat/", 0, "[/[mb]oat/]"},
      {"/aero.+/", 0, "[/aero.+/]"},
      {"/aero(.+/", 6, "'(' is never closed"},
      {"/a.{9}{9}{9}{9}{9}{9}/ wing", 1, "the pattern is too large"},
      {"(wing OR /a\\/(b|c)d/)", 0, "[[(OR wing /a\\/(b|c)d/)]]"},
      {"/a.b/c", 0, "[/a.b/c]"},
      {"/a.b/~1", 6, "white space or a weight"},
      {"/joh?n(ath[oa]n)/", 0, "[/joh?n(ath[oa]n)/]"},
      {"lift /win.*/^2", 0, "[lift /win.*/^2.0]"},
      {"lift /a win+g/", 8, "is of one word, which has no white space"},
      {"title:/win.g/", 0, "[3:/win.g/]"},
      {"roam~", 0, "[fuzzy roam~]"},
      {"roam~1", 0, "[fuzzy roam~1]"},
      {"roam~3", 6, "0, 1 or 2"},
      {"r*m~1", 2, "has no wildcards"},
      {"roam~0.8", 6, "how many characters may differ: 0, 1 or 2"},
      {"roam~1^2", 0, "[fuzzy roam~1^2.0]"},
      {"roam^2~1", 5, "behind '^' stands no weight"},
      {"year:[2002 TO 2003]", 0, "[<year:[2002 TO 2003]>]"},
      {"tag:{Aida TO Carmen}", 0, "[<tag:{Aida TO Carmen}>]"},
      {"[a TO b]", 1, "a range is of a field's values"},
      {"{a TO b}", 1, "a range is of a field's values"},
      {"[* TO b]", 1, "a range is of a field's values"},
      {"lift [\"a\" TO b]^2", 6, "a range is of a field's values"},
      {"title:[a TO b]", 7, "which has words and no ranges"},
      {"jakarta^4 apache", 0, "[jakarta^4.0 apache]"},
      {"(a b)^0.2", 0, "[[a b]^0.2]"},
      {"wing^abc", 5, "no weight"},
      {"wing^2,5", 5, "write a number as in word^2.5"},
      {"wing^", 5, "no weight"},
      {"wing ^2", 6, "no weight"},
      {"wing^=2", 5, "no weight"},
      {"a^b", 2, "if '^' is just text"},
      {"(a b)^x", 6, "white space or a weight"},
      {"wing^-2", 5, "to exclude a word, write -word"},
      {"wing^1e10", 5, "between 1e-6 and 1e9"},
      {"(wing flow)^-2", 12, "write -word"},
      {"a AND b", 0, "[(AND a b)]"},
      {"a && b", 3, "called AND, not '&&'"},
      {"a &&b", 3, "called AND"},
      {"a&&b", 2, "called AND"},
      {"a OR b", 0, "[(OR a b)]"},
      {"a || b", 3, "called OR"},
      {"a||b", 2, "called OR"},
      {"+jakarta lucene", 0, "[+jakarta lucene]"},
      {"a NOT b", 0, "[a (NOT b)]"},
      {"a AND NOT b", 0, "[(AND a (NOT b))]"},
      {"NOT NOT a", 0, "[a]"},
      {"a !b", 3, "negation is written NOT"},
      {"a AND !b", 7, "negation is written NOT"},
      {"!(a b)", 1, "negation is written NOT"},
      {"a!b", 2, "negation is written NOT"},
      {"!!a", 1, "negation is written NOT"},
      {"-!a", 2, "negation is written NOT"},
      {"title:!a", 7, "negation is written NOT"},
      {"a -b", 0, "[a -b]"},
      {"+-a", 2, "two signs"},
      {"--a", 2, "two signs"},
      {"++(a b)", 2, "two signs"},
      {"-+year:2000", 2, "two signs"},
      {"title:-wing", 7, "the sign stands before the name: -title:word"},
      {"title:-(a b)", 7, "the sign stands before the name: -title:word"},
      {"a AND", 3, "AND needs an operand after it"},
      {"OR a", 1, "OR needs an operand before it"},
      {"a OR OR b", 3, "OR needs an operand"},
      {"+NOT wing", 2, "'NOT' is an operator, which has no sign, field or weight"},
      {"-NOT wing", 2, "in small letters it is a word"},
      {"+AND", 2, "'AND' is an operator"},
      {"title:NOT wing", 7, "'NOT' is an operator"},
      {"NOT^2 wing", 1, "'NOT' is an operator"},
      {"wing OR^2 tip", 6, "'OR' is an operator"},
      {"title:not +and", 0, "[3:not +and]"},
      {"wing\\:tip", 5, "a backslash escapes nothing"},
      {"\\(1+1\\)", 1, "a backslash escapes nothing"},
      {"C\\+\\+", 2, "a backslash escapes nothing"},
      {"wing\\ tip", 5, "a backslash escapes nothing"},
      {"(a b c)@2", 8, "how many of its words must match"},
      {"(a b)~2", 6, "white space or a weight"},
      {"fn:ordered(a b)", 3, "there is no field 'fn'"},
  });
}

/// "Query string syntax" of Elasticsearch 8: what it has beside Lucene's.
TEST(RefusedForms, OfElasticsearch) {
  expect_outcomes({
      {"_exists_:title", 1, "written FIELD:*"},
      {"title:(quick OR brown)", 0, "[3:[(OR quick brown)]]"},
      {"book.\\*:(quick brown)", 6, "a backslash escapes nothing"},
      {"first\\ name:Alice", 6, "a backslash escapes nothing"},
      {"year:>10", 0, "[<year:{10 TO *]>]"},
      {"year:<=10", 0, "[<year:[* TO 10]>]"},
      {"year:(>=10 AND <20)", 12, "stands OR"},
      {"year:(<10 OR >=20)", 0, "[<year:[* TO 10} OR year:[20 TO *]>]"},
      {"year:(+>=10 +<20)", 7, "is no value of field 'year'"},
      {"tag:(+a -b)", 6, "have no signs"},
      {"tag:(-a)", 6, "have no signs"},
      {"tag:(NOT a)", 10, "stands OR"},
      {"tag:wi?g", 7, "wildcards ('?')"},
      {"tag:wing~1", 9, "fuzzy values"},
      {"tag:/win.+/", 5, "regular expressions"},
      {"tag:a&&tag:b", 6, "called AND"},
      {"tag:a||tag:b", 6, "called OR"},
      {"tag:!a", 5, "negation"},
      {"tag:\"a b\"~2", 10, "must stand behind the value"},
      {"tag:\"wi?g\"", 0, "[<tag:\"wi?g\">]"},
      {"tag:wi\\?g", 0, "[<tag:\"wi?g\">]"},
      {"tag:wing^2", 9, "no weight"},
      {"year>2000", 5, "written FIELD:>VALUE"},
      {"year=2000", 5, "equality FIELD:VALUE"},
      {"year : 2000", 6, "stand together, FIELD:VALUE"},
      {"wing year :2000", 11, "stand together, FIELD:VALUE"},
      {"year\u3000: [2000 TO 2001]", 6, "stand together"},
      {"title : wing", 7, "if ':' is just text, put a space in its place"},
      {"+title :(wing tip)", 8, "stand together"},
      {"contents : wing", 10, "stand together"},
      {"note : wing", 0, "[note : wing]"},
      {"the title :", 0, "[the title :]"},
      {"author:>10", 7, "there is no field 'author'"},
      {"author:{10 TO *}", 8, "a range is of a field's values"},
      {"when:now-7d", 6, "is no value of field 'when'"},
  });
}

/// query_grammar.rs and the page of QueryParser of tantivy 0.25: what it has beside Lucene's.
TEST(RefusedForms, OfTantivy) {
  expect_outcomes({
      {"'wing tip'", 1, "double quotation marks"},
      {"lift 'wing tip'~2", 6, "double quotation marks"},
      {"'wing tip'*", 1, "double quotation marks"},
      {"\"wing ti\"*", 10, "the beginning of its last word is written \"a b*\""},
      {"title:'wing tip'", 7, "double quotation marks"},
      {"'wing'", 0, "['wing']"},
      {"'wing tips'", 1, "double quotation marks"},
      {"('wing tips')", 2, "double quotation marks"},
      {"'wing tips' -flow", 1, "double quotation marks"},
      {"'wing tips'~2", 1, "double quotation marks"},
      {"IN [a b c]", 1, "sets are not known; write (a OR b)"},
      {"title:IN [a b]", 7, "sets are not known"},
      {"title: IN [a b]", 7, "is missing behind 'title:'"},
      {"tag:IN [a b]", 5, "a set is written tag:(a OR b)"},
      {"tag: IN [a b]", 5, "a value is missing behind 'tag:'"},
      {">5", 1, "FIELD:>5"},
      {"<=wing", 1, "FIELD:>5"},
      {"wing > 5", 6, "a comparison is of a field's values"},
      {"title:>5", 7, "which has words and no ranges"},
      {"(a OR b) AND -c", 0, "[(AND [(OR a b)] (NOT c))]"},
      {"a^2.5 b", 0, "[a^2.5 b]"},
  });
}

/// doc/querylanguage.md of Terrier 5: its user language and matching ops, and Indri's, whose they
/// are; and operators of proximity that Xapian, Endeca and Oracle Text have.
TEST(RefusedForms, OfTerrierAndOthers) {
  expect_outcomes({
      {"{wing airfoil}", 1, "synonyms in braces"},
      {"wing^2.3", 0, "[wing^2.3]"},
      {"wing -title:tip", 0, "[wing -3:tip]"},
      {"#combine(wing tip)", 1, "operators of Indri and Terrier"},
      {"#combine:0=2:1=1(wing tip)", 1, "operators of Indri and Terrier"},
      {"lift #uw8(wing tip)", 0, "[lift (#uw8 wing tip)]"},
      {"#1(wing tip)", 0, "[(#1 wing tip)]"},
      {"-title:#od3(wing tip)^2", 0, "[-3:(#od3 wing tip)^2.0]"},
      {"#uw(wing tip)", 1, "with a number from 1 on"},
      {"#od0(wing tip)", 1, "with a number from 1 on"},
      {"#uw1000001(wing tip)", 1, "with a number from 1 on"},
      {"#uw8()", 5, "nothing between the parentheses"},
      {"lift #uw8(wing -tip)", 6, "#uw8(...) has words alone"},
      {"#uw8(wing \"a b\")", 1, "has words alone"},
      {"#uw8(#uw2(a b) c)", 1, "has words alone"},
      {"#uw8 wing", 0, "[#uw8 wing]"},
      {"#syn(wing airfoil)", 1, "operators of Indri and Terrier"},
      {"wing.title", 5, "as in title:wing"},
      {"wing NEAR tip", 6, "in small letters it is a word"},
      {"wing NEAR/3 tip", 0, "[(NEAR/3 wing tip)]"},
      {"a wing ONEAR/3 tip ONEAR/3 lift b", 0, "[a (ONEAR/3 wing tip lift) b]"},
      {"a AND wing NEAR/3 tip OR b", 0, "[(OR (AND a (NEAR/3 wing tip)) b)]"},
      {"NOT wing NEAR/3 tip", 0, "[(NOT (NEAR/3 wing tip))]"},
      {"+title:(wing NEAR/3 tip)^2", 0, "[+3:[(NEAR/3 wing tip)]^2.0]"},
      {"+wing NEAR/3 tip", 7, "NEAR/3 stands between words alone"},
      {"wing NEAR/3 (tip lift)", 6, "NEAR/3 stands between words alone"},
      {"wing^2 NEAR/3 tip", 8, "NEAR/3 stands between words alone"},
      {"wing NEAR/3 NOT tip", 6, "NEAR/3 stands between words alone"},
      {"wing NEAR/3 tip NEAR/4 lift", 17, "NEAR/3 and NEAR/4 stand side by side"},
      {"wing NEAR/3 tip ONEAR/3 lift", 17, "one distance between them all"},
      {"NEAR/3 tip", 1, "NEAR/3 needs an operand before it"},
      {"wing NEAR/3", 6, "NEAR/3 needs an operand after it"},
      {"wing NEAR/0 tip", 6, "a number from 1 on"},
      {"wing NEAR3 tip", 6, "a number from 1 on"},
      {"wing ADJ tip", 6, "ADJ is written ONEAR"},
      {"wing ADJ5 tip", 6, "ADJ is written ONEAR"},
      {"wing XOR tip", 6, "XOR is not known"},
      {"NEAR(wing tip)", 1, "a number from 1 on"},
      {"+NEAR", 0, "[+NEAR]"},
  });
}

TEST(RefusedForms, AreInTheTableEachWithAnExampleThatNamesIt) {
  EXPECT_GE(refused_forms().size(), 21u);
  for (const RefusedForm& form : refused_forms()) {
    EXPECT_FALSE(form.languages.empty()) << form.example;
    EXPECT_THAT(form_outcome(std::string(form.example)),
                AllOf(StartsWith("query, column "), HasSubstr(std::string(form.message))))
        << form.example;
  }
}

/// The manual lists what it says is complete.
TEST(RefusedForms, AreInTheManual) {
  const std::string page =
      test::read_file(std::string(test::kSourceFolder) + "/tools/docs/pages/queries.md");
  for (const RefusedForm& form : refused_forms()) {
    std::string cell(form.example);
    for (std::size_t at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 2)) {
      cell.insert(at, "\\");
    }
    EXPECT_TRUE(page.find("`" + cell + "`") != std::string::npos) << form.example;
  }
}

/// Characters in places where they mean nothing elsewhere, and what people write all the time.
TEST(RefusedForms, OrdinaryTextIsNone) {
  for (const char* text : {"C++",
                           "c#",
                           "C# and F#",
                           "AT&T",
                           "r&d",
                           "3/4",
                           "and/or",
                           "a/b testing",
                           "/usr/bin",
                           "/etc and /usr/lib",
                           "/tmp/",
                           "/etc/ config",
                           "c:/windows/",
                           "c:/windows/ and c:\\windows",
                           "file:/tmp/",
                           "TCP/IP",
                           "e-mail",
                           "x-ray",
                           "what is x?",
                           "what?",
                           "what??",
                           "what?!",
                           "quoi ?",
                           "?",
                           "¿qué?",
                           "¡hola!",
                           "Yahoo! Mail",
                           "bonjour ! ça va ?",
                           "x != 5",
                           "near the sea",
                           "Near the sea",
                           "in [brackets]",
                           "5\"",
                           "3.5\" disk",
                           "12:30",
                           "note:",
                           "note: this",
                           "std::vector",
                           "http://host/a?q=1&r=2",
                           "https://host:80/~user/x#top",
                           "c:\\dir",
                           "c:\\",
                           "\\\\host\\share",
                           "\\alpha",
                           "~/.profile",
                           "~5",
                           "a~b",
                           "^",
                           "^_^",
                           "a - b",
                           "a -- b",
                           "a + b",
                           "a -> b",
                           "a => b",
                           ">> quoted",
                           "<b>bold</b>",
                           "-",
                           "&",
                           "|",
                           "a|b",
                           "a | b",
                           "50%",
                           "#1",
                           "#wing",
                           "@home",
                           "a@b.com",
                           "[1]",
                           "[sic]",
                           "[see there]",
                           "{x}",
                           "f(x)",
                           "it's",
                           "'tis the season",
                           "the dogs' bowl",
                           "rock 'n' roll",
                           "'tis the season for dogs' bowls",
                           "'60s and the Beatles' songs",
                           "'cause girls' night",
                           "rock 'n roll dancers' shoes",
                           "'Twas the night's start'",
                           "'bove all the gods' thrones",
                           "the 'wing' there",
                           "$5",
                           "index.html",
                           "U.S.A.",
                           "(so it is) - or is it?",
                           "10^6",
                           "…"}) {
    EXPECT_THAT(form_outcome(text), StartsWith("[")) << text;
  }
}

/// Quotation marks that texts have; where they are no phrase's, they are plain text.
TEST(RefusedForms, OfTypographers) {
  expect_outcomes({
      {"“wing tip”", 0, "[\"wing tip\"]"},
      {"„wing tip“", 0, "[\"wing tip\"]"},
      {"„wing tip”", 0, "[\"wing tip\"]"},
      {"”wing tip”", 0, "[\"wing tip\"]"},
      {"«wing tip»", 0, "[\"wing tip\"]"},
      {"« wing tip »", 0, "[\" wing tip \"]"},
      {"»wing tip«", 0, "[\"wing tip\"]"},
      {"»wing tip»", 0, "[\"wing tip\"]"},
      {"lift +“wing tip”~3^2", 0, "[lift +\"wing tip\"~3^2.0]"},
      {"(«wing tip») -title:“a b”", 0, "[[\"wing tip\"] -3:\"a b\"]"},
      {"“a b” OR “c d”", 0, "[(OR \"a b\" \"c d\")]"},
      {"“信息检索”", 0, "[\"信息检索\"]"},
      // Not balanced, or not where words begin and end.
      {"“wing tip", 0, "[“wing tip]"},
      {"wing tip”", 0, "[wing tip”]"},
      {"“wing tip“", 0, "[“wing tip“]"},
      {"„wing tip„", 0, "[„wing tip„]"},
      {"«wing tip«", 0, "[«wing tip«]"},
      {"“wing »tip”", 0, "[“wing »tip”]"},
      {"“wing tip”s", 0, "[“wing tip”s]"},
      {"the“wing tip”", 0, "[the“wing tip”]"},
      {"“wing tip”, there", 0, "[“wing tip”, there]"},
      {"“” wing", 0, "[“” wing]"},
      {"“ ” wing", 0, "[“ ” wing]"},
      {"5” pipe 3” pipe", 0, "[5” pipe 3” pipe]"},
      // What is refused of phrases in straight ones.
      {"“wing tip”~", 12, "behind a phrase and '~' stands how far its words may be moved"},
      {"“wing tip”*", 11, "is written \"a b*\""},
      {"“wing tip”~2x", 12, "0 to 1000000"},
      {"“wing tip”^0.5x", 11, "weight"},
      {"“wing tip” NEAR/3 lift", 12, "stands between words alone"},
  });
}

TEST(RefusedForms, ANearMissOfAFieldIsAskedFor) {
  expect_outcomes({
      {"titel:wing", 6, "there is no field 'titel' (did you mean 'title'?)"},
      {"yaer:>2000", 5, "did you mean 'year'?"},
      {"content:wing", 8, "did you mean 'contents'?"},
      {"contents:*", 1, "'contents:*' is not known: no column says"},
      {"TITLE:wing", 6, "there is no field 'TITLE' (did you mean 'title'?); if ':' is just text"},
      {"x:y", 2, "there is no field 'x'; if ':' is just text"},
  });
  const index::Schema values({index::parse_field("year:i32")});
  EXPECT_THAT(form_outcome("contents:wing", values),
              HasSubstr("column 9: this index has one text"));
  EXPECT_THAT(form_outcome("title:wing", {}), HasSubstr("column 6: there is no field 'title'; if"));
}

TEST(RefusedForms, FiltersNameThemToo) {
  const auto error_of = [](const std::string& text) {
    try {
      return to_string(parse_filter(text, form_fields()));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(error_of("year:1 && tag:a"), HasSubstr("filter, column 8: the operator is called"));
  EXPECT_THAT(error_of("year:1 AND !tag:a"), HasSubstr("filter, column 12: negation is written"));
  EXPECT_THAT(error_of("+-tag:a"), HasSubstr("filter, column 2: two signs"));
  EXPECT_THAT(error_of("_exists_:tag"), HasSubstr("filter, column 1: that a document has"));
  EXPECT_THAT(error_of("year>2000"), HasSubstr("filter, column 5: a comparison is written"));
  EXPECT_THAT(error_of("year : 2000"), HasSubstr("filter, column 6: a field's name, the ':'"));
  EXPECT_THAT(error_of("*:*^2"), HasSubstr("filter, column 4: a predicate adds nothing"));
  EXPECT_THAT(error_of("-NOT year:1"), HasSubstr("filter, column 2: 'NOT' is an operator"));
  EXPECT_EQ(error_of("tag:/tmp/"), "tag:\"/tmp/\"");
  EXPECT_THAT(error_of("win*"), HasSubstr("filter, column 1: 'win*' is no predicate"));
}

}  // namespace
}  // namespace gannet::query
