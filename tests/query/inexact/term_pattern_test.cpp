// Patterns of terms: what each form matches, against slow definitions of the same, and what is
// refused.
#include "query/inexact/term_pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "query/inexact/code_points.hpp"
#include "query/inexact/edit_distance.hpp"
#include "query/inexact/lazy_dfa.hpp"
#include "tests/support/query/patterns.hpp"

namespace gannet::query {
namespace {

using testing::HasSubstr;

bool regex_matches(std::string_view pattern, std::string_view term) {
  return TermPattern::regex(pattern).matches(term);
}

bool wildcard_matches(std::string_view pattern, std::string_view term) {
  return TermPattern::wildcard(pattern).matches(term);
}

TEST(TermPattern, WildcardsAreOfCharacters) {
  EXPECT_TRUE(wildcard_matches("aero*", "aero"));
  EXPECT_TRUE(wildcard_matches("aero*", "aerodynamic"));
  EXPECT_FALSE(wildcard_matches("aero*", "aer"));
  EXPECT_FALSE(wildcard_matches("aero*", "an aero"));
  EXPECT_TRUE(wildcard_matches("*foil", "foil"));
  EXPECT_TRUE(wildcard_matches("*foil", "airfoil"));
  EXPECT_FALSE(wildcard_matches("*foil", "foils"));
  EXPECT_TRUE(wildcard_matches("w?ng", "wing"));
  EXPECT_TRUE(wildcard_matches("w?ng", "wäng"));
  EXPECT_TRUE(wildcard_matches("w?ng", "w😀ng"));
  EXPECT_FALSE(wildcard_matches("w?ng", "wng"));
  EXPECT_FALSE(wildcard_matches("w?ng", "wiing"));
  EXPECT_TRUE(wildcard_matches("*", "x"));
  EXPECT_TRUE(wildcard_matches("a*b*c", "abbcbc"));
}

TEST(TermPattern, WildcardsMatchWhatASlowDefinitionDoes) {
  std::mt19937 random(1);
  for (int i = 0; i < 3'000; ++i) {
    const std::string pattern = test::random_word(random, 6, {"a", "b", "é", "日", "*", "?"});
    const TermPattern made = TermPattern::wildcard(pattern);
    for (int j = 0; j < 20; ++j) {
      const std::string term = test::random_word(random, 7, {"a", "b", "é", "日", "😀"});
      EXPECT_EQ(made.matches(term), test::wildcard_matches(code_points(pattern), code_points(term)))
          << pattern << " " << term;
    }
  }
}

TEST(TermPattern, RegularExpressionsMatchWholeTerms) {
  EXPECT_TRUE(regex_matches("aero.*ic", "aerodynamic"));
  EXPECT_FALSE(regex_matches("aero.*ic", "aerodynamics"));
  EXPECT_FALSE(regex_matches("ero", "aero"));
  EXPECT_TRUE(regex_matches("", ""));
  EXPECT_TRUE(regex_matches("(wing|foil)s?", "foils"));
  EXPECT_TRUE(regex_matches("[a-c]{2,3}", "abc"));
  EXPECT_FALSE(regex_matches("[a-c]{2,3}", "abca"));
  EXPECT_TRUE(regex_matches("[^a-c]+", "xyz日"));
  EXPECT_FALSE(regex_matches("[^日]", "日"));
  EXPECT_TRUE(regex_matches("a\\.b\\*", "a.b*"));
  EXPECT_TRUE(regex_matches("[\\]^a-]*", "]^-a"));
}

TEST(TermPattern, RegularExpressionsMatchWhatASlowDefinitionDoes) {
  std::mt19937 random(2);
  for (int i = 0; i < 2'000; ++i) {
    const test::RandomRegex pattern = test::random_regex(random, 3);
    const TermPattern made = TermPattern::regex(pattern.text);
    for (int j = 0; j < 20; ++j) {
      const std::string term = test::random_word(random, 7, {"a", "b", "c", "é", "日", "😀"});
      EXPECT_EQ(made.matches(term), pattern.matches(term)) << pattern.text << " " << term;
    }
  }
}

TEST(TermPattern, FuzzyWordsCountCharactersAndSwappedNeighbours) {
  EXPECT_EQ(edit_distance(U"wing", U"wnig"), 1u);
  EXPECT_EQ(edit_distance(U"ca", U"abc"), 3u);  // as optimal string alignment: nothing twice
  EXPECT_EQ(edit_distance(U"", U"abc"), 3u);
  EXPECT_TRUE(TermPattern::fuzzy("wing", 1).matches("wnig"));
  EXPECT_TRUE(TermPattern::fuzzy("wing", 1).matches("wäng"));
  EXPECT_TRUE(TermPattern::fuzzy("wing", 1).matches("win"));
  EXPECT_FALSE(TermPattern::fuzzy("wing", 1).matches("wigns"));
  EXPECT_TRUE(TermPattern::fuzzy("wing", 2).matches("wigns"));
  EXPECT_TRUE(TermPattern::fuzzy("wing", 0).matches("wing"));
  EXPECT_FALSE(TermPattern::fuzzy("wing", 0).matches("win"));
  EXPECT_TRUE(TermPattern::fuzzy("wing", 1, 2).matches("winf"));
  EXPECT_FALSE(TermPattern::fuzzy("wing", 1, 2).matches("wnig"));
  // The distance is less than the length of either.
  EXPECT_FALSE(TermPattern::fuzzy("a", 1).matches("b"));
  EXPECT_FALSE(TermPattern::fuzzy("ab", 2).matches("cd"));
  EXPECT_TRUE(TermPattern::fuzzy("ab", 1).matches("ad"));
  EXPECT_FALSE(TermPattern::fuzzy("abcd", 2).matches("ab"));
}

/// By the definition, with what was computed kept.
std::uint32_t slow_distance(const std::u32string& a, const std::u32string& b) {
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> known;
  const auto of = [&](const auto& self, std::size_t i, std::size_t j) -> std::uint32_t {
    if (i == 0 || j == 0) return static_cast<std::uint32_t>(i + j);
    const auto found = known.find({i, j});
    if (found != known.end()) return found->second;
    std::uint32_t least = self(self, i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
    least = std::min({least, self(self, i - 1, j) + 1, self(self, i, j - 1) + 1});
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
      least = std::min(least, self(self, i - 2, j - 2) + 1);
    }
    return known[{i, j}] = least;
  };
  return of(of, a.size(), b.size());
}

TEST(TermPattern, FuzzyWordsMatchWhatASlowDefinitionDoes) {
  std::mt19937 random(3);
  const std::vector<std::string> letters{"a", "b", "é", "日"};
  for (int i = 0; i < 2'000; ++i) {
    const std::string word = test::random_word(random, 7, letters);
    const auto edits = static_cast<std::uint32_t>(random() % 3);
    const auto prefix = static_cast<std::uint32_t>(random() % 3);
    const TermPattern made = TermPattern::fuzzy(word, edits, prefix);
    const std::u32string from = code_points(word);
    for (int j = 0; j < 20; ++j) {
      const std::string term = test::random_word(random, 8, letters);
      const std::u32string to = code_points(term);
      const std::uint32_t distance = slow_distance(from, to);
      EXPECT_EQ(edit_distance(from, to), distance);
      const std::size_t fixed = std::min<std::size_t>(prefix, from.size());
      const bool same = to.substr(0, fixed) == from.substr(0, fixed);
      // An empty word has no length that a distance could be less than.
      const bool near = distance < std::min(from.size(), to.size()) || distance == 0;
      if (from.empty()) continue;
      EXPECT_EQ(made.matches(term), same && distance <= edits && near)
          << word << " " << term << " " << edits << " " << prefix;
    }
  }
}

TEST(TermPattern, TextsOfPatternsAreFolded) {
  const FoldText small = [](std::string_view text) {
    std::string made(text);
    for (char& c : made) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return made == "ß" ? "ss" : made;
  };
  EXPECT_TRUE(TermPattern::wildcard("AERO*", small).matches("aeronaut"));
  EXPECT_TRUE(TermPattern::regex("A[E-R]ro.*", small).matches("aeronaut"));
  EXPECT_FALSE(TermPattern::regex("A[^E]ro", small).matches("aero"));
  EXPECT_TRUE(TermPattern::regex("ß+", small).matches("ssss"));
  EXPECT_FALSE(TermPattern::regex("ß+", small).matches("sss"));
}

std::string problem_of(const std::string& pattern) {
  try {
    TermPattern::regex(pattern);
  } catch (const PatternError& error) {
    return std::to_string(error.position) + ": " + error.what();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(TermPattern, MalformedRegularExpressionsAreRefusedWithThePlace) {
  EXPECT_THAT(problem_of("a("), HasSubstr("1: '(' is never closed"));
  EXPECT_THAT(problem_of("a)b"), HasSubstr("1: ')' without"));
  EXPECT_THAT(problem_of("é*+("), HasSubstr("4: '(' is never closed"));
  EXPECT_THAT(problem_of("*a"), HasSubstr("0: nothing stands before"));
  EXPECT_THAT(problem_of("a|+"), HasSubstr("2: nothing stands before"));
  EXPECT_THAT(problem_of("[a"), HasSubstr("0: '[' is never closed"));
  EXPECT_THAT(problem_of("[a\\"), HasSubstr("nothing stands behind the backslash"));
  EXPECT_THAT(problem_of("[z-a]"), HasSubstr("wrong way round"));
  EXPECT_THAT(problem_of("[[:alpha:]]"), HasSubstr("'[' within a class"));
  EXPECT_THAT(problem_of("a{"), HasSubstr("begins a number"));
  EXPECT_THAT(problem_of("a{2"), HasSubstr("begins a number"));
  EXPECT_THAT(problem_of("a{,2}"), HasSubstr("begins a number"));
  EXPECT_THAT(problem_of("a{3,2}"), HasSubstr("is less than the first"));
  EXPECT_THAT(problem_of("a{1001}"), HasSubstr("at most 1000 times"));
  EXPECT_THAT(problem_of("a{99999999999999999999}"), HasSubstr("at most 1000 times"));
  EXPECT_THAT(problem_of("^a"), HasSubstr("of the whole word"));
  EXPECT_THAT(problem_of("a$"), HasSubstr("of the whole word"));
  EXPECT_THAT(problem_of("\\d"), HasSubstr("write [0-9]"));
  EXPECT_THAT(problem_of("a\\"), HasSubstr("nothing stands behind the backslash"));
  EXPECT_THAT(problem_of("a~b"), HasSubstr("not known"));
  EXPECT_THAT(problem_of("<1-5>"), HasSubstr("not known"));
  EXPECT_THAT(problem_of("\xff"), HasSubstr("UTF-8"));
  EXPECT_THAT(problem_of("a*********"), HasSubstr("side by side"));
}

TEST(TermPattern, WhatWouldTakeTooMuchIsRefused) {
  EXPECT_THAT(problem_of("(a{1000}){1000}"), HasSubstr("more than 20000 states"));
  EXPECT_THAT(problem_of("((((a{99}){99}){99}){99}){99}"), HasSubstr("more than 20000 states"));
  EXPECT_THAT(problem_of("((((){999}){999}){999})"), HasSubstr("more than 20000 states"));
  EXPECT_THAT(problem_of(std::string(101, '(') + std::string(101, ')')), HasSubstr("100 deep"));
  EXPECT_EQ(problem_of(std::string(100, '(') + std::string(100, ')')), "");
  EXPECT_THROW(TermPattern::wildcard(std::string(30'000, '?')), PatternTooLarge);
  EXPECT_THROW(TermPattern::fuzzy(std::string(30'000, 'a'), 2), PatternTooLarge);
  EXPECT_THROW(TermPattern::fuzzy("wing", 3), UsageError);
  EXPECT_THROW(TermPattern::fuzzy("\xff", 1), UsageError);
}

// A backtracking matcher would take longer than the universe is old.
TEST(TermPattern, MatchingTakesLinearTime) {
  const std::string term(60'000, 'a');
  EXPECT_FALSE(regex_matches("(a*)*b", term));
  EXPECT_FALSE(regex_matches("(a|a)*b", term));
  EXPECT_FALSE(regex_matches("(a|aa)+b", term));
  EXPECT_FALSE(regex_matches("a*a*a*a*a*a*a*a*a*a*b", term));
  EXPECT_TRUE(regex_matches("((((a*)*)*)*)*", term));
  EXPECT_FALSE(wildcard_matches("*a*a*a*a*a*a*a*a*b", term));
  // 2^14 states, had it been made deterministic as a whole.
  EXPECT_TRUE(regex_matches(".*a.{13}", term));
}

TEST(TermPattern, TheAutomatonKnowsWhatCanFollow) {
  const TermPattern pattern = TermPattern::regex("b(a|[x-z])|日");
  LazyDfa dfa(pattern.automaton());
  const auto start = dfa.start();
  EXPECT_EQ(dfa.next_byte(start, 0), 'b');
  EXPECT_EQ(dfa.next_byte(start, 'b' + 1u), 0xe6);
  EXPECT_EQ(dfa.next_byte(start, 0xe7), std::nullopt);
  EXPECT_EQ(dfa.next_byte(start, 256), std::nullopt);
  const auto b = dfa.step(start, 'b');
  EXPECT_EQ(dfa.next_byte(b, 'b'), 'x');
  EXPECT_EQ(dfa.next_byte(b, 'y'), 'y');
  EXPECT_EQ(dfa.step(b, 'b'), LazyDfa::kDead);
  EXPECT_EQ(dfa.step(LazyDfa::kDead, 'b'), LazyDfa::kDead);
  EXPECT_TRUE(dfa.accepts(dfa.step(b, 'z')));
  const auto epoch = dfa.epoch();
  dfa.clear();
  EXPECT_NE(dfa.epoch(), epoch);
  EXPECT_TRUE(dfa.accepts(dfa.step(dfa.step(dfa.start(), 'b'), 'a')));
}

}  // namespace
}  // namespace gannet::query
