// Results by columns of real queries: the plan's matches, its scores, its k best.
#include "query/search_columns.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/columns/access/decoded_columns.hpp"
#include "query/columns/field_values.hpp"
#include "query/searcher.hpp"
#include "query/searching/searcher_parts.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/column_reference.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kColumnDocuments = 9000;

/// Three segments of text with a keyword and a number.
class SearchColumns : public ::testing::Test {
 protected:
  static std::vector<test::FakeField> make_fields() {
    test::Random random(5);
    test::FakeField tag{{.name = "tag", .type = index::FieldType::kKeyword, .multi = true}, {}, {}};
    test::FakeField year{{.name = "year", .bits = 32}, {}, {}};
    for (std::uint32_t d = 0; d < kColumnDocuments; ++d) {
      tag.texts.emplace_back();
      for (std::uint32_t n = test::below(random, 3); n > 0; --n) {
        tag.texts.back().push_back(test::random_keyword(random, test::Spread::kMany));
      }
      year.keys.emplace_back();
      if (d % 7 != 0) year.keys.back().push_back(test::signed_key(1990 + test::below(random, 30)));
    }
    return {tag, year};
  }

  /// What a loop gives for the matches of a query.
  test::ColumnReference reference(const std::string& text) const {
    const Plan plan = searcher_.plan({.text = text, .k = kColumnDocuments});
    const Results all = searcher_.search(std::span(&plan, 1), nullptr, {.exhaustive = true});
    std::vector<bool> matches(kColumnDocuments);
    std::vector<float> scores(kColumnDocuments);
    for (const Hit hit : all[0].hits()) {
      matches[hit.docid] = true;
      scores[hit.docid] = hit.score;
    }
    return {fields_, matches, scores};
  }

  test::TemporaryDirectory folder_;
  test::Collection collection_ = test::random_collection(kColumnDocuments, 14, 3);
  std::vector<test::FakeField> fields_ = make_fields();
  std::shared_ptr<const index::Index> index_ = test::with_fields(
      *test::write_segments(folder_.path(), collection_, {100, 5000, kColumnDocuments}), fields_);
  Searcher searcher_{index_, {.backend = BackendChoice::kCpu}};
};

TEST_F(SearchColumns, LooksAtAllMatchesAndShowsTheBest) {
  for (const std::string text : {"t1", "t3 t7", "+t1 t2 -t3", "NOT t1", "t13", "nothing"}) {
    const Plan plan = searcher_.plan({.text = text, .k = 3});
    const ColumnQuery wanted{.k = 20,
                             .facets = {{"tag", 15}},
                             .histograms = {{.field = "year", .width = "10"}},
                             .aggregates = {"year"}};
    Report report;
    const ColumnResults found = search_columns(searcher_, plan, wanted, {}, &report);
    const Plan best = plan.with_k(20);
    const Results usual = searcher_.search(std::span(&best, 1));
    EXPECT_TRUE(std::ranges::equal(found.hits, usual[0].hits())) << text;
    const Plan count = plan.with_want(Want::kCount);
    const Results counted = searcher_.search(std::span(&count, 1));
    EXPECT_EQ(found.count, counted[0].count) << text;
    EXPECT_EQ(found.facets[0], reference(text).facet({"tag", 15})) << text;
    EXPECT_EQ(found.aggregates[0].documents, found.count - reference(text).missing(fields_[1]));
    EXPECT_EQ(report.backend, "cpu");
  }
}

TEST_F(SearchColumns, SortsByScoresOfThePlan) {
  for (const std::string text : {"t1", "t3 t7", "+t1 t2 -t3", "t13"}) {
    const Plan plan = searcher_.plan({.text = text});
    const std::vector<SortKey> keys{{.field = "year", .descending = true},
                                    {.field = "", .descending = true}};
    const ColumnResults found = search_columns(searcher_, plan, {.sort = keys, .k = 500});
    const std::vector<Hit> expected = reference(text).sorted(keys, 500);
    ASSERT_EQ(found.hits.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(found.hits[i].docid, expected[i].docid) << text;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found.hits[i].score),
                std::bit_cast<std::uint32_t>(expected[i].score));
    }
    EXPECT_TRUE(found.scored);
    EXPECT_FALSE(search_columns(searcher_, plan, {.sort = {{.field = "year"}}}).scored);
  }
}

TEST_F(SearchColumns, BatchesGiveWhatSinglePlansGive) {
  std::vector<Plan> plans;
  for (const std::string text : {"t1", "t3 t7", "nothing", "+t1 t2 -t3", "NOT t1", "t13", "t1"}) {
    plans.push_back(searcher_.plan({.text = text, .k = 3}));
  }
  const std::vector<ColumnQuery> queries{
      {.k = 5, .facets = {{"tag", 15}}, .aggregates = {"year"}},
      {.k = 0, .facets = {{"tag", 15}}},
      {.sort = {{.field = "year"}, {.field = "", .descending = true}}, .k = 40},
      {.sort = {{.field = "tag"}}, .k = 7, .histograms = {{.field = "year", .width = "3"}}},
      {.group = GroupRequest{"tag", 3, 2}}};
  for (const ColumnQuery& query : queries) {
    for (const unsigned threads : {1u, 2u, 0u}) {
      Report report;
      const std::vector<ColumnResults> found =
          search_columns(searcher_, plans, query, {.threads = threads}, &report);
      ASSERT_EQ(found.size(), plans.size());
      for (std::size_t i = 0; i < plans.size(); ++i) {
        EXPECT_EQ(found[i], search_columns(searcher_, plans[i], query)) << i;
      }
      EXPECT_EQ(report.queries, plans.size());
      EXPECT_GT(report.postings, 0u);
    }
  }
  EXPECT_TRUE(search_columns(searcher_, std::span<const Plan>(), queries[0]).empty());
}

TEST_F(SearchColumns, BitmapsOfMatchesHaveTheDocidsOfASearch) {
  const Filter filter = parse_filter("year:[1995 TO 2001]", index_->schema());
  std::vector<Plan> plans;
  for (const std::string text : {"t1", "t3 t7", "nothing", "+t1 t2 -t3", "NOT t1", "+t2 +t4"}) {
    plans.push_back(searcher_.plan({.text = text, .want = Want::kDocids}));
    plans.push_back(searcher_.plan({.text = text, .filter = filter, .want = Want::kDocids}));
  }
  const std::size_t asked = plans.size();
  for (std::size_t i = 0; i < asked; ++i) plans.push_back(plans[i].with_want(Want::kTopK));
  const Results expected = searcher_.search(plans);
  for (const unsigned threads : {1u, 3u}) {
    const Searcher searcher(index_, {.backend = BackendChoice::kCpu, .cpu = {.threads = threads}});
    std::vector<Matches> matches(asked);
    const auto found = parts_of(searcher).search_to_bitmaps(plans, matches);
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      EXPECT_EQ((*found)[i].count, expected[i].count);
      if (i >= asked) {
        EXPECT_TRUE(std::ranges::equal((*found)[i].hits(), expected[i].hits()));
        continue;
      }
      EXPECT_TRUE((*found)[i].docids.empty());
      const Matches wanted = matches_of(*index_, expected[i], false);
      for (std::size_t s = 0; s < index_->segments().size(); ++s) {
        EXPECT_EQ(matches[i].segments[s].words, wanted.segments[s].words) << i << ", segment " << s;
        EXPECT_EQ(std::ranges::count(matches[i].segments[s].touched, 1) > 0,
                  count_bits(wanted.segments[s].words) > 0);
      }
    }
    // In memory that has others' matches.
    std::ranges::reverse(matches);
    const auto again = parts_of(searcher).search_to_bitmaps(plans, matches);
    ASSERT_TRUE(again);
    for (std::size_t i = 0; i < asked; ++i) {
      const Matches wanted = matches_of(*index_, expected[i], false);
      for (std::size_t s = 0; s < index_->segments().size(); ++s) {
        EXPECT_EQ(matches[i].segments[s].words, wanted.segments[s].words) << i << ", segment " << s;
      }
    }
  }
}

TEST_F(SearchColumns, ColumnsThatStayDecodedChangeNothing) {
  const std::vector<ColumnQuery> queries{
      {.k = 5, .facets = {{"tag", 15}}, .aggregates = {"year"}},
      {.sort = {{.field = "year"}}, .k = 40},
      {.sort = {{.field = "tag"}}, .k = 7, .histograms = {{.field = "year", .width = "3"}}},
      {.group = GroupRequest{"tag", 3, 2}}};
  const Searcher none(index_, {.backend = BackendChoice::kCpu, .column_bytes = 0});
  const Plan plan = searcher_.plan({.text = "t1 t3"});
  for (const ColumnQuery& query : queries) {
    EXPECT_EQ(search_columns(searcher_, plan, query), search_columns(none, plan, query));
  }
  EXPECT_GT(parts_of(searcher_).decoded.bytes(), 0u);
  EXPECT_EQ(parts_of(none).decoded.bytes(), 0u);
}

TEST_F(SearchColumns, NoSegmentsHaveNoValues) {
  const index::Index none = index_->part(1, 1);
  const ColumnResults made = run_columns(none, all_documents(none),
                                         {.sort = {{.field = "year"}},
                                          .k = 3,
                                          .facets = {{"tag", 15}},
                                          .histograms = {{.field = "year", .width = "3"}},
                                          .aggregates = {"year"}});
  EXPECT_EQ(made.count, 0u);
  EXPECT_TRUE(made.hits.empty());
  EXPECT_TRUE(made.facets[0].values.empty());
  EXPECT_TRUE(made.histograms[0].bins.empty());
  EXPECT_EQ(made.aggregates[0].values, 0u);
}

TEST_F(SearchColumns, GroupsByScore) {
  const Plan plan = searcher_.plan({.text = "t1 t2"});
  const ColumnQuery wanted{.group = GroupRequest{"tag", 30, 4}};
  const ColumnResults found = search_columns(searcher_, plan, wanted);
  EXPECT_EQ(*found.grouping,
            reference("t1 t2").grouping(*wanted.group, {{.field = "", .descending = true}}));
}

TEST_F(SearchColumns, AllDocumentsNeedNoQuery) {
  const ColumnResults found =
      run_columns(*index_, all_documents(*index_), {.k = 0, .facets = {{"tag"}}});
  EXPECT_EQ(found.count, kColumnDocuments);
  const test::ColumnReference loop(fields_, std::vector<bool>(kColumnDocuments, true), {});
  EXPECT_EQ(found.facets[0], loop.facet({"tag"}));
}

TEST_F(SearchColumns, ErrorsNameTheFieldAndSayWhichThereAre) {
  const auto error = [&](const ColumnQuery& query) {
    return test::message_of<UsageError>(
        [&] { search_columns(searcher_, searcher_.plan({.text = "t1"}), query); });
  };
  EXPECT_THAT(
      error({.sort = {{.field = "yaer"}}}),
      HasSubstr("sort: no field is called 'yaer' (did you mean 'year'?); the index has tag, year"));
  EXPECT_THAT(error({.facets = {{"x"}}}), HasSubstr("facet: no field is called 'x'"));
  EXPECT_THAT(error({.aggregates = {"x"}}), HasSubstr("no field is called 'x'"));
  EXPECT_THAT(error({.group = GroupRequest{"year"}}), HasSubstr("'year' has no keywords"));
  EXPECT_THAT(error({.sort = std::vector<SortKey>(5, {.field = "year"})}),
              HasSubstr("at most 4 keys"));
  const index::Index bare({}, {}, {});
  EXPECT_THAT(test::message_of<UsageError>([&] { check({.facets = {{"tag"}}}, bare.schema()); }),
              HasSubstr("the index has no fields; build it with --field"));
}

TEST_F(SearchColumns, MatchesOfAnotherIndexAreRefused) {
  Matches fewer = all_documents(*index_);
  fewer.segments.pop_back();
  EXPECT_THROW(run_columns(*index_, fewer, {.k = 0}), UsageError);
  EXPECT_THAT(
      test::message_of<UsageError>([&] { run_columns(*index_, all_documents(*index_), {}); }),
      HasSubstr("need matches with scores"));
  Matches scored = all_documents(*index_);
  scored.scores.resize(3);
  EXPECT_THROW(run_columns(*index_, scored, {}), UsageError);
}

TEST_F(SearchColumns, MatchesAreClearedInTheirMemory) {
  Matches matches = all_documents(*index_);
  matches.scores.resize(matches.segments.size());
  matches.counted = 5;
  const std::uint64_t* const words = matches.segments[0].words.data();
  clear(matches, *index_);
  EXPECT_EQ(matches.segments[0].words.data(), words);
  EXPECT_EQ(matches.count(), 0u);
  EXPECT_FALSE(matches.scored());
  matches.segments[0].add(5);
  EXPECT_EQ(matches.segments[0].touched[0], 1);
  clear(matches, *index_);
  EXPECT_EQ(matches.count(), 0u);
  EXPECT_EQ(matches.segments[0].touched[0], 0);
  Matches others = all_documents(*index_);
  others.segments.back().documents -= 1;
  clear(others, *index_);
  EXPECT_EQ(others.segments.back().documents, no_documents(*index_).segments.back().documents);
  EXPECT_EQ(others.count(), 0u);
}

TEST_F(SearchColumns, ValuesOfDocumentsThatThereAreNotAreRefused) {
  const std::vector<std::size_t> fields{0};
  const std::vector<std::size_t> unknown{2};
  const std::vector<std::uint32_t> last{kColumnDocuments - 1};
  const std::vector<std::uint32_t> beyond{kColumnDocuments};
  EXPECT_EQ(field_values(*index_, fields, last).size(), 1u);
  EXPECT_THROW(field_values(*index_, fields, beyond), UsageError);
  EXPECT_THROW(field_values(*index_, unknown, last), UsageError);
}

TEST_F(SearchColumns, EndsWhenItIsCancelled) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(run_columns(*index_, all_documents(*index_), {.k = 0, .facets = {{"tag"}}},
                           {.stop = source.get_token()}),
               CancelledError);
}

/// Whoever sorts by a field whose blocks tell looks at few of them.
class CountingColumn : public test::FakeColumn {
 public:
  using test::FakeColumn::FakeColumn;
  void decode(std::size_t block, std::uint32_t* out) const override {
    ++decoded;
    test::FakeColumn::decode(block, out);
  }
  void decode(std::size_t block, std::uint64_t* out) const override {
    ++decoded;
    test::FakeColumn::decode(block, out);
  }
  mutable std::atomic<int> decoded = 0;
};

TEST(Sorting, SkipsBlocksByTheirBounds) {
  constexpr std::uint32_t kBlocks = 12;
  test::FakeField field{{.name = "n"}, {}, {}};
  for (std::uint32_t d = 0; d < kBlocks * index::kFieldBlock; ++d) {
    field.keys.push_back({test::signed_key(d)});
  }
  const auto column = std::make_shared<CountingColumn>(field);
  const auto segment = std::make_shared<test::FakeSegment>(
      column->documents(), std::vector<std::shared_ptr<index::FieldColumn>>{column});
  const index::Index index({segment}, {}, {}, test::schema_of({field}));
  const ColumnResults last = run_columns(index, all_documents(index),
                                         {.sort = {{"n", true, false}}, .k = 3}, {.threads = 1});
  EXPECT_EQ(column->decoded, 1);
  ASSERT_EQ(last.hits.size(), 3u);
  EXPECT_EQ(last.hits[0].docid, column->documents() - 1);
  Matches few;
  few.segments.emplace_back(column->documents());
  few.segments[0].add(5 * index::kFieldBlock + 1);
  column->decoded = 0;
  run_columns(index, few,
              {.k = 0, .facets = {{"n"}}, .histograms = {{.field = "n", .width = "9"}}});
  EXPECT_EQ(column->decoded, 2);
}

}  // namespace
}  // namespace gannet::query
