// Facets, groups, sorts, later pages and expansions of phrases, against the documents that have
// them by the definition of each form; and lists of phrases after a stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/options/expansion.hpp"
#include "query/paging.hpp"
#include "query/postings/union_cache.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/column_reference.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expansion_reference.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

constexpr std::size_t kDocumentsOfColumns = 3000;

class PhraseColumns : public testing::Test {
 protected:
  static std::vector<test::FakeField> make_fields() {
    test::Random random(8);
    test::FakeField tag{{.name = "tag", .type = index::FieldType::kKeyword, .multi = true}, {}, {}};
    test::FakeField year{{.name = "year", .bits = 32}, {}, {}};
    for (std::size_t d = 0; d < kDocumentsOfColumns; ++d) {
      tag.texts.emplace_back();
      for (std::uint32_t n = test::below(random, 3); n > 0; --n) {
        tag.texts.back().push_back("tag" + std::to_string(test::below(random, 9)));
      }
      year.keys.emplace_back();
      if (d % 7 != 0) year.keys.back().push_back(test::signed_key(1990 + test::below(random, 30)));
    }
    return {tag, year};
  }

  Plan plan(const test::WordsNear& window) const {
    return searcher_.plan({.text = window.text(), .k = kDocumentsOfColumns});
  }
  /// Documents by the definition of the window, with the scores of a search for all of them.
  test::ColumnReference reference(const test::WordsNear& window) const {
    std::vector<bool> matches;
    for (const auto& document : documents_) matches.push_back(window.count(document.texts[0]) > 0);
    std::vector<float> scores(kDocumentsOfColumns);
    const Plan all = plan(window);
    const Results found = searcher_.search(std::span(&all, 1), nullptr, {.exhaustive = true});
    for (const Hit hit : found[0].hits()) scores[hit.docid] = hit.score;
    return {fields_, matches, scores};
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_ = test::random_texts(kDocumentsOfColumns, 0, 12);
  std::vector<test::FakeField> fields_ = make_fields();
  std::shared_ptr<const index::Index> text_ = test::build_texts(
      folder_ / "index", documents_, test::texts_schema(0), {400, 1700, kDocumentsOfColumns});
  std::shared_ptr<const index::Index> index_ = test::with_fields(*text_, fields_);
  Searcher searcher_{index_, {.backend = BackendChoice::kCpu}};
};

TEST_F(PhraseColumns, CountAndSortWhatHasThePhrase) {
  std::mt19937 random(21);
  const std::vector<SortKey> keys{{.field = "year", .descending = true},
                                  {.field = "", .descending = true}};
  std::size_t found = 0;
  for (int round = 0; round < 40; ++round) {
    const test::WordsNear window = test::random_window(random);
    SCOPED_TRACE(window.text());
    const test::ColumnReference expected = reference(window);
    const ColumnResults sorted =
        search_columns(searcher_, plan(window),
                       {.sort = keys, .k = 40, .facets = {{"tag", 4}}, .aggregates = {"year"}});
    EXPECT_EQ(sorted.count, expected.matching().size());
    EXPECT_EQ(sorted.facets[0], expected.facet({"tag", 4}));
    const Aggregate years = expected.aggregate("year");
    EXPECT_EQ(sorted.aggregates[0].documents, years.documents);
    EXPECT_EQ(sorted.aggregates[0].distinct, years.distinct);
    EXPECT_EQ(sorted.aggregates[0].min, years.min);
    EXPECT_EQ(sorted.aggregates[0].max, years.max);
    EXPECT_EQ(sorted.hits, expected.sorted(keys, 40));
    const GroupRequest groups{.field = "tag", .groups = 5, .hits = 2};
    const ColumnResults grouped = search_columns(searcher_, plan(window), {.group = groups});
    EXPECT_EQ(grouped.grouping, expected.grouping(groups, {{.field = "", .descending = true}}));
    found += expected.matching().size();
  }
  EXPECT_GT(found, 4'000u);
}

/// Later pages, behind cursors and offsets, are slices of one ranking; also of a sort.
TEST_F(PhraseColumns, HavePages) {
  std::mt19937 random(22);
  for (int round = 0; round < 12; ++round) {
    const test::WordsNear window = test::random_window(random);
    SCOPED_TRACE(window.text());
    const Plan all = plan(window);
    for (const bool by_year : {false, true}) {
      ColumnQuery columns{.k = kDocumentsOfColumns};
      if (by_year) columns.sort = {{.field = "year"}};
      const std::vector<Hit> expected = search_columns(searcher_, all, columns).hits;
      std::vector<Hit> hits;
      std::string cursor;
      do {
        const PageRequest page = page_request(37, 0, cursor);
        ColumnQuery own = columns;
        const Plan paged = plan_of(page, all, own);
        std::vector<Hit> next = search_columns(searcher_, paged, own).hits;
        cut(page, next);
        hits.insert(hits.end(), next.begin(), next.end());
        cursor = next_page(page, *index_, paged, own, next, {}).value_or("");
      } while (!cursor.empty());
      EXPECT_EQ(hits, expected);
      const PageRequest offset = page_request(5, 8, "");
      ColumnQuery own = columns;
      const Plan paged = plan_of(offset, all, own);
      std::vector<Hit> some = search_columns(searcher_, paged, own).hits;
      cut(offset, some);
      const auto begin =
          expected.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(8, expected.size()));
      const auto end = expected.begin() +
                       static_cast<std::ptrdiff_t>(std::min<std::size_t>(13, expected.size()));
      EXPECT_EQ(some, std::vector<Hit>(begin, end));
    }
  }
}

/// RM3 and Rocchio by their formulas, with a phrase as a term of the query.
TEST_F(PhraseColumns, AreExpandedByTheFormulas) {
  test::Collection collection;
  collection.lengths.assign(kDocumentsOfColumns, 0);
  for (std::uint32_t d = 0; d < kDocumentsOfColumns; ++d) {
    for (const auto& [word, places] : test::places_of(documents_[d].texts[0])) {
      auto& list = collection.frequencies[word];
      list.resize(kDocumentsOfColumns);
      list[d] = static_cast<std::uint32_t>(places.size());
      collection.lengths[d] += list[d];
    }
  }
  for (const ExpansionMethod method : {ExpansionMethod::kRm3, ExpansionMethod::kRocchio}) {
    for (const std::string text : {"\"w3 w5\"", "\"w3 w5\"~2", "#uw4(w7 w2)"}) {
      SCOPED_TRACE(text);
      const Expansion expansion{.method = method, .documents = 8, .max_document_share = 1};
      const Plan all = searcher_.plan({.text = text + " w9^2", .k = 8});
      const Results best = searcher_.search(std::span(&all, 1));
      std::vector<test::ScoredDocument> documents;
      for (const Hit hit : best[0].hits()) documents.emplace_back(hit.docid, hit.score);
      ASSERT_EQ(documents.size(), 8u);
      const test::TermWeights expected =
          test::expanded_weights(collection, {{text, 1}, {"w9", 2}}, documents, {}, expansion);
      const std::vector<Plan> made = searcher_.expand(std::span(&all, 1), expansion);
      ASSERT_EQ(made[0].terms().size(), expected.size()) << to_string(made[0]);
      for (const PlanTerm& term : made[0].terms()) {
        ASSERT_TRUE(expected.contains(term.text)) << term.text;
        EXPECT_NEAR(term.weight, expected.at(term.text), 1e-5) << term.text;
      }
      // The new plans find what an exhaustive search for them finds.
      const Results pruned = searcher_.search(made);
      const Results exact = searcher_.search(made, nullptr, {.stop = {}, .exhaustive = true});
      EXPECT_TRUE(std::ranges::equal(pruned[0].hits(), exact[0].hits()));
    }
  }
}

/// A stop while the list of a phrase is made leaves nothing behind that is found later.
TEST_F(PhraseColumns, AreMadeAnewAfterAStop) {
  const auto& segment = text_->segments().back();
  ListRecipe recipe{.kind = ListRecipe::Kind::kWindow, .window = {WindowKind::kNear, 0, {0, 1}}};
  for (const char* word : {"w0", "w1"}) {
    recipe.terms.push_back(segment->find(word).value());
    recipe.ends.push_back(static_cast<std::uint32_t>(recipe.terms.size()));
  }
  UnionCache cache;
  std::stop_source stop;
  stop.request_stop();
  {
    const StopScope scope(stop.get_token());
    EXPECT_THROW(cache.of(segment, recipe, index::kMainText), CancelledError);
  }
  EXPECT_EQ(cache.bytes(), 0u);
  const auto made = cache.of(segment, recipe, index::kMainText);
  const auto again = std::make_shared<const MadeList>(*segment, recipe, index::kMainText);
  EXPECT_GT(made->list().count, 100u);
  EXPECT_EQ(made->list().count, again->list().count);
  EXPECT_EQ(made->occurrences(), again->occurrences());
  EXPECT_EQ(cache.of(segment, recipe, index::kMainText), made);

  // The same of a search.
  const test::WordsNear window{{"w0", "w1"}, {WrittenWindow::Kind::kPhrase, 977}};
  const auto search = [&](const SearchOptions& options) {
    const Query query{.text = window.text(), .want = Want::kCount};
    const std::vector<Plan> plans = searcher_.plan(std::span(&query, 1), false, options);
    const Results found = searcher_.search(plans, nullptr, options);
    return found[0].count;
  };
  EXPECT_THROW(search({.stop = stop.get_token()}), CancelledError);
  EXPECT_EQ(search({}), reference(window).matching().size());
}

}  // namespace
}  // namespace gannet::query
