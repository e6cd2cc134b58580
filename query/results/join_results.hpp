// Joining the results of shards to the results of the whole collection.
#pragma once

#include <cstdint>
#include <span>

#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// Adds `base` to all docids of a shard's results. `base` is the docid that the shard's first
/// document has in the whole collection. Throws UsageError if a docid would exceed 2^32 - 1;
/// `results` are unchanged then. O(number of docids). Not thread-safe on one object.
void renumber(Results& results, std::uint64_t base);

/// Joins the results of several shards for one batch of plans. Docids must be those of the whole
/// collection (renumber()), distinct over the shards. A plan with Want::kTopK gets its k best hits
/// by rank_key(), any other plan all docids, ascending, and the sum of the counts. A hit of a shard
/// without scores has score 0 if another shard has scores. The order of shards, and the order in
/// which shards are joined, do not change the result. Throws UsageError if the sizes of a shard's
/// arrays do not fit the plans. Takes O(docids * shards) time on all threads of the caller's TBB
/// arena. Thread-safe.
Results join_results(std::span<const Plan> plans, std::span<const Results* const> shards);
/// join_results() of two shards.
Results join_results(std::span<const Plan> plans, const Results& a, const Results& b);

}  // namespace gannet::query
