// BM25, the one canonical way of computing it on both processors.
//
// A score is float32; every operation is rounded on its own (codecs/core/rounding.hpp), and
// contributions are added with rounded_add() in the order of the plan's terms, the first one to 0.
// So both back ends give the same bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "codecs/core/rounding.hpp"

namespace gannet::query {

/// The two numbers from which BM25's length normalisation of a document follows.
struct LengthNorm {
  float constant;  ///< k1 * (1 - b)
  float slope;     ///< k1 * b / average length
};

/// Robertson and Sparck Jones' idf with Lucene's + 1: ln(1 + (N - df + 0.5) / (df + 0.5)). Always >
/// 0.
inline double inverse_document_frequency(std::uint64_t documents, std::uint64_t frequency) {
  const auto n = static_cast<double>(documents);
  const auto df = static_cast<double>(frequency);
  return std::log1p((n - df + 0.5) / (df + 0.5));
}

inline LengthNorm length_norm(float k1, float b, double average_length) {
  const double slope = average_length > 0 ? double{k1} * double{b} / average_length : 0.0;
  return {static_cast<float>(double{k1} * (1.0 - double{b})), static_cast<float>(slope)};
}

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
