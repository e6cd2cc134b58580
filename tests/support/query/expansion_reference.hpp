// Query expansion that knows nothing of the library's: the formulas, over a collection in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "query/options/expansion.hpp"
#include "tests/support/query/collection.hpp"

namespace gannet::test {

using TermWeights = std::map<std::string, double>;

/// A document and its score.
using ScoredDocument = std::pair<std::uint32_t, double>;

/// The terms of a document that count. Terms of the tests are of ASCII.
inline TermWeights document_vector(const Collection& collection, std::uint32_t docid,
                                   const query::Expansion& expansion) {
  TermWeights vector;
  for (const auto& [term, frequencies] : collection.frequencies) {
    const double share = static_cast<double>(collection.document_frequency(term)) /
                         static_cast<double>(collection.documents());
    if (frequencies[docid] == 0 || share > expansion.max_document_share) continue;
    if (term.size() < expansion.min_length || term.size() > expansion.max_length) continue;
    vector[term] = frequencies[docid];
  }
  return vector;
}

/// The `count` largest, of equal ones the first in the order of the texts.
inline TermWeights largest(const TermWeights& weights, std::size_t count) {
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [term, weight] : weights) order.emplace_back(-weight, term);
  std::sort(order.begin(), order.end());
  TermWeights best;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
    if (order[i].first < 0) best[order[i].second] = -order[i].first;
  }
  return best;
}

inline double length_of(const TermWeights& weights, bool euclidean) {
  double sum = 0;
  for (const auto& [term, weight] : weights) sum += euclidean ? weight * weight : weight;
  return euclidean ? std::sqrt(sum) : sum;
}

/// The expanded query's weights. `query`: its own; `best`: its best documents; `excluded`: terms
/// that may not be added.
inline TermWeights expanded_weights(const Collection& collection, const TermWeights& query,
                                    const std::vector<ScoredDocument>& best,
                                    const std::vector<std::string>& excluded,
                                    const query::Expansion& expansion) {
  const bool rocchio = expansion.method == query::ExpansionMethod::kRocchio;
  TermWeights model;
  for (const auto& [docid, score] : best) {
    TermWeights vector = document_vector(collection, docid, expansion);
    if (!rocchio && expansion.document_terms > 0) {
      vector = largest(vector, expansion.document_terms);
    }
    const double norm = length_of(vector, rocchio);
    for (const auto& [term, frequency] : vector) {
      model[term] += rocchio ? frequency / norm : frequency / norm * score;
    }
  }
  for (const std::string& term : excluded) model.erase(term);
  if (rocchio) {
    for (auto& [term, weight] : model) weight /= static_cast<double>(best.size());
  }
  model = largest(model, expansion.terms);
  const double model_norm = length_of(model, rocchio);
  const double query_norm = length_of(query, rocchio);
  TermWeights weights;
  for (const auto& [term, weight] : query) {
    weights[term] += (rocchio ? expansion.alpha : expansion.weight) * weight / query_norm;
  }
  for (const auto& [term, weight] : model) {
    weights[term] += (rocchio ? expansion.beta : 1 - expansion.weight) * weight / model_norm;
  }
  return weights;
}

}  // namespace gannet::test
