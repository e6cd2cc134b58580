// Expanded queries against the formulas, written out; and what expansion must bear.
#include "query/expansion/expand.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <random>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expansion_reference.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

Searcher searcher_for(std::shared_ptr<const index::Index> index,
                      BackendChoice backend = BackendChoice::kCpu, unsigned threads = 2) {
  SearcherOptions options;
  options.backend = backend;
  options.cpu.threads = threads;
  options.cuda.pool_bytes = std::uint64_t{64} << 20;
  return Searcher(std::move(index), options);
}

Plan plan_of(const Searcher& searcher, const std::string& text, Mode mode = Mode::kOr) {
  return searcher.plan({.text = text, .mode = mode, .k = 20, .scorer = {}});
}

Plan expand_one(const Searcher& searcher, const Plan& plan, const Expansion& expansion) {
  return searcher.expand({&plan, 1}, expansion).front();
}

test::TermWeights weights_of(const Plan& plan) {
  test::TermWeights weights;
  for (const PlanTerm& term : plan.terms()) weights[term.text] = term.weight;
  return weights;
}

/// What the formulas make of a plan, given the documents that it finds.
test::TermWeights reference(const Searcher& searcher, const test::Collection& collection,
                            const Plan& plan, const Expansion& expansion) {
  const Plan first = plan.with_k(expansion.documents);
  const Results results = searcher.search({&first, 1});
  std::vector<test::ScoredDocument> best;
  for (const Hit hit : results[0].hits()) best.emplace_back(hit.docid, hit.score);
  test::TermWeights scored;
  std::vector<std::string> unscored;
  for (const PlanTerm& term : plan.terms()) {
    if (term.scored()) scored[term.text] = term.weight;
    if (!term.scored()) unscored.push_back(term.text);
  }
  test::TermWeights weights = test::expanded_weights(collection, scored, best, unscored, expansion);
  std::erase_if(weights, [](const auto& term) { return term.second < kMinWeight; });
  for (const std::string& term : unscored) weights[term] = 0;
  return weights;
}

void expect_weights(const Plan& plan, const test::TermWeights& expected) {
  const test::TermWeights weights = weights_of(plan);
  ASSERT_EQ(weights.size(), expected.size()) << to_string(plan);
  for (const auto& [term, weight] : expected) {
    ASSERT_TRUE(weights.contains(term)) << term << "\n" << to_string(plan);
    EXPECT_NEAR(weights.at(term), weight, 1e-6 * weight) << term;
  }
}

void expect_same_plan(const Plan& actual, const Plan& expected) {
  ASSERT_EQ(to_string(actual), to_string(expected));
  for (std::size_t i = 0; i < actual.terms().size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(actual.terms()[i].weight),
              std::bit_cast<std::uint32_t>(expected.terms()[i].weight));
    EXPECT_EQ(actual.terms()[i].collection_frequency, expected.terms()[i].collection_frequency);
  }
}

/// Four documents to count with.
test::Collection tiny_collection() {
  test::Collection collection;
  collection.lengths = {4, 4, 2, 0};
  collection.frequencies = {{"solar", {2, 1, 0, 0}},
                            {"panel", {1, 0, 0, 0}},
                            {"power", {1, 0, 0, 0}},
                            {"wind", {0, 3, 1, 0}},
                            {"coal", {0, 0, 1, 0}}};
  return collection;
}

class TinyExpansion : public testing::Test {
 protected:
  Expansion every_term(ExpansionMethod method = ExpansionMethod::kRm3) const {
    return {.method = method, .max_document_share = 1};
  }

  test::TemporaryDirectory directory_;
  Searcher searcher_ = searcher_for(test::write_index(directory_.path(), tiny_collection()));
};

TEST_F(TinyExpansion, Rm3ByHand) {
  const Plan plan = plan_of(searcher_, "solar coal^0");
  const Results first = searcher_.search({&plan, 1});
  ASSERT_EQ(std::vector(first.docids.begin(), first.docids.begin() + 2),
            (std::vector<std::uint32_t>{0, 1}));
  const double s0 = first.scores[0];
  const double s1 = first.scores[1];
  const Plan query = plan_of(searcher_, "solar");
  Expansion expansion = every_term();
  const double sum = s0 + s1;
  expect_weights(expand_one(searcher_, query, expansion),
                 {{"solar", 0.5 + 0.5 * (0.5 * s0 + 0.25 * s1) / sum},
                  {"wind", 0.5 * 0.75 * s1 / sum},
                  {"panel", 0.5 * 0.25 * s0 / sum},
                  {"power", 0.5 * 0.25 * s0 / sum}});
  // The query's term first, then by weight; of panel and power, which are equal, the first by text.
  expansion.terms = 3;
  expansion.weight = 0.2;
  const Plan three = expand_one(searcher_, query, expansion);
  const double kept = 0.5 * s0 + 0.25 * s1 + 0.75 * s1 + 0.25 * s0;
  expect_weights(three, {{"solar", 0.2 + 0.8 * (0.5 * s0 + 0.25 * s1) / kept},
                         {"wind", 0.8 * 0.75 * s1 / kept},
                         {"panel", 0.8 * 0.25 * s0 / kept}});
  EXPECT_EQ(three.terms()[0].text, "solar");
}

TEST_F(TinyExpansion, RocchioByHand) {
  const Plan plan = plan_of(searcher_, "solar");
  const Expansion expansion = every_term(ExpansionMethod::kRocchio);
  const double d0 = std::sqrt(6.0);
  const double d1 = std::sqrt(10.0);
  const double solar = (2 / d0 + 1 / d1) / 2;
  const double panel = 1 / d0 / 2;
  const double wind = 3 / d1 / 2;
  const double length = std::sqrt(solar * solar + 2 * panel * panel + wind * wind);
  expect_weights(expand_one(searcher_, plan, expansion), {{"solar", 1 + 0.75 * solar / length},
                                                          {"wind", 0.75 * wind / length},
                                                          {"panel", 0.75 * panel / length},
                                                          {"power", 0.75 * panel / length}});
}

TEST_F(TinyExpansion, OnlyTermsThatMayBeAdded) {
  const Plan plan = plan_of(searcher_, "solar");
  // One document of four is the limit: only panel and power are left to come in.
  Expansion expansion = every_term();
  expansion.max_document_share = 0.25;
  expect_weights(expand_one(searcher_, plan, expansion),
                 {{"solar", 0.5}, {"panel", 0.25}, {"power", 0.25}});
  expansion = every_term();
  expansion.max_length = 4;
  expect_weights(expand_one(searcher_, plan, expansion), {{"solar", 0.5}, {"wind", 0.5}});
  expansion.min_length = 5;
  expansion.max_length = 5;
  EXPECT_FALSE(weights_of(expand_one(searcher_, plan, expansion)).contains("wind"));
  expansion = every_term();
  expansion.document_terms = 1;
  EXPECT_EQ(weights_of(expand_one(searcher_, plan, expansion)).size(), 2u);
  expansion.max_document_share = 0;
  expect_same_plan(expand_one(searcher_, plan, expansion), plan);
}

TEST_F(TinyExpansion, TheShareOfTheQueryAtItsEnds) {
  Expansion expansion = every_term();
  expansion.weight = 1;
  expect_weights(expand_one(searcher_, plan_of(searcher_, "solar"), expansion), {{"solar", 1}});
  // Without the query a word that feedback does not know is gone, unless it says what matches.
  expansion.weight = 0;
  expansion.max_length = 4;
  const Plan bag = plan_of(searcher_, "solar");
  expect_weights(expand_one(searcher_, bag, expansion), {{"wind", 1}});
  const Plan boolean = plan_of(searcher_, "+solar");
  EXPECT_EQ(boolean.terms().size(), 1u);
  const Plan demanded = plan_of(searcher_, "+solar -coal");
  const Plan expanded = expand_one(searcher_, demanded, expansion);
  expect_weights(expanded, {{"solar", 0}, {"coal", 0}, {"wind", 1}});
  EXPECT_EQ(expanded.expression().size(), demanded.expression().size());
}

TEST_F(TinyExpansion, NothingFoundNothingAdded) {
  for (const char* text : {"", "the zebra", "zebra", "solar AND zebra", "coal^0"}) {
    const Plan plan = plan_of(searcher_, text);
    for (const ExpansionMethod method : {ExpansionMethod::kRm3, ExpansionMethod::kRocchio}) {
      const Plan expanded = expand_one(searcher_, plan, every_term(method));
      const Results results = searcher_.search({&expanded, 1});
      EXPECT_EQ(results[0].docids.empty(), std::string_view(text) != "coal^0") << text;
      if (method == ExpansionMethod::kRm3) expect_same_plan(expanded, plan);
    }
  }
}

TEST_F(TinyExpansion, ManyDocumentsAndFewHits) {
  Expansion expansion = every_term();
  expansion.documents = 1000;
  expansion.terms = 1000;
  EXPECT_EQ(weights_of(expand_one(searcher_, plan_of(searcher_, "solar"), expansion)).size(), 4u);
  expansion.terms = 0;
  const Plan plan = plan_of(searcher_, "solar wind^3");
  expect_same_plan(expand_one(searcher_, plan, expansion), plan);
}

TEST_F(TinyExpansion, TheNumberOfHitsIsTheQuerys) {
  const Plan all = plan_of(searcher_, "solar");
  for (const std::uint32_t k : {0u, 1u, 3u}) {
    const Plan plan = all.with_k(k);
    const Plan expanded = expand_one(searcher_, plan, every_term());
    EXPECT_EQ(expanded.k(), k);
    EXPECT_EQ(weights_of(expanded), weights_of(expand_one(searcher_, all, every_term())));
    const Results results = searcher_.search({&expanded, 1});
    EXPECT_EQ(results[0].docids.size(), k);
  }
}

TEST_F(TinyExpansion, RefusesWhatCannotBeExpanded) {
  const auto refusal = [&](const Plan& plan, const Expansion& expansion) -> std::string {
    try {
      searcher_.expand({&plan, 1}, expansion);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  const Plan plan = plan_of(searcher_, "solar");
  EXPECT_THAT(refusal(plan, {.documents = 0}), HasSubstr("docs must be"));
  EXPECT_THAT(refusal(plan, {.weight = std::numeric_limits<double>::quiet_NaN()}),
              HasSubstr("weight must be"));
  for (const Want want : {Want::kCount, Want::kDocids}) {
    EXPECT_THAT(refusal(searcher_.plan({.text = "solar", .want = want, .scorer = {}}), {}),
                HasSubstr("only ranked queries"));
  }
  Plan::Parts foreign;
  foreign.collection = {100, 1000};
  EXPECT_THAT(refusal(Plan(std::move(foreign)), {}), HasSubstr("made for another index"));
  EXPECT_TRUE(searcher_.expand({}, {}).empty());
}

/// What a batch of queries of all kinds becomes.
std::vector<std::string> some_texts() {
  return {
      "t1 t5",    "t13",       "t2^0.5 t14 t7", "t11 t12 t13 t11", "t9 nowhere", "nowhere", "",
      "+t1 -t14", "t4 AND t2", "-t3",           "(t1 t2) NOT t20", "t6 t6",      "t1 t5",   "t0"};
}

std::vector<Expansion> some_expansions() {
  return {{.max_document_share = 1, .min_length = 1},
          {.documents = 3, .terms = 4, .weight = 0.3},
          {.documents = 50, .terms = 100, .max_document_share = 0.5, .document_terms = 3},
          {.method = ExpansionMethod::kRocchio, .max_document_share = 1},
          {.method = ExpansionMethod::kRocchio, .documents = 7, .alpha = 0, .beta = 2}};
}

std::vector<Plan> some_plans(const Searcher& searcher) {
  std::vector<Plan> plans;
  for (const std::string& text : some_texts()) {
    plans.push_back(plan_of(searcher, text));
    plans.push_back(plan_of(searcher, text, Mode::kAnd));
    plans.push_back(
        searcher.plan({.text = text, .k = 5, .scorer = standard_scorer(ScorerId::kDirichlet)}));
  }
  return plans;
}

TEST(ExpandSearcher, RandomCollectionsAgainstTheFormulas) {
  const test::TemporaryDirectory directory;
  const test::Collection collection = test::random_collection(6'000, 40, 77);
  const Searcher searcher = searcher_for(test::write_index(directory.path(), collection));
  const std::vector<Plan> plans = some_plans(searcher);
  std::size_t changed = 0;
  for (const Expansion& expansion : some_expansions()) {
    const std::vector<Plan> expanded = searcher.expand(plans, expansion);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (to_string(expanded[i]) == to_string(plans[i])) continue;
      ++changed;
      if (plans[i].disjunction() && !plans[i].has_operators()) {
        EXPECT_TRUE(expanded[i].disjunction());
        expect_weights(expanded[i], reference(searcher, collection, plans[i], expansion));
      } else {
        test::TermWeights expected = reference(searcher, collection, plans[i], expansion);
        for (const PlanTerm& term : plans[i].terms()) expected.try_emplace(term.text, 0.0);
        expect_weights(expanded[i], expected);
        ASSERT_EQ(expanded[i].expression().size(), plans[i].expression().size());
      }
    }
  }
  EXPECT_GT(changed, 2 * plans.size());
}

/// Where operators say what matches, expansion does not change it.
TEST(ExpandSearcher, OperatorsDecideWhatMatches) {
  const test::TemporaryDirectory directory;
  const test::Collection collection = test::random_collection(3'000, 30, 5);
  const Searcher searcher = searcher_for(test::write_index(directory.path(), collection));
  for (const char* text : {"+t1 -t14", "t4 AND t2", "t3 AND NOT t1", "(t1 OR t5) AND t2", "+t1",
                           "t1 AND t1", "+(t4 t2)", "(+t1)"}) {
    const Plan plan = plan_of(searcher, text).with_k(3'000);
    const Plan expanded = expand_one(searcher, plan, {.max_document_share = 1, .min_length = 1});
    EXPECT_GT(expanded.terms().size(), plan.terms().size());
    const auto documents = [&](const Plan& p) {
      Results results = searcher.search({&p, 1});
      std::ranges::sort(results.docids);
      return results.docids;
    };
    EXPECT_EQ(documents(expanded), documents(plan)) << text;
  }
  for (const bool plain : {false, true}) {
    const Plan plan = searcher.plan({.text = "t1", .mode = Mode::kAnd, .k = 3'000}, plain);
    const Plan expanded = expand_one(searcher, plan, {.max_document_share = 1, .min_length = 1});
    EXPECT_EQ(searcher.search({&expanded, 1}).docids.size(), plan.terms()[0].document_frequency);
  }
  // Without any, one word finds what has the new terms, too.
  const Plan word = plan_of(searcher, "NOT NOT t1").with_k(3'000);
  const Plan expanded = expand_one(searcher, word, {.max_document_share = 1, .min_length = 1});
  EXPECT_GT(searcher.search({&expanded, 1}).docids.size(), word.terms()[0].document_frequency);
}

class ExpandSearcherOn : public testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override {
    std::string why;
    if (GetParam() == BackendChoice::kCuda && !cuda_available(&why)) {
      GTEST_SKIP() << "no GPU: " << why;
    }
  }
  test::TemporaryDirectory directory_;
};

TEST_P(ExpandSearcherOn, BatchesThreadsAndSegmentsChangeNothing) {
  constexpr std::uint32_t kDocuments = 6'000;
  const test::Collection collection = test::random_collection(kDocuments, 40, 78);
  const Searcher reference = searcher_for(
      test::write_index(directory_.path() / "whole", collection), BackendChoice::kCpu, 1);
  const auto cut =
      test::write_segments(directory_.path() / "cut", collection, {2, 2'500, 5'999, kDocuments});
  const Searcher searcher = searcher_for(cut, GetParam(), 4);
  const std::vector<Plan> expected_of = some_plans(reference);
  const std::vector<Plan> plans = some_plans(searcher);
  for (const Expansion& expansion : some_expansions()) {
    const std::vector<Plan> expected = reference.expand(expected_of, expansion);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, plans.size()}) {
      for (std::size_t begin = 0; begin < plans.size(); begin += batch) {
        const std::size_t size = std::min(batch, plans.size() - begin);
        const auto expanded = searcher.expand({plans.data() + begin, size}, expansion);
        for (std::size_t i = 0; i < size; ++i) expect_same_plan(expanded[i], expected[begin + i]);
      }
    }
    const Results first = reference.search(expected);
    const Results second = searcher.search(searcher.expand(plans, expansion));
    EXPECT_EQ(second.docids, first.docids);
    EXPECT_EQ(second.scores, first.scores);
  }
}

TEST_P(ExpandSearcherOn, CanBeStopped) {
  const test::Collection collection = test::random_collection(500, 10, 1);
  const Searcher searcher =
      searcher_for(test::write_index(directory_.path(), collection), GetParam());
  const std::vector<Plan> plans = some_plans(searcher);
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(searcher.expand(plans, {}, nullptr, {.stop = source.get_token()}), CancelledError);
  ExpansionReport report;
  EXPECT_EQ(searcher.expand(plans, {.max_document_share = 1}, &report).size(), plans.size());
  EXPECT_GT(report.documents, 0u);
  EXPECT_GT(report.terms, report.documents);
  EXPECT_EQ(report.first_pass.queries, plans.size());
}

INSTANTIATE_TEST_SUITE_P(Backends, ExpandSearcherOn,
                         testing::Values(BackendChoice::kCpu, BackendChoice::kCuda),
                         [](const auto& test) {
                           return test.param == BackendChoice::kCpu ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace gannet::query
