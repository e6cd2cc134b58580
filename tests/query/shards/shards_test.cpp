// Shards that are given the statistics of the whole find, together, what the whole finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/split/split.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/plan/word_expansions.hpp"
#include "query/results/join_results.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

Searcher cpu(IndexPointer index) {
  return Searcher(std::move(index), {.backend = BackendChoice::kCpu, .cpu = {.bounds_bits = 1000}});
}

/// Segments [first, end) of an index, as an index.
IndexPointer part_of(const index::Index& whole, std::size_t first, std::size_t end) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  for (std::size_t s = first; s < end; ++s) segments.push_back(whole.segments()[s]);
  return std::make_shared<const index::Index>(std::move(segments), whole.analyzer(),
                                              whole.defaults(), whole.schema());
}

/// Every segment of an index, by itself.
struct Shards {
  explicit Shards(const index::Index& whole) {
    for (std::size_t s = 0; s < whole.segments().size(); ++s) {
      searchers.push_back(cpu(part_of(whole, s, s + 1)));
      bases.push_back(whole.docid_base(s));
    }
  }

  /// Those of a set.
  explicit Shards(const std::filesystem::path& set) {
    for (const index::ShardRecord& shard : index::read_shard_set(set)) {
      searchers.push_back(cpu(std::make_shared<const index::Index>(index::open_shard(set, shard))));
      bases.push_back(shard.docid_base);
    }
  }

  /// Statistics are added up, and results joined, in any order.
  Results search(std::span<const Query> queries, unsigned seed) const {
    std::vector<std::vector<Plan>> plans;
    for (const Searcher& searcher : searchers) plans.push_back(searcher.plan(queries));
    std::vector<std::size_t> order(searchers.size());
    for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
    std::mt19937 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    BatchStatistics sum(plans[order[0]]);
    for (std::size_t i = 1; i < order.size(); ++i) {
      const BatchStatistics more(plans[order[i]]);
      EXPECT_EQ(more.fingerprint(), sum.fingerprint());
      sum.add(more);
    }
    Results joined;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t s = order[i];
      const std::vector<Plan> exact = sum.apply(plans[s]);
      Results found = searchers[s].search(exact);
      renumber(found, bases[s]);
      joined = i == 0 ? std::move(found) : join_results(exact, joined, found);
    }
    return joined;
  }

  std::vector<Searcher> searchers;
  std::vector<std::uint64_t> bases;
};

void expect_same_of_shards(const Shards& shards, const Searcher& whole,
                           std::span<const Query> queries, unsigned seed) {
  const std::vector<Plan> plans = whole.plan(queries);
  const Results expected = whole.search(plans);
  const Results found = shards.search(queries, seed);
  ASSERT_EQ(found.size(), queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    test::expect_same(found[i], expected[i], plans[i]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<Query> queries_for(const std::vector<std::string>& texts, const char* scorer) {
  std::vector<Query> queries;
  for (const std::string& text : texts) {
    for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
      for (const std::uint32_t k : {0u, 1u, 10u, 5000u}) {
        queries.push_back({.text = text, .want = want, .k = k});
        queries.back().scorer = parse_scorer(scorer, "", {});
      }
    }
  }
  return queries;
}

TEST(Shards, FindWhatTheWholeFinds) {
  const std::vector<std::string> texts{
      "t1",     "t1 t5 t9", "+t2 t3 -t4",           "t1^2.5 (t2 OR t13)", "t0 t1 t2 t3 t4 t5",
      "NOT t1", "*:*",      "unknown t13 -unknown", "t11 t12^0 t13",      ""};
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const test::TemporaryDirectory folder;
    const auto collection = test::random_collection(2000, test::kTerms, seed);
    std::vector<std::uint32_t> ends;
    for (unsigned shard = 1; shard < seed; ++shard) ends.push_back(2000 * shard * shard / 25);
    ends.push_back(2000);
    const Searcher whole = cpu(test::write_index(folder / "whole", collection));
    const IndexPointer segments = test::write_segments(folder / "parts", collection, ends);
    for (const char* scorer : {"bm25", "bm25plus", "dirichlet", "jelinek-mercer", "pl2"}) {
      SCOPED_TRACE(scorer);
      expect_same_of_shards(Shards(*segments), whole, queries_for(texts, scorer), seed);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Shards, FindWhatTheWholeFindsInTextFields) {
  const std::vector<std::string> texts{"w1 w5 w9", "f0:w3 w4", "f1:(w1 w2)", "+f0:w1 +f1:w2",
                                       "w19 w18^0.5 -w1"};
  const auto documents = test::random_texts(1500, 2, 5);
  const auto schema = test::texts_schema(2);
  const test::TemporaryDirectory folder;
  const Searcher whole = cpu(test::build_texts(folder / "whole", documents, schema, {1500}));
  const IndexPointer segments =
      test::build_texts(folder / "parts", documents, schema, {3, 700, 1100, 1500});
  for (const char* scorer : {"bm25", "bm25f", "dirichlet"}) {
    SCOPED_TRACE(scorer);
    expect_same_of_shards(Shards(*segments), whole, queries_for(texts, scorer), 1);
    if (HasFatalFailure()) return;
  }
}

TEST(Shards, FindWhatTheWholeFindsOnceItIsCut) {
  const std::vector<std::string> texts{"w1 w5 w9", "f0:w3 w4", "+w2 -f1:w1", "w19 w18 w17 w16"};
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const test::TemporaryDirectory folder;
    const auto documents = test::random_texts(700 + 100 * seed, 2, seed);
    test::TextsSource source(documents, 0, documents.size());
    index::build_index(source, folder / "whole", test::texts_options(test::texts_schema(2)));
    const Searcher whole =
        cpu(std::make_shared<const index::Index>(index::Index::open(folder / "whole")));
    index::split_index(folder / "whole", folder / "set", seed, {});
    const Shards shards{std::filesystem::path(folder / "set")};
    ASSERT_EQ(shards.searchers.size(), seed);
    const Searcher set =
        cpu(std::make_shared<const index::Index>(index::Index::open(folder / "set")));
    for (const char* scorer : {"bm25", "bm25f", "dirichlet"}) {
      const std::vector<Query> queries = queries_for(texts, scorer);
      expect_same_of_shards(shards, whole, queries, seed);
      if (HasFatalFailure()) return;
      const std::vector<Plan> plans = whole.plan(queries);
      test::expect_exact(set, whole, plans);
      EXPECT_EQ(to_string(set.plan(queries[0])), to_string(plans[0]));
    }
  }
}

/// Queries whose inexact words stand for terms of `whole`.
std::vector<Query> with_expansions(std::vector<Query> queries, const index::Index& whole) {
  const auto made = std::make_shared<const WordExpansions>(expand_words(whole, queries));
  for (Query& query : queries) query.expansions = made;
  return queries;
}

/// Without those of the whole, each shard would take what it has: other numbers of terms, and of
/// fuzzy words other terms.
TEST(Shards, FindWhatTheWholeFindsForInexactWords) {
  const std::vector<std::string> texts{
      "w1*",    "w1~1 w5", "f0:w?3 w4~",          "+/w1[2-6]/ -f1:w19~1^2", "f1:(*9 w2*) OR w18",
      "w300~2", "x*",      "w2 AND (w1? OR w7~1)"};
  const auto documents = test::random_texts(600, 2, 5);
  const auto schema = test::texts_schema(2);
  const test::TemporaryDirectory folder;
  const Searcher whole = cpu(test::build_texts(folder / "whole", documents, schema, {600}));
  const IndexPointer segments =
      test::build_texts(folder / "parts", documents, schema, {2, 5, 200, 600});
  for (const char* scorer : {"bm25", "bm25f", "dirichlet"}) {
    SCOPED_TRACE(scorer);
    const std::vector<Query> queries = with_expansions(queries_for(texts, scorer), whole.index());
    EXPECT_EQ(queries.front().expansions->words(), expand_words(*segments, queries).words());
    expect_same_of_shards(Shards(*segments), whole, queries, 1);
    if (HasFatalFailure()) return;
  }
}

TEST(Shards, CountTheTermsOfTheWholeAgainstTheLimit) {
  const auto documents = test::random_texts(600, 1, 5);
  const test::TemporaryDirectory folder;
  const IndexPointer whole =
      test::build_texts(folder / "parts", documents, test::texts_schema(1), {1, 600});
  const Searcher first = cpu(part_of(*whole, 0, 1));
  Query query{.text = "+w1 contents:w*", .max_expansions = 10};
  std::string expected;
  try {
    cpu(whole).plan(query);
  } catch (const UsageError& error) {
    expected = error.what();
  }
  EXPECT_THAT(expected, ::testing::HasSubstr("column 14"));
  EXPECT_NO_THROW(first.plan(query)) << "it has few terms";
  query = with_expansions({query}, *whole).front();
  EXPECT_THAT([&] { first.plan(query); },
              ::testing::ThrowsMessage<UsageError>(::testing::StrEq(expected)));
  query.max_expansions = 1000;
  EXPECT_THAT([&] { first.plan(query); },
              ::testing::ThrowsMessage<UsageError>(::testing::HasSubstr("are not given")));
  query.text = "w1 w2";
  EXPECT_NO_THROW(first.plan(query));
}

TEST(WordExpansions, AreReadAsTheyWereWritten) {
  WordExpansions made;
  made.add({3, "wing~1", 1024, 2}, {{"wing", "wings"}, 2});
  made.add({index::kMainText, "a*", 7, 0}, {{std::string("a\0b", 3), ""}, 123'456'789'012});
  made.add({0, "", 1, 0}, {});
  const std::string bytes = made.to_bytes();
  EXPECT_EQ(WordExpansions::from_bytes(bytes).words(), made.words());
  EXPECT_TRUE(WordExpansions::from_bytes("").words().empty());
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    try {
      EXPECT_LT(WordExpansions::from_bytes(bytes.substr(0, size)).words().size(), 3u);
    } catch (const FormatError&) {
    }
  }
  EXPECT_THROW(WordExpansions::from_bytes(bytes + "x"), FormatError);
}

class ShardStatistics : public ::testing::Test {
 protected:
  std::vector<Plan> plans(std::size_t segment, const std::vector<Query>& queries) const {
    return cpu(part_of(*index_, segment, segment + 1)).plan(queries);
  }

  test::TemporaryDirectory folder_;
  IndexPointer index_ = test::write_segments(
      folder_ / "parts", test::random_collection(900, test::kTerms, 8), {300, 900});
};

TEST_F(ShardStatistics, AreThoseOfTheWholeInPlans) {
  const std::vector<Query> queries{{.text = "t1 t9"}, {.text = "t1 -t13 +t2"}, {.text = "t9 t9"}};
  const std::vector<Plan> expected = cpu(index_).plan(queries);
  const std::vector<Plan> here = plans(0, queries);
  BatchStatistics sum(here);
  EXPECT_EQ(sum.numbers().size(), 2 + 2 * 4u) << "a term of several queries counts once";
  sum.add(BatchStatistics(plans(1, queries)));
  const std::vector<Plan> found = sum.apply(here);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(to_string(found[i]), to_string(expected[i]));
    EXPECT_NE(to_string(found[i]), to_string(here[i]));
    EXPECT_EQ(found[i].has_required(), expected[i].has_required());
  }
}

TEST_F(ShardStatistics, OfOtherQueriesAreRefused) {
  const std::vector<Plan> one = plans(0, {{.text = "t1 t9"}});
  const std::vector<Plan> other = plans(1, {{.text = "t1 t8"}});
  BatchStatistics statistics(one);
  EXPECT_NE(statistics.fingerprint(), BatchStatistics(other).fingerprint());
  EXPECT_THROW(statistics.add(BatchStatistics(other)), UsageError);
  EXPECT_THROW(statistics.apply(other), UsageError);
  EXPECT_THROW(BatchStatistics({}).apply(one), UsageError);
  EXPECT_TRUE(BatchStatistics({}).apply({}).empty());
  const std::vector<Plan> mixed{one.front(), other.front()};
  EXPECT_THROW(BatchStatistics{mixed}, UsageError) << "of two indexes";
  statistics.numbers()[2] = 1000;  // documents of t1, of 300
  EXPECT_THROW(statistics.apply(one), UsageError);
}

TEST_F(ShardStatistics, OccurrencesAreKnownToScorersThatAsk) {
  std::vector<Query> queries{{.text = "t1"}, {.text = "t1"}};
  queries[1].scorer = parse_scorer("dirichlet", "", {});
  const std::vector<Plan> expected = cpu(index_).plan(queries);
  const std::vector<Plan> here = plans(0, queries);
  BatchStatistics sum(here);
  sum.add(BatchStatistics(plans(1, queries)));
  const std::vector<Plan> found = sum.apply(here);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].terms()[0].collection_frequency,
              expected[i].terms()[0].collection_frequency);
  }
  EXPECT_NE(found[0].terms()[0].collection_frequency, found[1].terms()[0].collection_frequency);
}

TEST(JoinedResults, AreOfOneBatchAndOneNumbering) {
  const test::TemporaryDirectory folder;
  const Searcher whole =
      cpu(test::write_index(folder / "idx", test::random_collection(100, test::kTerms, 2)));
  const std::vector<Plan> plans{whole.plan({.text = "t1"})};
  Results results = whole.search(plans);
  EXPECT_THROW(join_results({}, results, results), UsageError);
  EXPECT_THROW(join_results(plans, results, {}), UsageError);
  EXPECT_THROW(renumber(results, 0xffffffffu), UsageError);
  EXPECT_THROW(renumber(results, std::uint64_t{1} << 40), UsageError);
  Results nothing;
  EXPECT_NO_THROW(renumber(nothing, std::uint64_t{1} << 40));
}

}  // namespace
}  // namespace gannet::query
