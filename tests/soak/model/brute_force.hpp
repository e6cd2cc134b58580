// Answers by a loop over all documents: BM25 written out, with the statistics of all documents that
// count. Knows nothing of the library's way of scoring.
#pragma once

#include <cstdint>
#include <vector>

#include "query/results/results.hpp"
#include "tests/soak/model/question.hpp"
#include "tests/soak/model/snapshot.hpp"

namespace gannet::soak {

class BruteForce {
 public:
  /// The snapshot must stay.
  explicit BruteForce(const Snapshot& snapshot);

  /// As a searcher answers: best first, equal scores by docid; or the docids, or their number.
  query::Result answer(const Question& question) const;
  bool matches(const Question& question, std::size_t docid) const;

 private:
  struct Text {
    std::vector<std::vector<std::uint32_t>> frequencies;  ///< by document and word
    std::vector<std::uint32_t> lengths;
    double average = 0;
  };
  const Text& text_of(const Clause& clause) const { return texts_[clause.in_title ? 1 : 0]; }
  bool has(const Clause& clause, std::size_t docid) const;
  double document_frequency(const Clause& clause) const;
  float weight_of(const Clause& clause) const;
  float contribution(const Clause& clause, float weight, std::size_t docid) const;
  float score(const Question& question, const std::vector<float>& weights, std::size_t docid) const;

  const Snapshot& snapshot_;
  Text texts_[2];  ///< main texts, titles
};

}  // namespace gannet::soak
