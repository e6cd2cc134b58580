// What shards of a collection found, as what the whole finds.
#pragma once

#include <cstdint>
#include <span>

#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// Numbers the documents of a shard, whose first one is document `base` of the whole, as the whole
/// does. Throws UsageError if the whole could not number them.
void renumber(Results& results, std::uint64_t base);

/// What all of some shards found of a batch, numbered as the whole numbers documents: the k best by
/// rank_key() of a plan that wants these, else all docids, ascending, or the sum of the counts.
/// Which shards are joined first changes nothing. Works on all cores. Throws UsageError unless all
/// are results of these plans.
Results join_results(std::span<const Plan> plans, std::span<const Results* const> shards);
/// join_results() of two shards.
Results join_results(std::span<const Plan> plans, const Results& a, const Results& b);

}  // namespace gannet::query
