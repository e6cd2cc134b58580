// Terms of lexicons that match patterns: the intersection gives what trying every term gives.
#include "query/inexact/matching_terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "query/inexact/edit_distance.hpp"
#include "query/inexact/lazy_dfa.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/patterns.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// An index of three segments with these terms, each in one to three of them.
class Terms {
 public:
  Terms(const std::set<std::string>& terms, unsigned seed) : terms_(terms) {
    std::mt19937 random(seed);
    test::Collection collection;
    collection.lengths.assign(6, 10);
    for (const std::string& term : terms) {
      std::vector<std::uint32_t>& list = collection.frequencies[term];
      list.assign(6, 0);
      list[random() % 6] = 1;
      list[random() % 6] = 1;
    }
    index_ = test::write_segments(folder_ / "index", collection, {2, 4, 6});
  }

  const index::Index& index() const { return *index_; }

  template <class Matches>
  void expect_terms(const TermPattern& pattern, const Matches& matches,
                    const std::string& what) const {
    std::vector<std::string> expected;
    for (const std::string& term : terms_) {
      if (matches(term)) expected.push_back(term);
    }
    const MatchingTerms all = matching_terms(*index_, index::kMainText, pattern, terms_.size());
    EXPECT_EQ(all.terms, expected) << what;
    EXPECT_EQ(all.found, expected.size()) << what;
    const MatchingTerms some = matching_terms(*index_, index::kMainText, pattern, 3);
    expected.resize(std::min<std::size_t>(expected.size(), 3));
    EXPECT_EQ(some.terms, expected) << what;
    EXPECT_EQ(some.found, all.found) << what;
  }

 private:
  test::TemporaryDirectory folder_;
  std::set<std::string> terms_;
  std::shared_ptr<const index::Index> index_;
};

std::set<std::string> random_terms(std::size_t count, std::size_t most,
                                   const std::vector<std::string>& letters, unsigned seed) {
  std::mt19937 random(seed);
  std::set<std::string> terms;
  for (std::size_t i = 0; i < count; ++i) terms.insert(test::random_word(random, most, letters));
  terms.erase("");
  return terms;
}

const std::vector<std::string> kLetters{"a", "b", "c", "é", "日", "😀"};

TEST(MatchingTerms, OfWildcards) {
  const Terms terms(random_terms(3'000, 8, kLetters, 1), 1);
  std::mt19937 random(2);
  for (int i = 0; i < 400; ++i) {
    const std::string pattern =
        test::random_word(random, 6, {"a", "b", "c", "é", "日", "*", "*", "?"});
    terms.expect_terms(
        TermPattern::wildcard(pattern),
        [&](const std::string& term) {
          return test::wildcard_matches(code_points(pattern), code_points(term));
        },
        pattern);
  }
}

TEST(MatchingTerms, OfRegularExpressions) {
  const Terms terms(random_terms(2'000, 7, kLetters, 3), 2);
  std::mt19937 random(4);
  for (int i = 0; i < 200; ++i) {
    const test::RandomRegex pattern = test::random_regex(random, 3);
    terms.expect_terms(
        TermPattern::regex(pattern.text),
        [&](const std::string& term) { return pattern.matches(term); }, pattern.text);
  }
}

TEST(MatchingTerms, OfFuzzyWords) {
  const Terms terms(random_terms(3'000, 8, kLetters, 5), 3);
  std::mt19937 random(6);
  for (int i = 0; i < 300; ++i) {
    const std::string word = "a" + test::random_word(random, 8, kLetters);
    const auto edits = static_cast<std::uint32_t>(i % 3);
    const auto prefix = static_cast<std::uint32_t>(random() % 4);
    const std::u32string from = code_points(word);
    terms.expect_terms(
        TermPattern::fuzzy(word, edits, prefix),
        [&](const std::string& term) {
          const std::u32string to = code_points(term);
          const std::size_t fixed = std::min<std::size_t>(prefix, from.size());
          const std::uint32_t distance = edit_distance(from, to);
          return distance <= edits && distance < std::min(from.size(), to.size()) &&
                 from.substr(0, fixed) == to.substr(0, fixed);
        },
        word);
  }
}

// More states than are kept: the automaton is cleared between terms, for all segments' walks.
TEST(MatchingTerms, OfPatternsWithMoreStatesThanAreKept) {
  const Terms terms(random_terms(20'000, 22, {"a", "b"}, 7), 4);
  const std::string pattern = ".*a.{13}";
  terms.expect_terms(
      TermPattern::regex(pattern),
      [](const std::string& term) { return term.size() > 13 && term[term.size() - 14] == 'a'; },
      pattern);
}

TEST(MatchingTerms, OfTermsThatAreNotUtf8) {
  const Terms terms({"a\xff", "a\xffz", "ab", "\xc3", "\xe6\x97", "日"}, 5);
  const auto found = [&](const TermPattern& pattern) {
    return matching_terms(terms.index(), index::kMainText, pattern, 100).terms;
  };
  EXPECT_THAT(found(TermPattern::wildcard("a*")), ElementsAre("ab", "a\xff", "a\xffz"));
  EXPECT_THAT(found(TermPattern::wildcard("a?")), ElementsAre("ab"));
  EXPECT_THAT(found(TermPattern::regex(".")), ElementsAre("日"));
  EXPECT_THAT(found(TermPattern::regex("[^a]")), ElementsAre("日"));
}

TEST(MatchingTerms, OfOneText) {
  const test::TemporaryDirectory folder;
  const std::vector<test::TextsDocument> documents{
      {{"wing wind", "winter"}}, {{"swing", "wing"}}, {{"window", ""}}};
  const auto index = test::build_texts(folder / "index", documents, test::texts_schema(1), {1, 3});
  const TermPattern pattern = TermPattern::wildcard("win*");
  EXPECT_THAT(matching_terms(*index, index::kMainText, pattern, 10).terms,
              ElementsAre("wind", "window", "wing"));
  EXPECT_THAT(matching_terms(*index, 0, pattern, 10).terms, ElementsAre("wing", "winter"));
  const TermPattern all = TermPattern::wildcard("*");
  EXPECT_EQ(matching_terms(*index, index::kMainText, all, 10).found, 4u);
  EXPECT_EQ(matching_terms(*index, 0, all, 10).found, 2u);
  EXPECT_THAT(matching_terms(*index, 0, TermPattern::wildcard("z*"), 10).terms, IsEmpty());
}

/// The bytes that lead on from states, against trying all of them.
TEST(LazyDfas, SayWhichByteLeadsOn) {
  std::mt19937 random(4);
  for (const TermPattern& pattern :
       {TermPattern::regex("a(b|[d-g]+)*\u00e9?x.{2}"), TermPattern::fuzzy("wing\u00e9", 2, 1),
        TermPattern::wildcard("*f?il*")}) {
    LazyDfa dfa(pattern.automaton());
    std::set<LazyDfa::State> states;
    for (int round = 0; round < 300; ++round) {
      LazyDfa::State state = dfa.start();
      for (int step = 0; step < 8 && state != LazyDfa::kDead; ++step) {
        states.insert(state);
        const auto byte = dfa.next_byte(state, random() % 256);
        if (!byte) break;
        state = dfa.step(state, *byte);
        EXPECT_NE(state, LazyDfa::kDead);
      }
    }
    EXPECT_GT(states.size(), 3u);
    for (const LazyDfa::State state : states) {
      std::optional<std::uint8_t> expected;
      EXPECT_EQ(dfa.next_byte(state, 256), std::nullopt);
      for (unsigned from = 256; from-- > 0;) {
        const auto byte = static_cast<std::uint8_t>(from);
        if (dfa.step(state, byte) != LazyDfa::kDead) expected = byte;
        ASSERT_EQ(dfa.next_byte(state, from), expected) << state << " " << from;
      }
    }
  }
}

}  // namespace
}  // namespace gannet::query
