// What BM25F gives for a word: the arithmetic, for searches, bounds and explanations.
#pragma once

#include <cstdint>

#include "codecs/core/rounding.hpp"
#include "query/plan/plan.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {

/// The score of a document that has a word in one text, as BM25 has it: factor * weight * tf /
/// (weight * tf + a + b * length); `weight`: of the text.
inline float score_alone(float factor, float weight, float a, float b, std::uint32_t tf,
                         std::uint32_t length) {
  const float weighted = codecs::rounded_mul(weight, static_cast<float>(tf));
  const float k = codecs::rounded_add(a, codecs::rounded_mul(b, static_cast<float>(length)));
  return codecs::rounded_div(codecs::rounded_mul(factor, weighted),
                             codecs::rounded_add(weighted, k));
}

/// The constants of a word in one of its texts.
struct WordInText {
  WordInText() = default;
  WordInText(const Plan& plan, const WordTerm& term) : weight(term.weight) {
    const PlanTerm& plan_term = plan.terms()[term.term];
    const double text_b = plan.scorer_of(plan_term).values[1];
    const double average = plan.collection_of(plan_term).average_length();
    least = static_cast<float>(1.0 - text_b);
    slope = static_cast<float>(average > 0 ? text_b / average : 0.0);
    a = plan_term.shared.a;
    b = plan_term.shared.b;
  }

  /// The frequency for the text's weight and length: weight * tf / (least + slope * length).
  float frequency(std::uint32_t tf, std::uint32_t length) const {
    const float norm =
        codecs::rounded_add(least, codecs::rounded_mul(slope, static_cast<float>(length)));
    return codecs::rounded_div(codecs::rounded_mul(weight, static_cast<float>(tf)), norm);
  }
  /// The score of a document that has the word in this text alone.
  float score_alone(float factor, std::uint32_t tf, std::uint32_t length) const {
    return query::score_alone(factor, weight, a, b, tf, length);
  }

  float weight = 1;  ///< of the text
  float least = 0;
  float slope = 0;
  float a = 0;
  float b = 0;
};

/// The score of a document that has a word in several texts, of the sum of its frequency() in them.
inline float score_together(float factor, float k1, float frequency) {
  return codecs::rounded_div(codecs::rounded_mul(factor, frequency),
                             codecs::rounded_add(k1, frequency));
}

/// What a document has of a word, gathered text by text.
struct WordSum {
  float frequency = 0;  ///< over the texts, each for its length
  float alone = 0;      ///< what the score is if no other text has it
  std::uint32_t texts = 0;

  void add(const WordInText& in_text, float factor, std::uint32_t tf, std::uint32_t length) {
    if (texts++ == 0) alone = in_text.score_alone(factor, tf, length);
    frequency = codecs::rounded_add(frequency, in_text.frequency(tf, length));
  }
  /// Needs texts > 0.
  float score(float factor, float k1) const {
    return texts == 1 ? alone : score_together(factor, k1, frequency);
  }
};

/// What the scores of a word are a multiple of.
inline float word_factor(const Plan& plan, const QueryWord& word) {
  const PlanTerm& first = plan.terms()[word.terms.front().term];
  const TermStatistics statistics{word.document_frequency, word.document_frequency};
  return term_constants(plan.scorer_of(first), plan.collection_of(first), statistics, word.weight)
      .factor;
}

}  // namespace gannet::query
