// The query language: structure, precedence, signs, and what is an error where.
#include "query/language/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/base/error.hpp"
#include "tests/support/query/show_syntax.hpp"

namespace gannet::query {
namespace {

using test::show;
using ::testing::AllOf;
using ::testing::HasSubstr;

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
                {"+and -or +not", "[+and -or +not]"}});
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
                {"a -- b", "[a -- b]"}});
}

TEST(Parse, SignsOfOperandsAreNegationsOrNothing) {
  expect_trees({{"a AND -b", "[(AND a (NOT b))]"},
                {"+a AND b", "[(AND a b)]"},
                {"-a OR +b", "[(OR (NOT a) b)]"},
                {"NOT -a", "[a]"},
                {"NOT NOT -a", "[(NOT a)]"},
                {"NOT (-a)", "[(NOT [-a])]"},
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
