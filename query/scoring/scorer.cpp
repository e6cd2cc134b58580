#include "query/scoring/scorer.hpp"

#include <cmath>

namespace gannet::query {

double inverse_document_frequency(std::uint64_t documents, std::uint64_t frequency) {
  const auto n = static_cast<double>(documents);
  const auto df = static_cast<double>(frequency);
  return std::log1p((n - df + 0.5) / (df + 0.5));
}

float bm25_weight(float k1, std::uint64_t documents, std::uint64_t frequency,
                  std::uint32_t occurrences) {
  const double idf = inverse_document_frequency(documents, frequency);
  return static_cast<float>(idf * (double{k1} + 1.0) * occurrences);
}

LengthNorm length_norm(float k1, float b, double average_length) {
  const double slope = average_length > 0 ? double{k1} * double{b} / average_length : 0.0;
  return {static_cast<float>(double{k1} * (1.0 - double{b})), static_cast<float>(slope)};
}

}  // namespace gannet::query
