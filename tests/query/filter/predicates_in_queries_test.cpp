// Predicates inside the text of queries: what they mean in every place, against brute force.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::FieldValues;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Predicates : public testing::Test {
 protected:
  static constexpr std::uint32_t kDocuments = 5000;

  Predicates()
      : collection_(test::random_collection(kDocuments, test::kTerms, 21)),
        fields_(test::random_fields(kDocuments, 22)),
        oracle_(fields_),
        index_(test::with_fields(
            *test::write_segments(folder_ / "index", collection_, {3000, kDocuments}), fields_)),
        searcher_(index_,
                  {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = 50}, .cuda = {}}) {}

  Plan plan(const std::string& text, Mode mode = Mode::kOr, Want want = Want::kTopK) const {
    return searcher_.plan(Query{.text = text, .mode = mode, .want = want, .k = kDocuments});
  }
  /// Without what is said of terms.
  std::string shape(const std::string& text, Mode mode = Mode::kOr) const {
    const std::string whole = to_string(plan(text, mode));
    return whole.substr(whole.find("matches\n"));
  }
  std::vector<std::uint32_t> docids(const std::string& text, Mode mode = Mode::kOr) const {
    const Plan wanted = plan(text, mode, Want::kDocids);
    const Results results = searcher_.search({&wanted, 1});
    return {results.docids.begin(), results.docids.end()};
  }
  std::vector<std::uint32_t> documents(const std::function<bool(std::uint32_t)>& holds) const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      if (holds(d)) all.push_back(d);
    }
    return all;
  }
  bool has(const char* term, std::uint32_t d) const { return collection_.frequency(term, d) > 0; }
  bool passes(const Filter& filter, std::uint32_t d) const { return oracle_.passes(filter, d); }
  std::string error_of(const std::string& text) const {
    try {
      plan(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryDirectory folder_;
  test::Collection collection_;
  std::vector<FieldValues> fields_;
  test::FilterOracle oracle_;
  std::shared_ptr<const index::Index> index_;
  Searcher searcher_;
};

TEST_F(Predicates, WithoutASignTheyRestrictInBothModes) {
  const Filter year = Filter::equal("year", "2000");
  for (const char* text : {"t1 t2 year:2000", "year:2000 t1 t2", "year:2000 (t1 t2)"}) {
    for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
      EXPECT_EQ(plan(text, mode).filter(), year) << text;
    }
  }
  EXPECT_EQ(docids("t1 t2 year:2000"), documents([&](std::uint32_t d) {
              return (has("t1", d) || has("t2", d)) && passes(year, d);
            }));
  EXPECT_EQ(docids("t1 t2 year:2000", Mode::kAnd), documents([&](std::uint32_t d) {
              return has("t1", d) && has("t2", d) && passes(year, d);
            }));
  EXPECT_EQ(shape("t1 t2 year:2000"), shape("(t1 t2) AND year:2000"));
}

TEST_F(Predicates, WithAPlusTheyAreMustClausesAndWordsWithoutASignOnlyRank) {
  const Filter year = Filter::equal("year", "2000");
  EXPECT_EQ(docids("t1 +year:2000"), documents([&](std::uint32_t d) { return passes(year, d); }));
  EXPECT_EQ(docids("+t1 +year:2000"),
            documents([&](std::uint32_t d) { return has("t1", d) && passes(year, d); }));
}

/// A word keeps its clause from restricting, also where it decides nothing in it.
TEST_F(Predicates, RestrictOnlyInClausesWithoutWords) {
  const Filter year = Filter::equal("year", "2000");
  const auto or_year = documents([&](std::uint32_t d) { return has("t1", d) || passes(year, d); });
  for (const char* text : {"t1 (+year:2000 t2)", "t1 (t2 +year:2000)", "(t2 +year:2000) t1",
                           "t1 (+year:2000 (+year:2000 t2))", "t1 (+year:2000 -zzz)",
                           "t1 (year:2000 AND (year:2000 OR (+year:2000 t2)))"}) {
    EXPECT_EQ(docids(text), or_year) << text;
    EXPECT_TRUE(plan(text).filter().is_all()) << text;
  }
  EXPECT_EQ(docids("t1 (+year:2000 t2)", Mode::kAnd),
            documents([&](std::uint32_t d) { return has("t1", d) && passes(year, d); }));
  // What it only ranks is scored.
  const std::vector<PlanTerm> terms = plan("t1 (+year:2000 t2)").terms();
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_TRUE(terms[1].scored());
  // A clause whose words analysis drops, and one of predicates in parentheses, restrict.
  EXPECT_EQ(plan("t1 (+year:2000 ...)").filter(), year);
  EXPECT_EQ(plan("t1 (+year:2000 -tag:a)").filter(), year && !Filter::equal("tag", "a"));
}

TEST_F(Predicates, NotOfNotIsAClauseWithoutASign) {
  EXPECT_EQ(shape("t1 NOT NOT t2"), shape("t1 t2"));
  EXPECT_EQ(shape("t1 NOT -t2"), shape("t1 t2"));
  EXPECT_EQ(shape("t1 NOT (NOT t2)"), shape("t1 AND t2"));
  EXPECT_TRUE(plan("t1 NOT (NOT t2)").terms()[1].scored());
}

TEST_F(Predicates, NegatedOnesExclude) {
  const Filter year = Filter::equal("year", "2000");
  const auto expected =
      documents([&](std::uint32_t d) { return has("t1", d) && !passes(year, d); });
  EXPECT_EQ(docids("t1 -year:2000"), expected);
  EXPECT_EQ(docids("t1 NOT year:2000"), expected);
  EXPECT_EQ(docids("t1 AND NOT year:2000"), expected);
  EXPECT_EQ(plan("t1 -year:2000").filter(), !year);
}

TEST_F(Predicates, AloneTheyMatchWhatPasses) {
  const Filter year = Filter::range("year", "2000", "2003");
  const auto expected = documents([&](std::uint32_t d) { return passes(year, d); });
  EXPECT_EQ(docids("year:[2000 TO 2003]"), expected);
  EXPECT_EQ(docids("(year:[2000 TO 2003])"), expected);
  EXPECT_EQ(docids("year:2000 OR year:(2001 OR 2002) OR year:2003"), expected);
  EXPECT_EQ(docids("-year:[2000 TO 2003]"),
            documents([&](std::uint32_t d) { return !passes(year, d); }));
  EXPECT_EQ(docids("*:*").size(), kDocuments);
  EXPECT_EQ(docids("NOT *:*").size(), 0u);
  const Plan ranked = plan("year:[2000 TO 2003]");
  const Results hits = searcher_.search({&ranked, 1});
  EXPECT_EQ(std::vector<std::uint32_t>(hits.docids.begin(), hits.docids.end()), expected);
  for (const Hit hit : hits[0].hits()) EXPECT_EQ(hit.score, 0.0f);
}

TEST_F(Predicates, NeverAddToTheScore) {
  const Plan with = plan("t1 t4 year:>=2000");
  const Plan without = plan("t1 t4");
  const Results some = searcher_.search({&with, 1});
  const Results all = searcher_.search({&without, 1});
  std::size_t i = 0;
  for (const Hit hit : all[0].hits()) {
    if (!passes(Filter::between("year", {"2000"}, {}), hit.docid)) continue;
    ASSERT_LT(i, some[0].docids.size());
    EXPECT_EQ(some[0].hits()[i].docid, hit.docid);
    EXPECT_EQ(some[0].hits()[i++].score, hit.score);
  }
  EXPECT_EQ(i, some[0].docids.size());
}

TEST_F(Predicates, WhatTheyDecideAloneBecomesTheFilter) {
  EXPECT_EQ(shape("t1 tag:a year:2000"), "matches\n  t1\nfilter\n  tag:a AND year:2000\n");
  EXPECT_EQ(shape("t1 (tag:a OR year:2000)"), "matches\n  t1\nfilter\n  tag:a OR year:2000\n");
  EXPECT_EQ(shape("t1 OR (year:2000 AND tag:a)"),
            "matches\n  OR\n    t1\n    year:2000 AND tag:a\n");
  EXPECT_EQ(shape("tag:a"), "matches\n  NOT\n    nothing\nfilter\n  tag:a\n");
  EXPECT_TRUE(plan("t1 AND *:*").filter().is_all());
  Query query{.text = "t1 tag:a", .filter = Filter::equal("year", "2000")};
  EXPECT_EQ(searcher_.plan(query).filter(),
            Filter::equal("year", "2000") && Filter::equal("tag", "a"));
}

TEST_F(Predicates, PlainQueriesKnowNone) {
  const Plan plain = searcher_.plan(Query{.text = "t1 year:2000"}, true);
  EXPECT_TRUE(plain.filter().is_all());
  EXPECT_EQ(plain.terms().size(), 3u);
}

TEST_F(Predicates, EqualQueriesArePlannedOnceAndOthersAreNot) {
  const Query some{.text = "t1", .filter = Filter::equal("year", "2000")};
  Query other = some;
  other.filter = Filter::equal("year", "2001");
  EXPECT_TRUE(some == Query(some));
  EXPECT_FALSE(some == other);
  const std::vector<Query> queries{some, other, some};
  const std::vector<Plan> plans = searcher_.plan(queries);
  EXPECT_EQ(plans[0].filter(), plans[2].filter());
  EXPECT_EQ(plans[1].filter(), other.filter);
}

TEST_F(Predicates, MistakesHaveTheirColumn) {
  EXPECT_THAT(error_of("t1 title:x"),
              AllOf(StartsWith("query, column 9: there is no field 'title'; if ':' is just text"),
                    HasSubstr("fields of this index: year, big")));
  EXPECT_THAT(error_of("t1 yaer:>=2000"),
              StartsWith("query, column 8: there is no field 'yaer' (did you mean 'year'?); if"));
  EXPECT_THAT(error_of("t1 +year:x"),
              StartsWith("query, column 10: 'x' is no value of field 'year'"));
  EXPECT_THAT(error_of("year:[1 TO"), StartsWith("query, column 6: '[' is never closed"));
  EXPECT_THAT(error_of("year:2000^2"), StartsWith("query, column 10: a predicate adds nothing"));
  EXPECT_THAT(error_of("year:20*"), HasSubstr("only keywords have prefixes"));
  // What is no field stays text.
  EXPECT_EQ(error_of("12:30 std::vector note: c:\\dir"), "");
  EXPECT_THROW(searcher_.plan(Query{.text = "t1", .filter = Filter::equal("yaer", "1")}),
               UsageError);
}

TEST(PredicatesWithoutFields, AreRefused) {
  const test::TemporaryDirectory folder;
  const Searcher searcher(test::write_index(folder / "index", test::random_collection(100, 3, 1)));
  try {
    searcher.plan(Query{.text = "t1 title:x"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "query, column 9: there is no field 'title'; if ':' is just text, put a space in its "
        "place; this index has no fields");
  }
  EXPECT_THROW(searcher.plan(Query{.text = "t1 x:>5"}), UsageError);
  EXPECT_THROW(searcher.plan(Query{.text = "t1", .filter = Filter::exists("x")}), UsageError);
}

/// Random trees of words and predicates, as text and as what they mean.
class RandomTrees {
 public:
  RandomTrees(const test::Collection& collection, const std::vector<FieldValues>& fields,
              const test::FilterOracle& oracle, unsigned seed)
      : collection_(collection), oracle_(oracle), filters_(fields, seed), random_(seed) {}

  struct Tree {
    std::string text;
    std::function<bool(std::uint32_t)> holds;
  };

  Tree next(int depth) {
    const auto shape = depth == 0 ? random_() % 2 : random_() % 8;
    if (shape == 0) {
      const Filter filter = filters_.next(0);
      return {to_string(filter),
              [this, filter](std::uint32_t d) { return oracle_.passes(filter, d); }};
    }
    if (shape == 1) {
      const std::string word = "t" + std::to_string(random_() % (test::kTerms + 1));
      return {word, [this, word](std::uint32_t d) { return collection_.frequency(word, d) > 0; }};
    }
    const Tree a = next(depth - 1);
    if (shape == 2) return {"(NOT " + a.text + ")", [a](std::uint32_t d) { return !a.holds(d); }};
    const Tree b = next(depth - 1);
    if (shape % 2 == 0) {
      return {"(" + a.text + " AND " + b.text + ")",
              [a, b](std::uint32_t d) { return a.holds(d) && b.holds(d); }};
    }
    return {"(" + a.text + " OR " + b.text + ")",
            [a, b](std::uint32_t d) { return a.holds(d) || b.holds(d); }};
  }

 private:
  const test::Collection& collection_;
  const test::FilterOracle& oracle_;
  test::RandomFilters filters_;
  std::mt19937 random_;
};

TEST_F(Predicates, RandomTreesMatchWhatTheySay) {
  RandomTrees trees(collection_, fields_, oracle_, 5);
  const Searcher exhaustive(index_, {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = 0}});
  for (int i = 0; i < 600; ++i) {
    const auto tree = trees.next(1 + i % 4);
    const auto expected = documents(tree.holds);
    ASSERT_EQ(docids(tree.text), expected) << tree.text;
    // Scores of all documents, whatever matches.
    const Plan ranked = plan(tree.text);
    Plan::Parts parts{Want::kTopK, kDocuments, ranked.scorer(), ranked.collection(), {}, {}};
    parts.terms.assign(ranked.terms().begin(), ranked.terms().end());
    parts.expression = {{Node::Kind::kNever, 0}, {Node::Kind::kNot, 1}};
    const Plan all(std::move(parts));
    const Results scores = exhaustive.search({&all, 1});
    const std::uint32_t k = i % 3 == 0 ? 10 : 1000;
    const Plan wanted = ranked.with_k(k);
    const Results results = searcher_.search({&wanted, 1});
    std::size_t at = 0;
    for (const Hit hit : scores[0].hits()) {
      if (at == k) break;
      if (!tree.holds(hit.docid)) continue;
      ASSERT_LT(at, results[0].docids.size()) << tree.text;
      ASSERT_EQ(results[0].hits()[at].docid, hit.docid) << tree.text;
      ASSERT_EQ(results[0].hits()[at].score, hit.score) << tree.text;
      ++at;
    }
    ASSERT_EQ(at, results[0].docids.size()) << tree.text;
  }
}

}  // namespace
}  // namespace gannet::query
