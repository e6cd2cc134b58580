// Answers to questions by a loop over all documents: which match, by the rules of the language, and
// with which scores.
//
// Knows nothing of plans, lists, bounds, segments or columns. From the library it has only the
// formula of one contribution (query/scoring/scorer.hpp) and the arithmetic of its rounding, so
// that scores have the same bits. These formulas are held to others in double (approximate()).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "query/scoring/base/statistics.hpp"
#include "tests/soak/expressions/expression.hpp"

namespace gannet::oracle {

class Reference {
 public:
  /// The collection must stay as it is.
  explicit Reference(const Collection& collection);

  struct Answer {
    std::vector<std::uint8_t> matches;  ///< by document: 1 if it does
    std::vector<float> scores;          ///< by document, of those that do not match too
    /// Scores by the formulas of tests/support/query/formulas.hpp; empty where these do not apply.
    std::vector<double> approximate;
  };
  Answer answer(const Question& question) const;

  /// How often documents have a word in a text.
  const std::vector<std::uint32_t>& frequencies(std::uint32_t text, Word word) const;
  const std::vector<std::uint32_t>& lengths(std::uint32_t text) const { return lengths_[text]; }
  /// What scores in a text depend on.
  const query::CollectionStatistics& statistics(std::uint32_t text) const {
    return statistics_[text];
  }
  const Collection& collection() const { return collection_; }

 private:
  const Collection& collection_;
  std::vector<std::vector<std::uint32_t>> lengths_;      ///< by text and document
  std::vector<query::CollectionStatistics> statistics_;  ///< by text
  mutable std::map<std::pair<std::uint32_t, Word>, std::vector<std::uint32_t>> frequencies_;
};

}  // namespace gannet::oracle
