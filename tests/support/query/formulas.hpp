// The scorers' formulas in double, written from the papers that their headers name: nothing of the
// library's but the names of scorers.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace gannet::test {

/// What a formula is of.
struct Occurrence {
  double documents;             ///< N
  double tokens;                ///< of the collection
  double document_frequency;    ///< of the term
  double collection_frequency;  ///< of the term
  double frequency;             ///< of the term in the document
  double length;                ///< of the document
  double average() const { return tokens / documents; }
};

/// tf / (tf + K), the saturation of BM25.
inline double saturation(const Occurrence& o, double k1, double b) {
  return o.frequency / (o.frequency + k1 * (1 - b + b * o.length / o.average()));
}

inline double pl2_formula(const Occurrence& o, double c) {
  const double tfn = o.frequency * std::log2(1 + c * o.average() / o.length);
  const double lambda = o.collection_frequency / o.documents;
  return (tfn * std::log2(tfn / lambda) + (lambda - tfn) * std::log2(std::exp(1.0)) +
          0.5 * std::log2(2 * std::acos(-1.0) * tfn)) /
         (tfn + 1);
}

inline double dph_formula(const Occurrence& o) {
  const double f = o.frequency / o.length;
  if (f >= 1) return 0;
  return (1 - f) * (1 - f) / (o.frequency + 1) *
         (o.frequency * std::log2(o.frequency * o.average() / o.length * o.documents /
                                  o.collection_frequency) +
          0.5 * std::log2(2 * std::acos(-1.0) * o.frequency * (1 - f)));
}

/// What a term of weight 1 adds, with the parameters' defaults; at least 0.
inline double formula(std::string_view scorer, const Occurrence& o) {
  const double n = o.documents;
  const double df = o.document_frequency;
  const double p = o.collection_frequency / o.tokens;
  double value = 0;
  if (scorer == "bm25" || scorer == "bm25f") {
    value = std::log(1 + (n - df + 0.5) / (df + 0.5)) * 1.9 * saturation(o, 0.9, 0.4);
  } else if (scorer == "bm25plus") {
    value = std::log((n + 1) / df) * (1.9 * saturation(o, 0.9, 0.4) + 1);
  } else if (scorer == "tfidf") {
    value = std::log((n + 1) / df) * (1 + std::log(1 + std::log(o.frequency))) /
            (0.8 + 0.2 * o.length / o.average());
  } else if (scorer == "dirichlet") {
    value = std::log(1 + o.frequency / (1000 * p)) + std::log(1000 / (o.length + 1000));
  } else if (scorer == "jelinek-mercer") {
    value = std::log(1 + 0.9 * o.frequency / o.length / (0.1 * p));
  } else if (scorer == "pl2") {
    value = pl2_formula(o, 1);
  } else if (scorer == "dph") {
    value = dph_formula(o);
  } else if (scorer == "impact") {
    value = o.frequency;
  } else {
    throw std::invalid_argument("no formula for a scorer");
  }
  return std::max(value, 0.0);
}

}  // namespace gannet::test
