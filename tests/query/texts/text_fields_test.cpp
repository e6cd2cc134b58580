// Queries over several texts, against brute force over the documents.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <optional>

#include "codecs/base/error.hpp"
#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "query/texts/searched_texts.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

/// A word of a case in a text, with what its score there is multiplied by.
struct ScoredWord {
  std::size_t text;
  std::string word;
  double weight;
};

class TextFields : public ::testing::Test {
 protected:
  void make(std::uint32_t fields, unsigned seed,
            std::vector<std::size_t> ends = {700, 1600, 2500}) {
    documents_ = random_texts(ends.back(), fields, seed);
    counts_.emplace(documents_);
    schema_ = texts_schema(fields);
    index_ = build_texts(folder_ / std::to_string(seed), documents_, schema_, ends);
    query::SearcherOptions options;
    options.backend = query::BackendChoice::kCpu;
    options.cpu.threads = 2;
    options.cpu.bounds_bits = 1000;  // lists get bounds, however few documents there are
    options.cpu.bitmap_bits = 1000;
    searcher_.emplace(index_, options);
  }

  double bm25(std::size_t document, const ScoredWord& scored) const {
    const double tf = counts_->frequency(document, scored.text, scored.word);
    if (tf == 0) return 0;
    const double length = counts_->length(document, scored.text);
    const double norm = 1 - 0.4 + 0.4 * length / counts_->average(scored.text);
    return scored.weight * counts_->idf({scored.text}, scored.word) * 1.9 * tf / (tf + 0.9 * norm);
  }

  query::Result search(const query::Query& query, bool exhaustive) const {
    query::SearchOptions options;
    options.exhaustive = exhaustive;
    return searcher_->search(query, options);
  }

  /// All matches by an exhaustive search are those of `matches`, scored by `score`; the best 10 of
  /// a pruned search are the best 10 of the exhaustive one, to the bit.
  void expect(query::Query query, const std::function<bool(std::size_t)>& matches,
              const std::function<double(std::size_t)>& score) const {
    query.k = static_cast<std::uint32_t>(counts_->documents());
    const query::Result all = search(query, true);
    std::map<std::size_t, float> found;
    for (const query::Hit hit : all.hits()) found[hit.docid] = hit.score;
    for (std::size_t d = 0; d < counts_->documents(); ++d) {
      ASSERT_EQ(found.count(d) > 0, matches(d)) << query.text << " document " << d;
      if (matches(d)) {
        ASSERT_NEAR(found[d], score(d), 1e-4) << query.text << " document " << d;
      }
    }
    query.want = query::Want::kCount;
    EXPECT_EQ(search(query, false).count, found.size()) << query.text;
    query.want = query::Want::kTopK;
    query.k = 10;
    const query::Result best = search(query, false);
    const query::Result same = search(query, true);
    ASSERT_TRUE(std::ranges::equal(best.docids, same.docids)) << query.text;
    for (std::size_t i = 0; i < same.scores.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(best.scores[i]),
                std::bit_cast<std::uint32_t>(same.scores[i]))
          << query.text;
    }
  }

  void expect(const query::Query& query, const std::function<bool(std::size_t)>& matches,
              const std::vector<ScoredWord>& words) const {
    expect(query, matches, [&](std::size_t d) {
      double sum = 0;
      for (const ScoredWord& word : words) sum += bm25(d, word);
      return sum;
    });
  }

  bool has(std::size_t d, std::size_t text, const char* word) const {
    return counts_->has(d, text, word);
  }

  std::string problem(const std::string& text) const {
    try {
      searcher_->plan({.text = text});
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  }

  TemporaryDirectory folder_;
  std::vector<TextsDocument> documents_;
  std::optional<TextCounts> counts_;
  index::Schema schema_;
  std::shared_ptr<const index::Index> index_;
  std::optional<query::Searcher> searcher_;
};

TEST_F(TextFields, PlainWordsSearchAllTextsSlow) {
  for (const std::uint32_t fields : {1u, 2u, 4u}) {
    make(fields, 10 + fields);
    std::vector<ScoredWord> words;
    for (std::size_t text = 0; text <= fields; ++text) {
      const double weight = text == 1 ? 2 : 1;  // f0 has the weight 2
      words.push_back({text, "w3", weight});
      words.push_back({text, "w11", 1.5 * weight});
    }
    const auto any = [&](std::size_t d, const char* word) {
      for (std::size_t text = 0; text <= fields; ++text) {
        if (has(d, text, word)) return true;
      }
      return false;
    };
    expect(
        {.text = "w3 w11^1.5"}, [&](auto d) { return any(d, "w3") || any(d, "w11"); }, words);
    expect(
        {.text = "w3 w11^1.5", .mode = query::Mode::kAnd},
        [&](auto d) { return any(d, "w3") && any(d, "w11"); }, words);
    expect(
        {.text = "+w3 w11^1.5"}, [&](auto d) { return any(d, "w3"); }, words);
    expect(
        {.text = "w3 AND w11^1.5 AND NOT w1"},
        [&](auto d) { return any(d, "w3") && any(d, "w11") && !any(d, "w1"); }, words);
  }
}

TEST_F(TextFields, NamesSearchOneText) {
  make(2, 20);
  expect({.text = "f0:w3"}, [&](auto d) { return has(d, 1, "w3"); }, {{1, "w3", 1}});
  expect({.text = "contents:w3"}, [&](auto d) { return has(d, 0, "w3"); }, {{0, "w3", 1}});
  expect({.text = "f1:(w3 w8^3)^2"}, [&](auto d) { return has(d, 2, "w3") || has(d, 2, "w8"); },
         {{2, "w3", 2}, {2, "w8", 6}});
  expect({.text = "+f0:w3 contents:w3 -f1:w3"},
         [&](auto d) { return has(d, 1, "w3") && !has(d, 2, "w3"); }, {{1, "w3", 1}, {0, "w3", 1}});
  expect({.text = "f0:(w1 contents:w2) AND f1:*"},
         [&](auto d) { return (has(d, 1, "w1") || has(d, 0, "w2")) && counts_->length(d, 2) > 0; },
         {{1, "w1", 1}, {0, "w2", 1}});
  expect({.text = "w3", .search_fields = {{"f1", 3}, {"contents", 0}}},
         [&](auto d) { return has(d, 2, "w3") || has(d, 0, "w3"); }, {{2, "w3", 3}});
  const query::Filter lacks = !query::Filter::exists("f0");
  expect({.text = "contents:w1", .filter = lacks},
         [&](auto d) { return has(d, 0, "w1") && counts_->length(d, 1) == 0; }, {{0, "w1", 1}});
}

TEST_F(TextFields, OneSegmentOrSeveralGiveTheSame) {
  make(3, 30);
  const auto whole = build_texts(folder_ / "whole", documents_, schema_, {documents_.size()});
  const query::Searcher other(whole, {.backend = query::BackendChoice::kCpu});
  for (const char* text : {"w1 w2", "f0:w1 w9", "+w4 f2:w4^5", "w0 -f1:w0"}) {
    for (const auto id :
         {query::ScorerId::kBm25, query::ScorerId::kBm25F, query::ScorerId::kDirichlet,
          query::ScorerId::kPl2, query::ScorerId::kBm25Plus}) {
      const query::Query query{.text = text, .k = 30, .scorer = query::standard_scorer(id)};
      const query::Result several = search(query, false);
      const query::Result one = other.search(query);
      EXPECT_EQ(several.docids, one.docids) << text;
      EXPECT_EQ(several.scores, one.scores) << text;
    }
  }
}

TEST_F(TextFields, Bm25FAddsFrequenciesUpBeforeTheyAreScoredSlow) {
  make(3, 40);
  const std::vector<double> weights{1, 2, 1, 0.5};
  const std::vector<double> b{0.4, 0.7, 0.4, 0};
  const query::ScorerSpec scorer =
      query::parse_scorer("bm25f", "f0.b=0.7,f2.b=0,f2.weight=0.5", query::ScorerSpec{});
  const std::vector<std::pair<std::string, double>> words{{"w3", 1}, {"w11", 2}};
  const auto score = [&](std::size_t d) {
    double sum = 0;
    for (const auto& [word, weight] : words) {
      double tf = 0;
      for (std::size_t text = 0; text < 4; ++text) {
        if (!counts_->has(d, text, word)) continue;
        const double norm =
            1 - b[text] + b[text] * counts_->length(d, text) / counts_->average(text);
        tf += weights[text] * counts_->frequency(d, text, word) / norm;
      }
      sum += weight * counts_->idf({0, 1, 2, 3}, word) * 1.9 * tf / (0.9 + tf);
    }
    return sum;
  };
  const auto any = [&](std::size_t d, const char* word) {
    return has(d, 0, word) || has(d, 1, word) || has(d, 2, word) || has(d, 3, word);
  };
  expect(
      {.text = "w3 w11^2", .scorer = scorer}, [&](auto d) { return any(d, "w3") || any(d, "w11"); },
      score);
  expect(
      {.text = "+w3 w11^2", .scorer = scorer}, [&](auto d) { return any(d, "w3"); }, score);
  expect(
      {.text = "w3 w11^2", .mode = query::Mode::kAnd, .scorer = scorer},
      [&](auto d) { return any(d, "w3") && any(d, "w11"); }, score);
  EXPECT_THAT(to_string(searcher_->plan({.text = "w3", .scorer = scorer})),
              HasSubstr("words, each scored over its texts together\n"));
}

TEST_F(TextFields, Bm25FOfOneTextIsBm25ToTheBit) {
  make(2, 50);
  for (const char* field : {"contents", "f0", "f1"}) {
    query::Query query{.text = "w1 w5^2 w9", .search_fields = {{field, 1}}, .k = 200};
    query.scorer = query::parse_scorer("bm25", "k1=1.2,b=0.6", {});
    const query::Result bm25 = search(query, false);
    query.scorer = query::parse_scorer("bm25f", "k1=1.2,b=0.6", {});
    const query::Result same = search(query, false);
    EXPECT_GT(bm25.docids.size(), 100u);
    EXPECT_EQ(bm25.docids, same.docids) << field;
    EXPECT_EQ(bm25.scores, same.scores) << field;
    EXPECT_TRUE(searcher_->plan(query).words().empty());
    // The same where the plan has to look at several texts, of which documents have one.
    query.search_fields = {{field, 1}, {field == std::string("f0") ? "f1" : "f0", 0}};
    const query::Result decides = search(query, true);
    std::map<std::uint32_t, float> scores;
    for (const query::Hit hit : decides.hits()) scores[hit.docid] = hit.score;
    for (const query::Hit hit : bm25.hits()) {
      if (scores.count(hit.docid) > 0) {
        EXPECT_EQ(scores[hit.docid], hit.score);
      }
    }
  }
}

TEST_F(TextFields, EachHasItsOwnAnalyzer) {
  const std::vector<TextsDocument> documents{
      {{"the running dogs", "The Running dogs"}}, {{"a run", "the who"}}, {{"", "runs"}}};
  index::Schema schema({index::parse_field("title:text:stemmer=none:stop-words=english")});
  index::BuildOptions options;
  options.write.schema = schema;
  TextsSource source(documents, 0, 3);
  const index::BuildReport report = index::build_index(source, folder_ / "own", options);
  EXPECT_EQ(report.empty_documents, 0u);
  const auto index = std::make_shared<const index::Index>(index::Index::open(folder_ / "own"));
  EXPECT_EQ(index->text_statistics(0), (index::TextStatistics{3, 4}));
  const query::Searcher searcher(index, {.backend = query::BackendChoice::kCpu});
  const auto found = [&](const char* text, query::Mode mode = query::Mode::kOr) {
    const auto docids =
        searcher.search({.text = text, .mode = mode, .want = query::Want::kDocids}).docids;
    return std::vector<std::uint32_t>(docids.begin(), docids.end());
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(found("contents:running"), ElementsAre(0, 1));  // stemmed
  EXPECT_THAT(found("title:running"), ElementsAre(0));        // not stemmed
  EXPECT_THAT(found("running"), ElementsAre(0, 1));
  EXPECT_THAT(found("runs"), ElementsAre(0, 1, 2));
  EXPECT_THAT(found("the"), ElementsAre(0));  // the title drops it
  EXPECT_THAT(found("title:the"), ElementsAre());
  EXPECT_THAT(found("the dogs", query::Mode::kAnd), ElementsAre(0));
  EXPECT_EQ(index->stored_text(0), std::nullopt);
}

TEST_F(TextFields, WordsDoNotMixWithThoseOfOtherTexts) {
  make(1, 60);
  const index::Segment& segment = *index_->segments().front();
  const auto main = segment.find("w3");
  const auto field = segment.find(index::text_key(0, "w3"));
  ASSERT_TRUE(main && field);
  EXPECT_NE(*main, *field);
  EXPECT_EQ(index::key_label(schema_, segment.term(*field)), "f0:w3");
  const query::Plan plan = searcher_->plan({.text = "contents:w3"});
  query::Expansion expansion;
  expansion.max_document_share = 1;  // all words of so few documents are frequent
  const std::vector<query::Plan> expanded = searcher_->expand(std::span(&plan, 1), expansion);
  ASSERT_GT(expanded.front().terms().size(), 1u);
  for (const query::PlanTerm& term : expanded.front().terms()) {
    EXPECT_EQ(term.field, index::kMainText);
    EXPECT_EQ(term.text.front(), 'w');
  }
}

TEST_F(TextFields, ErrorsSayWhere) {
  make(1, 70);
  EXPECT_THAT(problem("w1 title:w1"), HasSubstr("column 9"));
  EXPECT_THAT(problem("w1 title:w1"), HasSubstr("fields of this index: f0"));
  EXPECT_THAT(problem("w1 f0: w2"), HasSubstr("column 7"));
  EXPECT_THAT(problem("f0:[a TO b]"), HasSubstr("no ranges"));
  EXPECT_THAT(problem("f0:(w1"), HasSubstr("never closed"));
  EXPECT_EQ(problem("f0:(w1 w2)^2 -f0:w3 +f0:w4"), "");
  EXPECT_THROW(searcher_->plan({.text = "w", .search_fields = {{"title", 1}}}), UsageError);
  EXPECT_THROW(searcher_->plan({.text = "w", .search_fields = {{"f0", -1}}}), UsageError);
  EXPECT_THROW(searcher_->plan({.text = "w", .search_fields = {{"f0", 1}, {"f0", 1}}}), UsageError);
  EXPECT_THROW(searcher_->plan({.text = "w", .filter = query::Filter::equal("f0", "w1")}),
               UsageError);
  const auto scorer = query::parse_scorer("bm25f", "title.b=0.5", {});
  EXPECT_THROW(searcher_->plan({.text = "w", .scorer = scorer}), UsageError);
  EXPECT_THROW(query::parse_scorer("bm25f", "f0.b=2", {}), UsageError);
  EXPECT_THROW(query::parse_scorer("bm25f", "f0.k1=2", {}), UsageError);
  EXPECT_THROW(query::parse_scorer("bm25", "f0.b=0.5", {}), UsageError);
  EXPECT_THROW(query::parse_search_fields("f0^2,,f1"), UsageError);
}

TEST_F(TextFields, OneWordWithSeveralWeightsIsSeveralWords) {
  make(2, 23);
  const auto score_of = [&](const std::string& text) {
    query::Query query{.text = text, .k = static_cast<std::uint32_t>(counts_->documents())};
    query.search_fields = {{"f0", 3}};
    query.scorer = query::parse_scorer("bm25f", "", {});
    std::map<std::size_t, float> scores;
    const query::Result found = search(query, true);
    for (const query::Hit hit : found.hits()) scores[hit.docid] = hit.score;
    return scores;
  };
  const auto heavy = score_of("w1");     // in f0, whose weight is 3 here
  const auto light = score_of("f0:w1");  // named, and so of weight 1
  const auto both = score_of("w1 f0:w1");
  const auto other = score_of("f0:w1 w1");
  ASSERT_FALSE(both.empty());
  EXPECT_NE(heavy, light);
  for (const auto& [document, score] : both) {
    ASSERT_NEAR(score, heavy.at(document) + light.at(document), 1e-4) << document;
    ASSERT_NEAR(score, other.at(document), 1e-4) << document;
  }
}

}  // namespace
}  // namespace gannet::test
