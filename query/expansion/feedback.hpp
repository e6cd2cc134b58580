// The formulas of query expansion: from documents' terms to weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/expansion/document_vectors.hpp"
#include "query/options/expansion.hpp"

namespace gannet::query {

/// A document taken for relevant.
struct FeedbackDocument {
  std::size_t number;  ///< in the DocumentVectors
  float score;
};

/// A term with its weight in r (expansion.hpp).
struct WeightedTerm {
  std::uint32_t term;  ///< its number in the vocabulary
  double weight;       ///< > 0
};

/// Which terms of a vocabulary may be added to a query: by number 1 or 0. `documents`: of the
/// index.
std::vector<char> usable_terms(const std::vector<VocabularyTerm>& vocabulary,
                               const Expansion& expansion, std::uint64_t documents);

/// Computes r for one query after the other, in double, in a defined order: a term's contributions
/// are added in the order of the documents, terms are taken by weight, then by text. Reuses its
/// memory, eight bytes per term of the vocabulary; not thread-safe.
class Feedback {
 public:
  /// Refers to all of them.
  Feedback(const DocumentVectors& vectors, const std::vector<char>& usable,
           const Expansion& expansion);

  /// The terms with the largest weights, in that order, scaled. `documents`: best first.
  /// `excluded`: vocabulary numbers of terms that count in the documents but may not be taken.
  std::vector<WeightedTerm> operator()(std::span<const FeedbackDocument> documents,
                                       std::span<const std::uint32_t> excluded);

 private:
  void add(const FeedbackDocument& document);
  /// The terms of a document that count.
  void choose_terms(std::size_t document);
  void take_largest(std::vector<WeightedTerm>& terms) const;
  void scale(std::vector<WeightedTerm>& terms) const;

  const DocumentVectors& vectors_;
  const std::vector<char>& usable_;
  const Expansion& expansion_;
  std::vector<double> sums_;            ///< by term; all 0 between calls
  std::vector<std::uint32_t> touched_;  ///< the terms whose sum was added to
  std::vector<DocumentTerm> chosen_;
};

}  // namespace gannet::query
