// The sequential dependence model: a query scores as the query that has its pairs written out.
#include "query/options/dependence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/results/join_results.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/query/text_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Weights that floats have exactly, so that a query with them written out has the same bits.
constexpr SequentialDependence kExact{.terms = 0.75, .ordered = 0.25, .unordered = 0.125};

constexpr std::size_t kDependentDocuments = 2000;

class Dependence : public testing::Test {
 protected:
  static Searcher searcher_of(std::shared_ptr<const index::Index> index) {
    return Searcher(std::move(index), {.backend = BackendChoice::kCpu});
  }

  std::shared_ptr<const index::Index> random_index(const std::string& name,
                                                   const std::vector<std::size_t>& ends) {
    documents_ = test::random_texts(kDependentDocuments, 1, 7);
    return test::build_texts(folder_.path() / name, documents_, test::texts_schema(1), ends);
  }

  /// An index of prose in the main text.
  std::shared_ptr<const index::Index> prose(const std::vector<std::string>& texts,
                                            bool positions = true) {
    documents_.clear();
    for (const std::string& text : texts) documents_.push_back({{text, ""}});
    index::BuildOptions options = test::texts_options(test::texts_schema(1));
    options.write.analyzer = {};  // words are stemmed
    options.write.analyzer.stopwords = "english";
    options.write.positions = positions;
    const auto folder = folder_.path() / std::to_string(built_++);
    test::TextsSource source(documents_, 0, documents_.size());
    index::build_index(source, folder, options);
    return std::make_shared<const index::Index>(index::Index::open(folder));
  }

  /// Terms of a plan, with their weights.
  static std::vector<std::string> terms_of(const Plan& plan) {
    std::vector<std::string> terms;
    for (const PlanTerm& term : plan.terms()) {
      terms.push_back(term.text + " " + std::to_string(term.weight).substr(0, 5));
    }
    return terms;
  }

  static Query dependent(const std::string& text) {
    return {.text = text, .search_fields = {{"contents", 1}}, .dependence = kExact};
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_;
  int built_ = 0;
};

TEST_F(Dependence, PairsAreTermsOfTheirOwn) {
  const Searcher searcher = searcher_of(prose({"solar power cells", "power of the cell"}));
  EXPECT_THAT(
      terms_of(searcher.plan(dependent("solar power cells"))),
      ElementsAre("solar 0.750", "power 0.750", "cell 0.750", "\"solar power\" 0.250",
                  "\"power cell\" 0.250", "#uw8(solar power) 0.125", "#uw8(power cell) 0.125"));
  EXPECT_THAT(terms_of(searcher.plan(dependent("power of the cell"))),
              ElementsAre("power 0.750", "cell 0.750", "\"power ? ? cell\" 0.250",
                          "#uw8(power cell) 0.125"))
      << "words that are dropped keep their places in phrases";
  EXPECT_THAT(
      terms_of(searcher.plan(dependent("cell power cell power"))),
      ElementsAre("cell 1.500", "power 1.500", "\"cell power\" 0.500", "\"power cell\" 0.250",
                  "#uw8(cell power) 0.250", "#uw8(power cell) 0.125"));
  EXPECT_THAT(terms_of(searcher.plan(dependent("solar"))), ElementsAre("solar 0.750"));
  Query no_windows = dependent("solar power");
  no_windows.dependence->unordered = 0;
  EXPECT_THAT(terms_of(searcher.plan(no_windows)),
              ElementsAre("solar 0.750", "power 0.750", "\"solar power\" 0.250"));
  no_windows.dependence->window = 2;
  no_windows.dependence->unordered = 1;
  no_windows.dependence->ordered = 0;
  EXPECT_THAT(terms_of(searcher.plan(no_windows)),
              ElementsAre("solar 0.750", "power 0.750", "#uw2(solar power) 1.000"));
}

TEST_F(Dependence, PairsAreOfWordsWithoutOperatorsBetweenThem) {
  const Searcher searcher = searcher_of(prose({"a b c d e"}));
  const auto pairs = [&](const std::string& text) {
    Query query = dependent(text);
    query.dependence->unordered = 0;
    std::string all;
    const Plan plan = searcher.plan(query);
    for (const PlanTerm& term : plan.terms()) {
      if (!term.phrase.empty()) all += term.text;
    }
    return all;
  };
  EXPECT_EQ(pairs("x y"), "\"x y\"");
  EXPECT_EQ(pairs("x  \t y"), "\"x y\"");
  EXPECT_EQ(pairs("x +y z"), "");
  EXPECT_EQ(pairs("x -y z u"), "\"z u\"");
  EXPECT_EQ(pairs("x AND y z"), "");
  EXPECT_EQ(pairs("x y^2 z u"), "\"z u\"");
  EXPECT_EQ(pairs("x^1 y z"), "\"y z\"") << "what is written between words parts them";
  EXPECT_EQ(pairs("x (y z) u"), "");
  EXPECT_EQ(pairs("x y (z u) v w"), "\"x y\"\"v w\"");
  EXPECT_EQ(pairs("x y~1 z u"), "\"z u\"");
  EXPECT_EQ(pairs("f0:x y z"), "\"y z\"");
}

/// Characters that a pair of them implies are no neighbours of it.
TEST_F(Dependence, PairsOfChineseAreOfItsPairsOfCharacters) {
  const Searcher searcher = searcher_of(prose({"東京大学", "東京 大学"}));
  const auto pairs = [&](const std::string& text, bool plain) {
    Query query = dependent(text);
    query.dependence->unordered = 0;
    std::string all;
    const Plan plan = searcher.plan(query, plain);
    for (const PlanTerm& term : plan.terms()) {
      if (!term.phrase.empty()) all += term.text;
    }
    return all;
  };
  for (const bool plain : {false, true}) {
    EXPECT_EQ(pairs("東京大学", plain), "\"東京 ? 京大\"\"京大 ? 大学\"");
    EXPECT_EQ(pairs("東京 大学", plain), "\"東京 ? ? 大学\"");
    EXPECT_EQ(pairs("solar-power", plain), "\"solar power\"") << "one word of the query, two terms";
  }
}

/// A pair is one word of BM25F in the texts that have it of the same characters.
TEST_F(Dependence, PairsOfSeveralTextsAreThoseOfTheSameCharacters) {
  index::BuildOptions options =
      test::texts_options(index::Schema({{.name = "title", .type = index::FieldType::kText}}));
  options.write.analyzer.stopwords = "english";
  documents_ = {{{"the red car park", "the red car park"}}};
  test::TextsSource source(documents_, 0, 1);
  index::build_index(source, folder_.path() / "texts", options);
  const Searcher searcher = searcher_of(
      std::make_shared<const index::Index>(index::Index::open(folder_.path() / "texts")));
  Query query{.text = "the red car park",
              .scorer = standard_scorer(ScorerId::kBm25F),
              .dependence = kExact};
  const Plan plan = searcher.plan(query);
  for (const QueryWord& word : plan.words()) {
    std::string first;
    for (const WordTerm& term : word.terms) {
      const std::string& text = plan.terms()[term.term].text;
      if (first.empty()) first = text;
      EXPECT_EQ(text, first);
    }
  }
}

TEST_F(Dependence, MatchesStayAsTheyAre) {
  const Searcher searcher = searcher_of(prose({"solar power", "solar", "wind", "sun wind"}));
  const auto found = [&](const std::string& text, Mode mode = Mode::kOr) {
    Query query = dependent(text);
    query.mode = mode;
    const Result result = searcher.search(query);
    return std::vector<std::uint32_t>(result.docids.begin(), result.docids.end());
  };
  EXPECT_THAT(found("solar power"), ElementsAre(0, 1));
  EXPECT_THAT(found("solar power", Mode::kAnd), ElementsAre(0));
  EXPECT_THAT(found("+(wind OR sun) solar power"), ElementsAre(3, 2)) << "pairs only add";
  EXPECT_THAT(found("solar power -solar"), testing::IsEmpty());
  Query count = dependent("solar power");
  count.want = Want::kCount;
  const Plan plan = searcher.plan(count);
  EXPECT_EQ(plan.terms().size(), 2u) << "counts need no pairs";
  EXPECT_EQ(searcher.search(count).count, 2u);
}

TEST_F(Dependence, WithoutOrderOrPositionsIsAnError) {
  const Searcher searcher = searcher_of(prose({"solar power"}, false));
  const auto message = [&](const Query& query) {
    return test::message_of<UsageError>([&] { searcher.plan(query); });
  };
  EXPECT_THAT(message(dependent("wind solar")),
              HasSubstr("pairs of words (sdm) need the positions"));
  EXPECT_NO_THROW(searcher.plan(dependent("solar"))) << "no pair, no position";
  Query wrong = dependent("wind solar");
  wrong.dependence->window = 1;
  EXPECT_THAT(message(wrong), HasSubstr("window must be"));
  Query terms = dependent("");
  terms.terms = {{"solar", 1}, {"power", 1}};
  EXPECT_THAT(message(terms), HasSubstr("terms with weights have no order"));
}

/// As text of the query language, with the pairs written out.
std::string written_out(const std::vector<std::string>& words, bool all) {
  std::string text;
  for (const std::string& word : words) text += (all ? "+" : "") + word + "^0.75 ";
  for (const auto& [begin, weight] :
       {std::pair{"\"", "\"^0.25 "}, std::pair{"#uw8(", ")^0.125 "}}) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      text += begin + words[i] + " " + words[i + 1] + weight;
    }
  }
  return text;
}

/// Queries of words, each as the model has it and with its pairs written out.
std::vector<std::pair<Query, Query>> random_pairs(unsigned seed, std::size_t number) {
  test::TextQueries queries(1, seed);  // for scorers, fields and filters
  std::mt19937 random(seed);
  std::vector<std::pair<Query, Query>> made;
  while (made.size() < number) {
    std::vector<std::string> words;
    const std::size_t number_of_words = 1 + random() % 5;
    for (std::size_t i = 0; i < number_of_words; ++i) {
      words.push_back("w" + std::to_string(random() % 12));
    }
    Query query = queries.next();
    if (query.scorer && query.scorer->id == ScorerId::kImpact) query.scorer.reset();
    query.mode = random() % 3 == 0 ? Mode::kAnd : Mode::kOr;
    query.want = Want::kTopK;
    query.k = 30;
    Query plain = query;
    plain.text = written_out(words, query.mode == Mode::kAnd);
    plain.mode = Mode::kOr;
    query.text.clear();
    for (const std::string& word : words) query.text += word + " ";
    query.dependence = kExact;
    made.emplace_back(query, plain);
  }
  return made;
}

TEST_F(Dependence, ScoresAreThoseOfTheQueryWithItsPairsWrittenOut) {
  const auto parts = random_index("parts", {600, kDependentDocuments});
  const Searcher searcher = searcher_of(parts);
  std::size_t hits = 0;
  for (const auto& [query, written] : random_pairs(3, 150)) {
    SCOPED_TRACE(query.text);
    const Plan plan = searcher.plan(query);
    const Plan expected = searcher.plan(written);
    const Results found = searcher.search(std::span(&plan, 1));
    const Results reference = searcher.search(std::span(&expected, 1));
    test::expect_same(found[0], reference[0], expected);
    if (HasFatalFailure()) return;
    EXPECT_EQ(terms_of(searcher.plan(query, true)), terms_of(plan)) << "as plain words";
    hits += found.docids.size();
  }
  EXPECT_GT(hits, 1500u);
}

TEST_F(Dependence, ShardsFindWhatTheWholeFinds) {
  const auto parts = random_index("shards", {600, kDependentDocuments});
  const Searcher whole = searcher_of(parts);
  std::vector<Query> queries;
  for (auto& [query, written] : random_pairs(8, 60)) queries.push_back(std::move(query));
  const std::vector<Plan> plans = whole.plan(queries);
  const Results expected = whole.search(plans);
  std::vector<Searcher> shards;
  std::vector<std::vector<Plan>> own;
  for (const auto& segment : parts->segments()) {
    shards.push_back(searcher_of(std::make_shared<const index::Index>(
        std::vector{segment}, parts->analyzer(), parts->defaults(), parts->schema())));
    own.push_back(shards.back().plan(queries));
  }
  BatchStatistics sum(own[0]);
  sum.add(BatchStatistics(own[1]));
  Results first = shards[0].search(sum.apply(own[0]));
  Results second = shards[1].search(sum.apply(own[1]));
  renumber(second, parts->docid_base(1));
  const Results joined = join_results(sum.apply(own[0]), first, second);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    SCOPED_TRACE(queries[i].text);
    test::expect_same(joined[i], expected[i], plans[i]);
    if (HasFatalFailure()) return;
  }
}

TEST(ParseDependence, NamesAndRanges) {
  EXPECT_EQ(parse_dependence(""), SequentialDependence{});
  EXPECT_EQ(parse_dependence("terms=0.8,ordered=0.15,unordered=0.05,window=12"),
            (SequentialDependence{0.8, 0.15, 0.05, 12}));
  EXPECT_EQ(to_string(SequentialDependence{}),
            "sdm terms=0.85,ordered=0.1,unordered=0.05,window=8");
  const auto problem = [](const std::string& text) {
    return test::message_of<UsageError>([&] { parse_dependence(text); });
  };
  EXPECT_THAT(problem("docs=3"), HasSubstr("'docs'; there are terms (between 0 and 1000; default"));
  EXPECT_THAT(problem("window=1"),
              HasSubstr("window must be a whole number between 2 and 1000000, not '1'"));
  EXPECT_THAT(problem("ordered=0.0000001"), HasSubstr("must be 0 or at least 1e-06"));
  EXPECT_THAT(problem("ordered=-1"), HasSubstr("ordered must be between 0 and 1000"));
  EXPECT_THAT(problem("terms=0,ordered=0,unordered=0"), HasSubstr("nothing would be left"));
  EXPECT_THAT(to_string(SequentialDependence{.window = 0}), HasSubstr("unusable: sdm: window"));
}

}  // namespace
}  // namespace gannet::query
