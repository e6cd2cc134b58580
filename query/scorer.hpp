// BM25, the one canonical way of computing it on both processors.
//
// A score is float32; every operation is rounded on its own (no fused multiply-add: the host is compiled with
// -ffp-contract=off, the device uses the __f*_rn intrinsics), and contributions are added in the order of the
// plan's terms. So both back ends give the same bits.
#pragma once

#include <cmath>
#include <cstdint>

#include "gannet/codecs/lanes.hpp"

namespace gannet::query {

/// The two numbers from which BM25's length normalisation of a document follows.
struct LengthNorm {
  float constant;  ///< k1 * (1 - b)
  float slope;     ///< k1 * b / average length
};

/// Robertson and Sparck Jones' idf with Lucene's + 1: ln(1 + (N - df + 0.5) / (df + 0.5)). Always > 0.
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
GANNET_HD float score_posting(float weight, std::uint32_t frequency, std::uint32_t length, LengthNorm norm) {
  const auto tf = static_cast<float>(frequency);
  const auto tokens = static_cast<float>(length);
#if defined(__CUDA_ARCH__)
  const float k = __fadd_rn(norm.constant, __fmul_rn(norm.slope, tokens));
  return __fdiv_rn(__fmul_rn(weight, tf), __fadd_rn(tf, k));
#else
  const float k = norm.constant + norm.slope * tokens;
  return weight * tf / (tf + k);
#endif
}

GANNET_HD float add_scores(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

}  // namespace gannet::query
