// What BM25F gives for a word over several texts: the arithmetic, for both processors.
//
// As in scorer.hpp, every operation is rounded on its own. All functions are pure and thread-safe.
#pragma once

#include <cstdint>

#include "codecs/core/rounding.hpp"

namespace gannet::query {

/// The score of a document that has a word in one text, as BM25 has it: factor * weight * tf /
/// (weight * tf + a + b * length); `weight`: of the text.
GANNET_HD float score_alone(float factor, float weight, float a, float b, std::uint32_t tf,
                            std::uint32_t length) {
  const float weighted = codecs::rounded_mul(weight, static_cast<float>(tf));
  const float k = codecs::rounded_add(a, codecs::rounded_mul(b, static_cast<float>(length)));
  return codecs::rounded_div(codecs::rounded_mul(factor, weighted),
                             codecs::rounded_add(weighted, k));
}

/// The constants of a word in one of its texts.
struct WordInText {
  /// The frequency for the text's weight and length: weight * tf / (least + slope * length).
  GANNET_HD float frequency(std::uint32_t tf, std::uint32_t length) const {
    const float norm =
        codecs::rounded_add(least, codecs::rounded_mul(slope, static_cast<float>(length)));
    return codecs::rounded_div(codecs::rounded_mul(weight, static_cast<float>(tf)), norm);
  }
  /// The score of a document that has the word in this text alone.
  GANNET_HD float score_alone(float factor, std::uint32_t tf, std::uint32_t length) const {
    return query::score_alone(factor, weight, a, b, tf, length);
  }

  float weight = 1;  ///< of the text
  float least = 0;   ///< 1 - b of the text
  float slope = 0;   ///< b / its average length
  float a = 0;       ///< as PlanConstants has them for the text
  float b = 0;
};

/// The score of a document that has a word in several texts, of the sum of its frequency() in them.
GANNET_HD float score_together(float factor, float k1, float frequency) {
  return codecs::rounded_div(codecs::rounded_mul(factor, frequency),
                             codecs::rounded_add(k1, frequency));
}

/// What a document has of a word, gathered text by text.
struct WordSum {
  float frequency = 0;  ///< over the texts, each for its length
  float alone = 0;      ///< what the score is if no other text has it
  std::uint32_t texts = 0;

  GANNET_HD void add(const WordInText& in_text, float factor, std::uint32_t tf,
                     std::uint32_t length) {
    if (texts++ == 0) alone = in_text.score_alone(factor, tf, length);
    frequency = codecs::rounded_add(frequency, in_text.frequency(tf, length));
  }
  /// Needs texts > 0.
  GANNET_HD float score(float factor, float k1) const {
    return texts == 1 ? alone : score_together(factor, k1, frequency);
  }
};

}  // namespace gannet::query
