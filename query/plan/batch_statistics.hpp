// What the scores of a batch depend on besides its queries, as numbers that add up over the shards
// of a collection.
//
// Every shard plans the same queries by itself; the sum of what its plans know is what the whole
// collection knows, so plans that are given it score as plans of the whole do, to the bit:
//
//     std::vector<Plan> plans = searcher.plan(queries);           // on each shard
//     BatchStatistics statistics(plans);
//     statistics.add(...);                                        // of all other shards
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

/// Whole numbers alone, each a sum over documents: their sum over shards depends on no order. A
/// term that several plans have counts once. Not thread-safe while it is changed.
class BatchStatistics {
 public:
  /// Of plans that were made for one index, all with its statistics. Throws UsageError for plans of
  /// several.
  explicit BatchStatistics(std::span<const Plan> plans);

  /// Adds what another shard has. Throws UsageError unless its plans are of the same queries.
  void add(const BatchStatistics& shard);

  /// All numbers, for callers that add them up by other means, for instance by a reduction over
  /// processes: plans of the same queries give as many, in the same order, on every shard.
  std::span<std::uint64_t> numbers() { return numbers_; }
  std::span<const std::uint64_t> numbers() const { return numbers_; }
  /// A number that equal queries have alike; different queries share one with probability 2^-64.
  std::uint64_t fingerprint() const;

  /// The plans, with what is here for their statistics. They must be those that this was made from.
  /// Throws UsageError for others, and for statistics that no collection has.
  std::vector<Plan> apply(std::span<const Plan> plans) const;

 private:
  void gather(const Plan& plan);
  PlanStatistics statistics_of(const Plan& plan) const;
  /// Where the numbers of a term or word are, which are set the first time.
  void set(const std::string& key, std::span<const std::uint64_t> numbers);
  const std::uint64_t* find(const std::string& key) const;

  std::vector<std::string> keys_;                        ///< in the order of their numbers
  std::unordered_map<std::string, std::size_t> places_;  ///< in numbers_
  std::size_t texts_ = 0;
  std::vector<std::uint64_t> numbers_;  ///< documents and tokens; of texts; by key
};

}  // namespace gannet::query
