// The terms of a query, each once.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/text/words/seeded_hash.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Numbers terms as they come, and adds up the weights of equal ones (QueryTerm::key()). Not
/// thread-safe.
class PlanTerms {
 public:
  /// The number of a term, which adds `weight` more to the score. Throws CancelledError as the
  /// thread's StopScope says.
  std::uint32_t add(QueryTerm&& term, double weight) {
    check_stop_();
    const auto next = static_cast<std::uint32_t>(terms_.size());
    const auto [entry, is_new] = numbers_.emplace(term.key(), next);
    if (is_new) {
      terms_.push_back(std::move(term));
      weights_.push_back(0);
    }
    weights_[entry->second] += weight;
    return entry->second;
  }

  /// All of them, by number, with their weights. There are none then.
  std::vector<QueryTerm> take() {
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      terms_[i].weight = static_cast<float>(weights_[i]);
    }
    return std::move(terms_);
  }

 private:
  std::vector<QueryTerm> terms_;
  std::vector<double> weights_;  ///< of which sums of floats would lose more
  std::unordered_map<std::string, std::uint32_t, index::SeededHash> numbers_;
  StopCheck check_stop_;
};

}  // namespace gannet::query
