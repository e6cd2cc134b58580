// The lists of BM25F's words: their order, and that a word's score is bounded by theirs.
#include "query/bounds/word_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

namespace gannet::query {
namespace {

/// Terms a0, b0, ... of the main text and a1, b1, ... of a title, which alternate.
Plan::Parts parts_of(std::uint32_t words, const std::string& parameters = "") {
  Plan::Parts made;
  made.scorer = parse_scorer("bm25f", parameters, {});
  made.collection = {1000, 70'000};
  made.texts = {PlanText{.name = "title", .statistics = {900, 8000}}};
  for (std::uint32_t w = 0; w < words; ++w) {
    const std::string text(1, static_cast<char>('a' + w));
    made.terms.push_back({.text = text, .document_frequency = 90 + w, .weight = 1});
    made.terms.push_back({.text = text, .document_frequency = 9 + w, .weight = 1, .field = 0});
  }
  for (std::uint32_t t = 0; t < 2 * words; ++t) made.expression.push_back({Node::Kind::kTerm, t});
  made.expression.push_back({Node::Kind::kOr, 2 * words});
  return made;
}

std::vector<std::uint32_t> terms_of(const WordLists& lists) {
  std::vector<std::uint32_t> terms;
  for (const WordList& list : lists) terms.push_back(list.term);
  return terms;
}

TEST(WordLists, StandWordByWordWhateverTheOrderOfTheTerms) {
  Plan::Parts parts = parts_of(2);
  parts.words = {{.terms = {{0, 1}, {3, 2}}, .weight = 1, .document_frequency = 95},
                 {.terms = {{1, 0.5f}}, .weight = 3, .document_frequency = 9},
                 {.terms = {{1, 1}, {3, 1}}, .weight = 1, .document_frequency = 10}};
  const Plan plan(parts);
  const WordLists lists = word_lists(plan);
  EXPECT_EQ(terms_of(lists), (std::vector<std::uint32_t>{0, 3, 1, 1, 3}));
  std::vector<bool> ends;
  for (const WordList& list : lists) ends.push_back(list.ends_word);
  EXPECT_EQ(ends, (std::vector<bool>{false, true, true, false, true}));
  EXPECT_EQ(lists[0].factor, word_factor(plan, plan.words()[0]));
  EXPECT_EQ(lists[1].in_text.weight, 2);
  EXPECT_EQ(lists[2].factor, word_factor(plan, plan.words()[1]));
  EXPECT_EQ(count_lists(plan), 6u) << "and term 2, which only decides";
  EXPECT_EQ(count_lists(plan, [](std::uint32_t term) { return term != 3; }), 4u);
}

TEST(WordLists, OfAPlanWithoutWordsGiveWhatItsTermsDo) {
  Plan::Parts parts = parts_of(2);
  parts.terms[2].weight = 0;
  parts.terms[3].weight = 7;
  const Plan plan(parts);
  const WordLists lists = word_lists(plan);
  EXPECT_EQ(terms_of(lists), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(count_lists(plan), 4u);
  for (const WordList& list : lists) {
    EXPECT_TRUE(list.ends_word);
    const PlanTerm& term = plan.terms()[list.term];
    for (std::uint32_t tf = 1; tf < 3000; tf = 2 * tf + 1) {
      for (std::uint32_t length = tf; length < 100'000; length = 3 * length + 5) {
        const float expected = contribution(term.shared, term.constants, tf, length);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(list.in_text.score_alone(list.factor, tf, length)),
                  std::bit_cast<std::uint32_t>(expected));
        EXPECT_EQ(list.contribution(tf, length), expected);
      }
    }
  }
}

TEST(WordLists, UnitsAreOfTheStatisticsThatAreSaid) {
  Plan::Parts parts = parts_of(2);
  const Plan alone(parts);
  parts.words = {{.terms = {{0, 1}, {1, 8}}, .weight = 2, .document_frequency = 95}};
  parts.scorer = alone.scorer();
  const Plan words(parts);
  parts.words.clear();
  parts.scorer = parse_scorer("bm25", "", {});
  const Plan sums(parts);
  for (const Plan* const plan : {&alone, &words, &sums}) {
    for (std::uint32_t t = 0; t < plan->terms().size(); ++t) {
      EXPECT_EQ(unit_statistics(*plan, t), unit_of_list(*plan, t).statistics());
    }
  }
  EXPECT_NE(unit_statistics(sums, 0), unit_statistics(words, 0));
}

TEST(WordLists, StatisticsOfOneWeightServeOthers) {
  Plan::Parts parts = parts_of(2);
  parts.words = {{.terms = {{0, 1}, {1, 8}}, .weight = 2, .document_frequency = 95}};
  const Plan heavy(parts);
  parts.words[0].terms[1].weight = 0.5f;
  const Plan light(parts);
  EXPECT_TRUE(word_lists(heavy)[1].contribution.multiple_of(unit_of_list(light, 1)).has_value());
  const auto same = word_lists(heavy)[1].contribution.multiple_of(unit_of_list(heavy, 1));
  EXPECT_EQ(same->most, word_factor(heavy, heavy.words()[0]));
  EXPECT_EQ(same->least, same->most);
  parts.words.clear();
  const auto alone = word_lists(Plan(parts))[1].contribution.multiple_of(unit_of_list(heavy, 1));
  EXPECT_EQ(alone->most, double{Plan(parts).terms()[1].constants.factor});
  EXPECT_EQ(alone->least, alone->most / 8);
}

/// Random words: a document's score is between the largest and the sum of its contributions, as
/// bounds of any weight of the texts have them, and kernels' contributions are the host's.
TEST(WordLists, BoundTheScoresOfWords) {
  constexpr double kMargin = 4e-6;
  std::mt19937 random(5);
  const auto one_of = [&](auto... values) {
    const float all[] = {static_cast<float>(values)...};
    return all[random() % std::size(all)];
  };
  for (int round = 0; round < 300; ++round) {
    const std::string k1 = std::to_string(one_of(0, 0.001, 0.9, 3, 1000));
    Plan::Parts parts = parts_of(1, "k1=" + k1 + ",b=" + std::to_string(one_of(0, 0.3, 0.75)) +
                                        ",title.b=" + std::to_string(one_of(0, 0.3, 0.9)));
    parts.words = {{.terms = {{0, one_of(0.1, 1, 10)}, {1, one_of(1e-6, 0.1, 1, 10, 1e6)}},
                    .weight = one_of(1e-6, 1, 1e9),
                    .document_frequency = 95}};
    const Plan plan(parts);
    parts.words[0].terms[1].weight = one_of(0.1, 1, 100);
    const Plan other(parts);
    const WordLists lists = word_lists(plan);
    const float k = plan.scorer().values[0];
    for (int document = 0; document < 50; ++document) {
      WordSum sum;
      double most = 0;
      double least = 0;
      for (std::uint32_t t = 0; t < 2; ++t) {
        const std::uint32_t tf = 1u << random() % 18;
        const auto length = static_cast<std::uint32_t>(tf + random() % (1u << random() % 24));
        const float factor = lists[t].factor;
        sum.add(lists[t].in_text, factor, tf, length);
        const Contribution unit = unit_of_list(other, t);
        const float in_kernel =
            contribution(unit.weighted_constants(), unit.term_constants(), tf, length);
        EXPECT_NEAR(in_kernel, unit(tf, length), 1e-6 * unit(tf, length));
        const auto multiple = lists[t].contribution.multiple_of(unit);
        EXPECT_LE(lists[t].contribution(tf, length), multiple->most * in_kernel * (1 + kMargin));
        most += multiple->most * in_kernel;
        least = std::max(least, multiple->least * in_kernel);
      }
      const float score = sum.score(lists[0].factor, k);
      EXPECT_LE(score, most * (1 + kMargin)) << to_string(plan);
      EXPECT_GE(score, least * (1 - kMargin)) << to_string(plan);
    }
  }
}

}  // namespace
}  // namespace gannet::query
