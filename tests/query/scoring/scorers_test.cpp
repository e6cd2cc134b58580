// Every scorer: against its formula in double, against values worked by hand, and what the contract
// says of all.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "query/bounds/score_run.hpp"
#include "query/plan/plan.hpp"
#include "query/scoring/scorer.hpp"
#include "tests/support/query/formulas.hpp"

namespace gannet::query {
namespace {

float score(const ScorerSpec& spec, const CollectionStatistics& collection,
            const TermStatistics& term, float weight, std::uint32_t frequency,
            std::uint32_t length) {
  return contribution(plan_constants(spec, collection),
                      term_constants(spec, collection, term, weight), frequency, length);
}

TEST(Log2, IsCloseEverywhereAndNeverFalls) {
  for (const int exponent : {-126, -40, -2, -1, 0, 1, 3, 60, 127}) {
    float before = rounded_log2(std::ldexp(1.0f, exponent));
    ASSERT_EQ(before, static_cast<float>(exponent));
    for (std::uint32_t mantissa = 1; mantissa < 1u << 23; mantissa += 1 + mantissa / 1024) {
      const float x = std::ldexp(1.0f + std::ldexp(static_cast<float>(mantissa), -23), exponent);
      const double exact = std::log2(double{x});
      const float computed = rounded_log2(x);
      ASSERT_NEAR(computed, exact, std::ldexp(std::abs(exact), -22)) << x;
      ASSERT_GE(computed, before) << x;
      before = computed;
    }
  }
}

TEST(Log2, OfOneAndLittleIsCloseToo) {
  float before = 0;
  for (float x = 1e-37f; x < 1e30f; x *= 1.0003f) {
    const double exact = std::log1p(double{x}) / std::log(2.0);
    const float computed = rounded_log2_1p(x);
    ASSERT_NEAR(computed, exact, std::ldexp(exact, -21)) << x;
    ASSERT_GE(computed, before) << x;
    before = computed;
  }
  EXPECT_EQ(rounded_log2_1p(0), 0);
}

/// A document and a term as collections have them.
test::Occurrence random_occurrence(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return std::floor(low * std::pow(high / low, std::uniform_real_distribution()(random)));
  };
  test::Occurrence o{};
  o.documents = between(1, 1e8);
  o.tokens = o.documents * between(1, 2000);
  o.document_frequency = between(1, o.documents);
  o.collection_frequency = o.document_frequency * between(1, 5);
  o.tokens = std::max(o.tokens, o.collection_frequency);
  o.frequency = between(1, 100);
  o.length = o.frequency + between(1, 10'000) - 1;
  return o;
}

float score(const ScorerInfo& scorer, const test::Occurrence& o, float weight = 1) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
  return score(standard_scorer(scorer.id), {whole(o.documents), whole(o.tokens)},
               {whole(o.document_frequency), whole(o.collection_frequency)}, weight,
               static_cast<std::uint32_t>(o.frequency), static_cast<std::uint32_t>(o.length));
}

TEST(Scorers, FollowTheirFormulas) {
  std::mt19937 random(3);
  for (const ScorerInfo& scorer : all_scorers()) {
    int positive = 0;
    for (int i = 0; i < 20'000; ++i) {
      const test::Occurrence o = random_occurrence(random);
      const double exact = test::formula(scorer.name, o);
      // Differences of logarithms are as exact as what is subtracted.
      const double size = std::max(exact, 1.0);
      ASSERT_NEAR(score(scorer, o), exact, 5e-6 * size)
          << scorer.name << ": N " << o.documents << ", tokens " << o.tokens << ", df "
          << o.document_frequency << ", cf " << o.collection_frequency << ", tf " << o.frequency
          << ", length " << o.length;
      positive += exact > 0 ? 1 : 0;
    }
    EXPECT_GT(positive, 5000) << scorer.name;
  }
}

TEST(Scorers, GiveWhatWasWorkedByHand) {
  // 4 documents of 10 tokens; the term is in one of them, twice.
  const CollectionStatistics collection{4, 40};
  const TermStatistics term{1, 2};
  const auto worked = [&](const char* name, const char* parameters) {
    return score(parse_scorer(name, parameters, {}), collection, term, 1, 2, 10);
  };
  EXPECT_NEAR(worked("bm25", ""), 1.203973 * 1.9 * 2 / 2.9, 1e-5);  // ln(1 + 3.5 / 1.5)
  EXPECT_NEAR(worked("bm25", "idf=robertson"), 0.847298 * 1.9 * 2 / 2.9, 1e-5);
  EXPECT_NEAR(worked("bm25", "norm=lucene"), 1.203973 * 2 / 2.9, 1e-5);
  EXPECT_NEAR(worked("bm25", "k1=2,b=1"), 1.203973 * 3 * 2 / 4, 1e-5);
  EXPECT_NEAR(worked("bm25", "k1=0"), 1.203973, 1e-5);
  EXPECT_EQ(worked("bm25f", "k1=2"), worked("bm25", "k1=2"));
  EXPECT_NEAR(worked("bm25plus", ""), 1.609438 * (1.9 * 2 / 2.9 + 1), 1e-5);  // ln(5)
  EXPECT_NEAR(worked("bm25plus", "delta=0.5"), 1.609438 * (1.9 * 2 / 2.9 + 0.5), 1e-5);
  EXPECT_NEAR(worked("tfidf", ""), 2.456950, 1e-5);                 // ln(5) * (1 + ln(1.693147))
  EXPECT_NEAR(worked("dirichlet", ""), 0.039221 - 0.009950, 1e-5);  // ln(1.04), ln(1.01)
  EXPECT_NEAR(worked("dirichlet", "mu=10"), 1.609438 - 0.693147, 1e-5);  // ln(5), ln(2)
  EXPECT_NEAR(worked("jelinek-mercer", ""), 3.610918, 1e-5);             // ln(37)
  EXPECT_NEAR(worked("jelinek-mercer", "lambda=0.5"), 1.609438, 1e-5);   // ln(5)
  EXPECT_NEAR(worked("pl2", ""), (4 - 2.164043 + 1.825748) / 3, 1e-5);   // tfn is 2
  EXPECT_NEAR(worked("dph", ""), 0.213333 * (4 + 1.664784), 1e-5);
  EXPECT_EQ(worked("impact", ""), 2);
}

/// tools/docs/pages/scoring.md, "The formulas".
TEST(Scorers, AnIdfBelowZeroGivesWayToTheLeastFactorThatKeepsContributionsUp) {
  const CollectionStatistics collection{4, 40};
  const TermStatistics everywhere{4, 8};
  const ScorerSpec spec = parse_scorer("bm25", "idf=robertson", {});
  const double factor = 1e-30 * (1 + 0.9 * (1 - 0.4) + 0.9 * 0.4 * 4294967296.0 / 10);
  const auto expected = [&](double tf, double dl) {
    return factor * tf / (tf + 0.9 * (1 - 0.4 + 0.4 * dl / 10));
  };
  for (const double dl : {1.0, 10.0, 1000.0, 4294967295.0}) {
    for (const double tf : {1.0, 2.0, 50.0}) {
      if (tf > dl) continue;
      const float made = score(spec, collection, everywhere, 1, static_cast<std::uint32_t>(tf),
                               static_cast<std::uint32_t>(dl));
      EXPECT_NEAR(made / expected(tf, dl), 1, 1e-5) << tf << " " << dl;
      EXPECT_GE(made, 0.999e-30f);
    }
  }
  // They still rank.
  EXPECT_GT(score(spec, collection, everywhere, 1, 5, 10),
            score(spec, collection, everywhere, 1, 1, 10));
}

/// The parameters' extremes, all combinations.
std::vector<ScorerSpec> extremes(const ScorerInfo& scorer) {
  std::vector<ScorerSpec> all{standard_scorer(scorer.id)};
  for (std::size_t i = 0; i < scorer.parameters.size(); ++i) {
    for (std::size_t s = all.size(); s-- > 0;) {
      for (const float value : {scorer.parameters[i].least, scorer.parameters[i].greatest}) {
        all.push_back(all[s]);
        all.back().values[i] = value;
      }
    }
  }
  return all;
}

TEST(Scorers, AlwaysAddSomething) {
  constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 56;
  for (const ScorerInfo& scorer : all_scorers()) {
    for (const ScorerSpec& spec : extremes(scorer)) {
      ASSERT_FALSE(scorer_problem(spec));
      for (const auto& collection :
           {CollectionStatistics{1, 0}, CollectionStatistics{1, 1}, CollectionStatistics{10, 70},
            CollectionStatistics{kMaxDocuments, 1}, CollectionStatistics{1, kMaxTokens},
            CollectionStatistics{kMaxDocuments, kMaxTokens}}) {
        for (const std::uint64_t df : {std::uint64_t{0}, std::uint64_t{1}, collection.documents}) {
          for (const std::uint64_t cf : {df, std::max(df, collection.tokens)}) {
            for (const float weight : {kMinWeight, 1.0f, kMaxWeight}) {
              for (const std::uint32_t tf : {1u, 2u, 1000u, 0xffffffffu}) {
                for (const std::uint32_t length : {0u, 1u, 1000u, 0xffffffffu}) {
                  const float value = score(spec, collection, {df, cf}, weight, tf, length);
                  ASSERT_TRUE(std::isnormal(value) && value > 0 && value < 1e34f)
                      << to_string(spec) << ": " << value << " of N " << collection.documents
                      << ", tokens " << collection.tokens << ", df " << df << ", cf " << cf
                      << ", weight " << weight << ", tf " << tf << ", length " << length;
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(Scorers, AreProportionalToTheWeight) {
  std::mt19937 random(5);
  for (const ScorerInfo& scorer : all_scorers()) {
    for (int i = 0; i < 5000; ++i) {
      const test::Occurrence o = random_occurrence(random);
      const float weight = std::exp2(std::uniform_real_distribution<float>(-19, 29)(random));
      const float expected = weight * score(scorer, o);
      ASSERT_NEAR(score(scorer, o, weight), expected, std::ldexp(expected, -20)) << scorer.name;
    }
  }
}

TEST(Scorers, AreMonotoneIfTheySaySo) {
  std::mt19937 random(7);
  for (const ScorerInfo& scorer : all_scorers()) {
    int falling = 0;
    for (int i = 0; i < 50'000; ++i) {
      const test::Occurrence o = random_occurrence(random);
      test::Occurrence more = o;
      more.frequency += static_cast<double>(1 + random() % 3);
      more.length -= std::min(more.length, static_cast<double>(random() % 3));
      const bool falls = score(scorer, more) * 1.000001f < score(scorer, o);
      ASSERT_FALSE(falls && scorer.monotone) << scorer.name;
      falling += falls ? 1 : 0;
    }
    EXPECT_TRUE(scorer.monotone || falling > 0) << scorer.name << " could be pruned";
  }
}

TEST(Scorers, RunsOfPostingsAreScoredAsOne) {
  std::mt19937 random(9);
  const CollectionStatistics collection{1000, 100'000};
  for (const ScorerInfo& scorer : all_scorers()) {
    const ScorerSpec spec = standard_scorer(scorer.id);
    const PlanConstants plan = plan_constants(spec, collection);
    const TermConstants term = term_constants(spec, collection, {10, 30}, 2.5f);
    ScoreRun run;
    for (std::uint32_t i = 0; i < codecs::kTile; ++i) {
      run.frequencies[i] = static_cast<std::uint32_t>(1 + random() % 9);
      run.lengths[i] = static_cast<std::uint32_t>(random() % 300);
    }
    run.score(codecs::kTile, plan, term);
    for (std::uint32_t i = 0; i < codecs::kTile; ++i) {
      ASSERT_EQ(run.scores[i], contribution(plan, term, run.frequencies[i], run.lengths[i]))
          << scorer.name;
    }
  }
}

}  // namespace
}  // namespace gannet::query
