// Prefixes, wildcards, regular expressions and fuzzy words in queries: which documents match, and
// the bits of their scores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/explain.hpp"
#include "query/inexact/code_points.hpp"
#include "query/inexact/edit_distance.hpp"
#include "query/inexact/term_pattern.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/plan/query_error.hpp"
#include "query/scoring/scorer.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/patterns.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using IndexPointer = std::shared_ptr<const index::Index>;

Searcher inexact_searcher(IndexPointer index, double bounds_bits = 2.5) {
  return Searcher(std::move(index),
                  {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = bounds_bits}});
}

/// Words over a few letters, in lists of all lengths.
test::Collection spelled_collection(std::uint32_t documents, unsigned seed) {
  std::mt19937 random(seed);
  const test::Collection numbered = test::random_collection(documents, 120, seed);
  test::Collection made;
  made.lengths = numbered.lengths;
  for (const auto& [term, list] : numbered.frequencies) {
    std::string word;
    do {
      word = "w" + test::random_word(random, 4, {"a", "b", "c", "é"});
    } while (made.frequencies.contains(word));
    made.frequencies[word] = list;
  }
  return made;
}

constexpr std::uint32_t kDocuments = 5'000;

class InexactWords : public testing::Test {
 protected:
  InexactWords()
      : collection_(spelled_collection(kDocuments, 1)),
        index_(test::write_segments(folder_ / "index", collection_, {2'100, 3'000, kDocuments})) {}

  std::vector<std::string> terms_like(const TermPattern& pattern) const {
    std::vector<std::string> terms;
    for (const auto& [term, list] : collection_.frequencies) {
      if (pattern.matches(term)) terms.push_back(term);
    }
    return terms;
  }
  bool has_any(std::uint32_t document, const std::vector<std::string>& terms) const {
    return std::ranges::any_of(
        terms, [&](const auto& term) { return collection_.frequency(term, document) > 0; });
  }
  std::vector<index::Docid> documents_with(const std::vector<std::string>& terms) const {
    std::vector<index::Docid> docids;
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      if (has_any(d, terms)) docids.push_back(d);
    }
    return docids;
  }

  test::TemporaryDirectory folder_;
  test::Collection collection_;
  IndexPointer index_;
};

Result run_query(const Searcher& searcher, const Query& query, bool exhaustive = false) {
  return searcher.search(query, {.exhaustive = exhaustive});
}

struct LikeCase {
  std::string text;
  TermPattern pattern;
};

std::vector<LikeCase> like_cases() {
  return {{"wa*", TermPattern::wildcard("wa*")},
          {"W?b", TermPattern::wildcard("w?b")},
          {"*c", TermPattern::wildcard("*c")},
          {"w?É*", TermPattern::wildcard("w?é*")},
          {"/w[ab]+(é|c)?/", TermPattern::regex("w[ab]+(é|c)?")},
          {"/w.{2}/", TermPattern::regex("w.{2}")},
          {"x*", TermPattern::wildcard("x*")}};
}

TEST_F(InexactWords, PatternsGiveTheirWeightToDocumentsThatHaveAnyOfTheirTerms) {
  const Searcher searcher = inexact_searcher(index_);
  for (const LikeCase& some : like_cases()) {
    const std::vector<index::Docid> expected = documents_with(terms_like(some.pattern));
    Query query{.text = some.text, .want = Want::kDocids};
    EXPECT_EQ(run_query(searcher, query).docids, expected) << some.text;
    query.want = Want::kCount;
    EXPECT_EQ(run_query(searcher, query).count, expected.size()) << some.text;
    query.want = Want::kTopK;
    query.k = 20;
    for (const std::string weight : {"", "^0.3"}) {
      query.text = some.text + weight;
      for (const bool exhaustive : {false, true}) {
        const Result hits = run_query(searcher, query, exhaustive);
        ASSERT_EQ(hits.docids.size(), std::min<std::size_t>(20, expected.size())) << query.text;
        for (std::size_t i = 0; i < hits.docids.size(); ++i) {
          EXPECT_EQ(hits.docids[i], expected[i]) << query.text;
          EXPECT_EQ(hits.scores[i], weight.empty() ? 1.0f : 0.3f) << query.text;
        }
      }
    }
  }
}

TEST_F(InexactWords, EachScorerGivesExactlyTheWeight) {
  const Searcher searcher = inexact_searcher(index_);
  for (const ScorerInfo& info : all_scorers()) {
    for (const float weight : {1.0f, 0.3f, 7.7e8f, 1e-6f}) {
      Query query{.text = "wa*", .k = 5, .scorer = standard_scorer(info.id)};
      Plan plan = searcher.plan(query);
      ASSERT_EQ(plan.terms().size(), 1u);
      const ConstantScore score = constant_score(info.id, weight);
      for (const std::uint32_t length : {0u, 1u, 7u, 300u, 4'000'000'000u}) {
        EXPECT_EQ(contribution(score.plan, score.term, 1, length), weight) << info.name;
      }
      for (const bool exhaustive : {false, true}) {
        const Result hits = run_query(searcher, query, exhaustive);
        for (const float found : hits.scores) EXPECT_EQ(found, 1.0f) << info.name;
      }
    }
  }
}

TEST_F(InexactWords, FuzzyWordsAreTheirTermsWithWeights) {
  const Searcher searcher = inexact_searcher(index_);
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    const std::string word = "w" + test::random_word(random, 4, {"a", "b", "c", "é"});
    const auto edits = static_cast<std::uint32_t>(i % 3);
    const auto prefix = static_cast<std::uint32_t>(i % 2);
    Query terms{.text = {}, .k = 15};
    for (const std::string& term : terms_like(TermPattern::fuzzy(word, edits, prefix))) {
      const std::u32string a = code_points(word);
      const std::u32string b = code_points(term);
      const auto least = static_cast<float>(std::min(a.size(), b.size()));
      terms.terms.push_back(
          {term, 2.0f * (1.0f - static_cast<float>(edit_distance(a, b)) / least)});
    }
    const Query query{
        .text = word + "~" + std::to_string(edits) + "^2", .k = 15, .fuzzy_prefix = prefix};
    if (terms.terms.empty()) {
      EXPECT_THAT(run_query(searcher, query).docids, IsEmpty());
      continue;
    }
    const Result expected = run_query(searcher, terms, true);
    for (const bool exhaustive : {false, true}) {
      const Result found = run_query(searcher, query, exhaustive);
      EXPECT_EQ(found.docids, expected.docids) << query.text;
      EXPECT_EQ(found.scores, expected.scores) << query.text;
    }
  }
}

TEST_F(InexactWords, WithoutANumberShortWordsHaveFewerEdits) {
  const Searcher searcher = inexact_searcher(index_);
  const auto plan_of = [&](const std::string& text) {
    return to_string(searcher.plan({.text = text}));
  };
  EXPECT_EQ(plan_of("wé~"), plan_of("wé~0"));
  EXPECT_EQ(plan_of("wab~"), plan_of("wab~1"));
  EXPECT_EQ(plan_of("wabéa~"), plan_of("wabéa~1"));
  EXPECT_EQ(plan_of("wabcab~"), plan_of("wabcab~2"));
  EXPECT_NE(plan_of("wab~1"), plan_of("wab~2"));
}

/// What a query of one of these forms says of a document.
TEST_F(InexactWords, StandWhereAWordDoes) {
  const auto a = terms_like(TermPattern::wildcard("wa*"));
  const auto b = terms_like(TermPattern::wildcard("*b"));
  const auto near = terms_like(TermPattern::fuzzy("wcb", 1));
  const Searcher searcher = inexact_searcher(index_);
  const auto expect_matches = [&](const std::string& text, auto matches) {
    std::vector<index::Docid> expected;
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      if (matches(has_any(d, a), has_any(d, b), has_any(d, near))) expected.push_back(d);
    }
    EXPECT_EQ(run_query(searcher, {.text = text, .want = Want::kDocids}).docids, expected) << text;
    EXPECT_EQ(run_query(searcher, {.text = text, .want = Want::kCount}).count, expected.size());
  };
  expect_matches("wa* *b", [](bool x, bool y, bool) { return x || y; });
  expect_matches("wa* AND *b", [](bool x, bool y, bool) { return x && y; });
  expect_matches("+wa* *b", [](bool x, bool, bool) { return x; });
  expect_matches("wa* -*b", [](bool x, bool y, bool) { return x && !y; });
  expect_matches("-*b", [](bool, bool y, bool) { return !y; });
  expect_matches("wa* AND NOT wcb~1", [](bool x, bool, bool z) { return x && !z; });
  expect_matches("(wa* OR *b) AND wcb~1", [](bool x, bool y, bool z) { return (x || y) && z; });
  expect_matches("wa*^0 +wcb~1^0", [](bool, bool, bool z) { return z; });
}

TEST_F(InexactWords, PrunedSearchesGiveTheBitsOfExhaustiveOnes) {
  std::vector<std::string> words;
  for (const auto& [term, list] : collection_.frequencies) words.push_back(term);
  std::mt19937 random(3);
  std::vector<bool> gone(kDocuments);
  for (std::size_t d = 0; d < gone.size(); ++d) gone[d] = random() % 7 == 0;
  const std::vector<std::string> forms{"wa*", "*b",      "w?c",     "/w(a|b).*/", "wab~1", "wcé~2",
                                       "wé~", "wb*^0.2", "wac~1^3", "x*",         "xyz~1"};
  for (const IndexPointer& index : {index_, test::with_deleted(*index_, gone)}) {
    for (const double bits : {0.0, 2.5, 100.0}) {
      const Searcher searcher = inexact_searcher(index, bits);
      for (int i = 0; i < 150; ++i) {
        std::string text;
        for (std::size_t n = 1 + random() % 4; n > 0; --n) {
          const auto kind = random() % 6;
          if (kind == 0) text += '+';
          if (kind == 1 && n > 1) text += '-';
          text +=
              random() % 2 == 0 ? forms[random() % forms.size()] : words[random() % words.size()];
          text += kind == 2 && n > 1 ? " AND " : " ";
        }
        Query query{.text = text, .mode = i % 3 == 0 ? Mode::kAnd : Mode::kOr, .k = 10};
        const auto id = static_cast<ScorerId>(i % all_scorers().size());
        if (id != ScorerId::kImpact) query.scorer = standard_scorer(id);
        const Result found = run_query(searcher, query);
        const Result expected = run_query(searcher, query, true);
        EXPECT_EQ(found.docids, expected.docids) << text;
        EXPECT_EQ(found.scores, expected.scores) << text;
      }
    }
  }
}

TEST_F(InexactWords, TooManyTermsAreAnErrorThatSaysHowMany) {
  const Searcher searcher = inexact_searcher(index_);
  const auto error_of = [&](Query query) -> std::string {
    try {
      searcher.plan(query);
    } catch (const QueryError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of({.text = "wab w*", .max_expansions = 119}),
              AllOf(HasSubstr("query, column 5: 'w*' stands for 120 terms, and 119 are allowed; "),
                    HasSubstr("write more of the word, or allow more (--max-expansions")));
  EXPECT_EQ(error_of({.text = "wab w*", .max_expansions = 120}), "");
  EXPECT_THAT(error_of({.text = "wab~2", .max_expansions = 1}), HasSubstr("and 1 are allowed"));
  EXPECT_THROW(searcher.plan({.text = "w*", .max_expansions = 0}), UsageError);
  EXPECT_THROW(searcher.plan({.text = "w*", .max_expansions = 65'537}), UsageError);
}

TEST_F(InexactWords, MarksThatSeparateWordsAreRefused) {
  const Searcher searcher = inexact_searcher(index_);
  const auto error_of = [&](const std::string& text) -> std::string {
    try {
      searcher.plan({.text = text});
    } catch (const QueryError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("lift x-ra*"),
              HasSubstr("query, column 6: no term of this index is spelled"));
  EXPECT_THAT(error_of("http://host/a*"), HasSubstr("no term of this index is spelled like"));
  EXPECT_THAT(error_of("x-ray~1"), HasSubstr("no term of this index is spelled like"));
  EXPECT_THAT(error_of("3.*"), HasSubstr("no term of this index is spelled like"));
  EXPECT_EQ(error_of("50㎏*"), "");
  EXPECT_EQ(error_of("東京*"), "");
}

/// Each shard has other terms, whose statistics cannot be added up.
TEST_F(InexactWords, OfShardsAreExpandedBefore) {
  std::vector<Plan> plans;
  for (const auto& segment : index_->segments()) {
    const Searcher shard = inexact_searcher(std::make_shared<const index::Index>(
        std::vector{segment}, index_->analyzer(), index_->defaults(), index_->schema()));
    plans.push_back(shard.plan({.text = "wab~2"}));
  }
  BatchStatistics sum(std::span(&plans[0], 1));
  const auto add = [&] {
    for (std::size_t s = 1; s < plans.size(); ++s)
      sum.add(BatchStatistics(std::span(&plans[s], 1)));
  };
  EXPECT_THAT(test::message_of<UsageError>(add),
              AllOf(HasSubstr("of different queries"), HasSubstr("expand_words()")));
}

TEST_F(InexactWords, ExplanationsShowThem) {
  const Searcher searcher = inexact_searcher(index_);
  const Plan plan = searcher.plan({.text = "wa*^2 wab~1"});
  EXPECT_THAT(to_string(plan), HasSubstr(" terms (wa"));
  const Result hits = searcher.search({.text = "wa*^2 wab~1", .k = 10});
  ASSERT_FALSE(hits.docids.empty());
  for (std::size_t i = 0; i < hits.docids.size(); ++i) {
    const Explanation made = explain(*index_, plan, hits.docids[i]);
    EXPECT_TRUE(made.matches);
    EXPECT_EQ(made.score, hits.scores[i]);
  }
}

TEST(InexactWordsOfTexts, EachTextHasItsOwnTerms) {
  const test::TemporaryDirectory folder;
  const auto documents = test::random_texts(600, 2, 5);
  const auto index =
      test::build_texts(folder / "index", documents, test::texts_schema(2), {200, 600});
  const test::TextCounts counts(documents);
  const Searcher searcher = inexact_searcher(index);
  const auto has = [&](std::size_t d, std::size_t text) {
    for (const std::string word :
         {"w1", "w10", "w11", "w12", "w13", "w14", "w15", "w16", "w17", "w18", "w19"}) {
      if (counts.has(d, text, word)) return true;
    }
    return false;
  };
  for (const ScorerId scorer : {ScorerId::kBm25, ScorerId::kBm25F}) {
    for (const bool exhaustive : {false, true}) {
      const Query query{.text = "w1*", .k = 600, .scorer = standard_scorer(scorer)};
      const Result hits = run_query(searcher, query, exhaustive);
      std::set<index::Docid> found(hits.docids.begin(), hits.docids.end());
      for (std::size_t i = 0; i < hits.docids.size(); ++i) {
        const std::size_t d = hits.docids[i];
        // The field f0 has weight 2.
        const float expected =
            (has(d, 0) ? 1.0f : 0) + (has(d, 1) ? 2.0f : 0) + (has(d, 2) ? 1.0f : 0);
        EXPECT_EQ(hits.scores[i], expected);
      }
      for (std::size_t d = 0; d < documents.size(); ++d) {
        const bool any = has(d, 0) || has(d, 1) || has(d, 2);
        EXPECT_EQ(found.contains(static_cast<index::Docid>(d)), any) << d;
      }
      const Result named =
          run_query(searcher, {.text = "f1:w1*^3", .k = 600, .scorer = standard_scorer(scorer)});
      for (std::size_t i = 0; i < named.docids.size(); ++i) {
        EXPECT_TRUE(has(named.docids[i], 2));
        EXPECT_EQ(named.scores[i], 3.0f);
      }
      for (const std::string text :
           {"w1* w3~1", "+w1*^0.5 w2", "w1~1 AND f0:w*", "w12~1 -f1:w1?"}) {
        const Query mixed{.text = text, .k = 20, .scorer = standard_scorer(scorer)};
        const Result pruned = run_query(searcher, mixed);
        const Result all = run_query(searcher, mixed, true);
        EXPECT_EQ(pruned.docids, all.docids) << text;
        EXPECT_EQ(pruned.scores, all.scores) << text;
      }
    }
  }
}

}  // namespace
}  // namespace gannet::query
