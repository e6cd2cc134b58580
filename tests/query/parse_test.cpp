// The query language: structure, precedence, signs, and what is an error where.
#include "query/language/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/error.hpp"

namespace gannet::query {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A syntax tree as text: [clauses], (AND ...), (OR ...), (NOT ...).
std::string show(const Syntax& syntax) {
  const std::string sign = syntax.sign == Sign::kMust      ? "+"
                           : syntax.sign == Sign::kMustNot ? "-"
                                                           : "";
  if (syntax.kind == Syntax::Kind::kWord) return sign + std::string(syntax.word);
  const bool group = syntax.kind == Syntax::Kind::kGroup;
  std::string text = sign + (group                               ? "["
                             : syntax.kind == Syntax::Kind::kAnd ? "(AND "
                             : syntax.kind == Syntax::Kind::kOr  ? "(OR "
                                                                 : "(NOT ");
  for (std::size_t i = 0; i < syntax.parts.size(); ++i) {
    text += (i > 0 ? " " : "") + show(syntax.parts[i]);
  }
  return text + (group ? "]" : ")");
}

struct ParseCase {
  const char* text;
  const char* tree;
};

void expect_trees(std::initializer_list<ParseCase> cases) {
  for (const ParseCase& c : cases) EXPECT_EQ(show(parse(c.text)), c.tree) << "query: " << c.text;
}

TEST(Parse, WordsStandSideBySide) {
  expect_trees({{"", "[]"},
                {" \t\n ", "[]"},
                {"wing", "[wing]"},
                {"  wing   flow ", "[wing flow]"},
                {"wing\tflow\nlift", "[wing flow lift]"}});
}

TEST(Parse, OperatorsOnlyInCapitalsAndAsWholeWords) {
  expect_trees({{"a and b", "[a and b]"},
                {"a Or b not c", "[a Or b not c]"},
                {"ANDROID ORDER NOTE", "[ANDROID ORDER NOTE]"},
                {"a,AND b", "[a,AND b]"},
                {"a AND b", "[(AND a b)]"},
                {"a OR b", "[(OR a b)]"},
                {"NOT a", "[(NOT a)]"},
                {"+AND -OR +NOT", "[+AND -OR +NOT]"}});
}

TEST(Parse, NotBindsCloserThanAndCloserThanOrCloserThanNeighbours) {
  expect_trees({{"a OR b AND c", "[(OR a (AND b c))]"},
                {"a AND b OR c", "[(OR (AND a b) c)]"},
                {"a AND b OR c AND d", "[(OR (AND a b) (AND c d))]"},
                {"NOT a AND b", "[(AND (NOT a) b)]"},
                {"NOT a OR NOT b", "[(OR (NOT a) (NOT b))]"},
                {"a b AND c", "[a (AND b c)]"},
                {"a b OR c d", "[a (OR b c) d]"},
                {"a NOT b c", "[a (NOT b) c]"},
                {"a AND b AND c AND d", "[(AND a b c d)]"},
                {"a OR b OR c", "[(OR a b c)]"}});
}

TEST(Parse, ParenthesesGroup) {
  expect_trees({{"(a OR b) AND c", "[(AND [(OR a b)] c)]"},
                {"(a b) c", "[[a b] c]"},
                {"a(b)c", "[a [b] c]"},
                {"((a))", "[[[a]]]"},
                {"NOT (a b)", "[(NOT [a b])]"},
                {"(a)(b)", "[[a] [b]]"}});
}

TEST(Parse, SignsBelongToTheClauseThatFollows) {
  expect_trees({{"+a b -c", "[+a b -c]"},
                {"+(a b) -(c d)", "[+[a b] -[c d]]"},
                {"(+a -b) c", "[[+a -b] c]"},
                {"(a)-b", "[[a] -b]"},
                {"x-ray a+b c++ d-", "[x-ray a+b c++ d-]"},
                {"a - b", "[a - b]"},
                {"a + (b)", "[a + [b]]"},
                {"(a -)", "[[a -]]"},
                {"--a +-b -+c", "[--a +-b -+c]"}});
}

TEST(Parse, SignsOfOperandsAreNegationsOrNothing) {
  expect_trees({{"a AND -b", "[(AND a (NOT b))]"},
                {"+a AND b", "[(AND a b)]"},
                {"-a OR +b", "[(OR (NOT a) b)]"},
                {"NOT -a", "[(NOT (NOT a))]"},
                {"NOT +a", "[(NOT a)]"},
                {"a AND -(b c)", "[(AND a (NOT [b c]))]"}});
}

TEST(Parse, RepeatedNotCancels) {
  expect_trees({{"NOT NOT a", "[a]"}, {"NOT NOT NOT a", "[(NOT a)]"}, {"a NOT NOT b", "[a b]"}});
  std::string many;
  for (int i = 0; i < 100001; ++i) many += "NOT ";
  EXPECT_EQ(show(parse(many + "a")), "[(NOT a)]");
}

std::string parse_error(const std::string& text) {
  try {
    parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Parse, ErrorsNameTheColumnAndTheTrouble) {
  EXPECT_THAT(parse_error("(a b"), AllOf(HasSubstr("column 1:"), HasSubstr("never closed")));
  EXPECT_THAT(parse_error("a (b (c)"), AllOf(HasSubstr("column 3:"), HasSubstr("never closed")));
  EXPECT_THAT(parse_error("a b)"), AllOf(HasSubstr("column 4:"), HasSubstr("without a '('")));
  EXPECT_THAT(parse_error(")"), AllOf(HasSubstr("column 1:"), HasSubstr("without a '('")));
  EXPECT_THAT(parse_error("a ()"), AllOf(HasSubstr("column 3:"), HasSubstr("nothing between")));
  EXPECT_THAT(parse_error("a -( )"), AllOf(HasSubstr("column 4:"), HasSubstr("nothing between")));
  EXPECT_THAT(parse_error("a AND"),
              AllOf(HasSubstr("column 3:"), HasSubstr("AND needs an operand after")));
  EXPECT_THAT(parse_error("a OR (b OR )"), AllOf(HasSubstr("column 9:"), HasSubstr("OR needs")));
  EXPECT_THAT(parse_error("AND a"),
              AllOf(HasSubstr("column 1:"), HasSubstr("AND needs an operand before")));
  EXPECT_THAT(parse_error("(OR a)"), AllOf(HasSubstr("column 2:"), HasSubstr("OR needs")));
  EXPECT_THAT(parse_error("a AND OR b"), AllOf(HasSubstr("column 3:"), HasSubstr("AND needs")));
  EXPECT_THAT(parse_error("a NOT"), AllOf(HasSubstr("column 3:"), HasSubstr("NOT needs")));
  EXPECT_THAT(parse_error("NOT AND a"), AllOf(HasSubstr("column 1:"), HasSubstr("NOT needs")));
  EXPECT_THAT(parse_error("(a"), HasSubstr("query"));
}

TEST(Parse, SyntaxOfOtherLanguagesIsRefused) {
  struct Refused {
    const char* text;
    const char* column;
    const char* advice;
  };
  for (const Refused& refused : std::initializer_list<Refused>{
           {"\"wing flow\"", "column 1:", "leave the marks out"},
           {"lift \"wing flow\"", "column 6:", "leave the marks out"},
           {"+\"wing\"", "column 2:", "leave the marks out"},
           {"(\"wing flow\")", "column 2:", "leave the marks out"},
           {"mot\"juste here\"", "column 4:", "put a space in its place"},
           {"O\"Neil", "column 2:", "put a space in its place"},
           {"lift größe\"flow\"", "column 11:", "put a space in its place"},
           {"te?t", "column 3:", "with OR between them"},
           {"lift w??g", "column 7:", "with OR between them"},
           {"?ing", "column 1:", "with OR between them"},
           {"gr?ße", "column 3:", "with OR between them"},
           {"lift win*", "column 9:", "with OR between them"},
           {"*ing", "column 1:", "with OR between them"},
           {"größe gr*ße", "column 9:", "with OR between them"},
           {"wing~1 flow", "column 5:", "write the spellings out"},
           {"wing~", "column 5:", "write the spellings out"},
           {"wing~0.8", "column 5:", "write the spellings out"},
           {"title:wing", "column 6:", "cannot be searched apart"},
           {"-title:wing", "column 7:", "cannot be searched apart"},
           {"lift sub_title:(wing flow)", "column 15:", "cannot be searched apart"},
           {"title:\"wing flow\"", "column 6:", "cannot be searched apart"},
           {"wing^-2 flow", "column 5:", "write -word"},
           {"wing^1e10", "column 5:", "between 1e-6 and 1e9"},
           {"wing^1e-7", "column 5:", "between 1e-6 and 1e9"},
           {"wing^1e999", "column 5:", "between 1e-6 and 1e9"},
           {"wing^1.2.3", "column 5:", "no weight"},
           {"größe^2e", "column 6:", "no weight"},
           {"(wing flow)^-2", "column 12:", "write -word"},
           {"win*^2", "column 4:", "with OR between them"},
           {"wing && flow", "column 6:", "called AND"},
           {"wing || flow", "column 6:", "called OR"}}) {
    EXPECT_THAT(parse_error(refused.text),
                AllOf(HasSubstr(refused.column), HasSubstr(refused.advice)))
        << refused.text;
  }
}

TEST(Parse, CharactersThatMeanNothingStayText) {
  for (const char* text : {"C++",
                           "c#",
                           "e-mail",
                           "what?",
                           "what??",
                           "what?!",
                           "?",
                           "¿qué?",
                           "5\"",
                           "3.5\" disk",
                           "5\"-pipe",
                           "12:30",
                           "note:",
                           "std::vector",
                           "http://host/a?q=1&r=2",
                           "https://host:80/~user/x",
                           "c:\\dir",
                           "~/.profile",
                           "~5",
                           "a~b",
                           "^",
                           "a^b",
                           "* * *",
                           "**",
                           "-",
                           "&",
                           "|",
                           "r&d",
                           "a|b",
                           "50%",
                           "#1",
                           "@home",
                           "[1]",
                           "{x}",
                           "it's",
                           "$5"}) {
    EXPECT_EQ(parse_error(text), "no error") << text;
  }
}

TEST(Parse, ColumnsCountCharactersNotBytes) {
  EXPECT_THAT(parse_error("größe 東京 )"), HasSubstr("column 10:"));
}

TEST(Parse, DeepNestingIsAnErrorNotACrash) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_NO_THROW(parse(nested(kMaxNesting)));
  EXPECT_THAT(parse_error(nested(kMaxNesting + 1)), HasSubstr("nested more than"));
  EXPECT_THAT(parse_error(std::string(1000000, '(')), HasSubstr("nested more than"));
  // Depth is what counts, not the number of parentheses.
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "(a) ";
  EXPECT_EQ(parse(wide).parts.size(), 1000u);
}

}  // namespace
}  // namespace gannet::query
