// Collection statistics of a batch of plans, as numbers that add up over the shards of a
// collection.
//
// Each shard plans the queries with its own statistics. The sums over all shards are the statistics
// of the collection. A plan with these sums gives a document the score bits that a plan made for
// the whole collection gives:
//
//     std::vector<Plan> plans = searcher.plan(queries);           // on each shard
//     BatchStatistics statistics(plans);
//     statistics.add(...);                                        // the other shards' statistics
//     const Results results = searcher.search(statistics.apply(plans));
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// The statistics are whole numbers, each a sum over documents, so shards may be added in any
/// order. A term of several plans has one entry, or two if only
/// some of the scorers use its number of occurrences. Any number of threads may call const members
/// at the same time; add() and changes through numbers() need exclusive access.
class BatchStatistics {
 public:
  /// Takes the statistics of plans that were made for one index. Throws UsageError if the plans
  /// have different numbers of documents or tokens, in the collection or in a text field.
  explicit BatchStatistics(std::span<const Plan> plans);

  /// Adds the statistics of another shard. Throws UsageError if the plans of `shard` have other
  /// terms, words or text fields than the plans of this object, or have them in another order.
  void add(const BatchStatistics& shard);

  /// All statistics, for callers that add them up by other means, for instance by a reduction over
  /// processes. Equal queries give the same number of elements in the same order on every shard.
  std::span<std::uint64_t> numbers() { return numbers_; }
  std::span<const std::uint64_t> numbers() const { return numbers_; }
  /// A hash of the terms, words and number of fields of the plans, in their order, but not of their
  /// operators, weights and statistics. numbers() of two shards may be added if the fingerprints
  /// are equal; different terms have equal fingerprints with a probability of about 2^-64.
  std::uint64_t fingerprint() const;

  /// Copies of `plans` with the statistics of this object: result i belongs to plan i. `plans` must
  /// be plans that the constructor got. Throws UsageError for a plan with a term or word that has
  /// no entry, and for statistics that no collection can have.
  std::vector<Plan> apply(std::span<const Plan> plans) const;

 private:
  void gather(const Plan& plan);
  PlanStatistics statistics_of(const Plan& plan) const;
  /// Appends the numbers of a term or word, unless it has an entry.
  void set(const std::string& key, std::span<const std::uint64_t> numbers);
  const std::uint64_t* find(const std::string& key) const;

  std::vector<std::string> keys_;                        ///< in the order of their numbers
  std::unordered_map<std::string, std::size_t> places_;  ///< in numbers_
  std::size_t texts_ = 0;
  /// Documents and tokens of the collection and of each text, then the numbers of each key.
  std::vector<std::uint64_t> numbers_;
};

}  // namespace gannet::query
