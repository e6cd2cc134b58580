// BM25 that knows nothing of the library's.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/query/collection.hpp"

namespace gannet::test {

/// A term and how often the query has it.
using QueryTerm = std::pair<std::string, std::uint32_t>;

/// BM25, written out: float operations one by one, the query's terms in order.
class Scorer {
 public:
  Scorer(const Collection& collection, const std::vector<QueryTerm>& terms, float k1, float b)
      : lengths_(collection.lengths),
        constant_(static_cast<float>(double{k1} * (1.0 - double{b}))),
        slope_(static_cast<float>(double{k1} * double{b} / collection.average_length())) {
    for (const auto& [term, occurrences] : terms) {
      const auto found = collection.frequencies.find(term);
      if (found == collection.frequencies.end() || occurrences == 0) continue;
      const double n = collection.documents();
      const double df = collection.document_frequency(term);
      const double idf = std::log1p((n - df + 0.5) / (df + 0.5));
      const float weight = static_cast<float>(idf * (double{k1} + 1.0) * occurrences);
      lists_.push_back({weight, &found->second});
    }
  }

  float score(std::uint32_t docid) const {
    float sum = 0;
    for (const auto& [weight, list] : lists_) {
      const float tf = static_cast<float>((*list)[docid]);
      if (tf == 0) continue;
      const float scaled = slope_ * static_cast<float>(lengths_[docid]);
      const float divisor = tf + (constant_ + scaled);
      const float contribution = weight * tf / divisor;
      sum = sum + contribution;
    }
    return sum;
  }

 private:
  const std::vector<std::uint32_t>& lengths_;
  float constant_;
  float slope_;
  std::vector<std::pair<float, const std::vector<std::uint32_t>*>> lists_;
};

}  // namespace gannet::test
