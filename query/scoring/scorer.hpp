// BM25, the one canonical way of computing it on both processors.
//
// A score is float32; every operation is rounded on its own (codecs/core/rounding.hpp), and
// contributions are added with rounded_add() in the order of the plan's terms, the first one to 0.
// So both back ends give the same bits.
#pragma once

#include <cstdint>

#include "codecs/core/rounding.hpp"

namespace gannet::query {

enum class ScorerId : std::uint8_t { kBm25 };

/// A scorer and its parameters.
struct ScorerSpec {
  ScorerId id = ScorerId::kBm25;
  /// 0 .. kMaxK1.
  float k1 = 0.9f;
  /// 0 .. 1.
  float b = 0.4f;
  bool operator==(const ScorerSpec&) const = default;
};

/// The two numbers from which BM25's length normalisation of a document follows.
struct LengthNorm {
  float constant;  ///< k1 * (1 - b)
  float slope;     ///< k1 * b / average length
};

/// Robertson and Sparck Jones' idf with Lucene's + 1: ln(1 + (N - df + 0.5) / (df + 0.5)). > 0 for
/// df <= N.
double inverse_document_frequency(std::uint64_t documents, std::uint64_t frequency);

/// idf * (k1 + 1) * occurrences, computed in double and rounded once.
float bm25_weight(float k1, std::uint64_t documents, std::uint64_t frequency,
                  std::uint32_t occurrences);

/// Computed in double, each number rounded once; the slope is 0 if the average length is.
LengthNorm length_norm(float k1, float b, double average_length);

/// weight * tf / (tf + constant + slope * length), with weight = idf * (k1 + 1).
GANNET_HD float score_posting(float weight, std::uint32_t frequency, std::uint32_t length,
                              LengthNorm norm) {
  using codecs::rounded_add;
  using codecs::rounded_div;
  using codecs::rounded_mul;
  const auto tf = static_cast<float>(frequency);
  const float k = rounded_add(norm.constant, rounded_mul(norm.slope, static_cast<float>(length)));
  return rounded_div(rounded_mul(weight, tf), rounded_add(tf, k));
}

}  // namespace gannet::query
