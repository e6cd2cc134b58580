// The numbers that the pruned search on the GPU is tuned by. Measured as query/gpu/plan/tuning.hpp
// says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "query/gpu/plan/pruned/steps.hpp"
#include "query/gpu/plan/pruned/tables.hpp"
#include "query/gpu/plan/tuning.hpp"

namespace gannet::query::cuda::tuning {

/// Superblocks that a query begins with, by k. Conjunctions on shards that tell one another what
/// they find: fewer. Two H100s, k = 1000, queries/s with all of them, a half, a third, a quarter, a
/// sixth: 428,581, 462,112, 474,751, 499,277, 447,445; disjunctions with all, a half, a third:
/// 241,199, 229,275, 218,829; one GPU, AND with all, a half, a third: 295,811, 299,989, 294,009.
constexpr std::uint32_t first_wave_of(std::uint32_t k, bool conjunction_on_shards) {
  return (k <= 32 ? 192 : k <= 256 ? 384 : 768) / (conjunction_on_shards ? 4 : 1);
}
/// Whether shards that search for k hits tell one another what their first waves find. Equal
/// for all k up to the next power of two, which are searched together. Two H100s, two shards, k =
/// 10: 7.29 percent of the tiles without, 6.25 with it, but OR 904,141 queries/s and 878,156: the
/// waits cost more.
constexpr bool tells_shards(std::uint32_t k) { return k > 32; }
/// How long a batch waits for what other shards' first waves have found, in ns. Meanwhile the
/// device works for the other batches in flight.
inline constexpr std::uint32_t kExchangeWait = 300'000;
/// Superblocks of a query that a warp searches at a time, by the size of the batch: more share
/// what is done once, fewer give more warps work.
constexpr std::uint32_t unit_of(std::size_t queries) {
  if (!has(Step::kSharing)) return 1;
  return queries > 128 ? 4 : queries > 32 ? 2 : 1;
}
/// Warps that decode a list without bounds in a chunk of documents, by how many such there are:
/// with 4 instead of 8, batches of 64 are 2 percent slower, with 8 instead of 4 those of 2,000.
constexpr std::uint32_t short_parts_of(std::uint32_t lists_and_chunks) {
  return lists_and_chunks > 32768 ? 4 : 8;
}
/// Batches in flight: two wait on the device while the host packs a third one. H200, batches of
/// 10,000, k = 10, queries/s with two, three, four: one segment OR 642,710, 665,162, 679,341, AND
/// 742,252, 811,711, 820,770; ten segments, whose plans take longer to pack, OR 551,485, 551,897,
/// 559,742, AND 576,070, 671,775, 669,569. Each takes as much memory.
inline constexpr std::size_t kPrunedRuns = 3;
/// Queries for k hits in one sub-batch, of a call with `queries` queries over `documents`
/// documents. Of few documents a launch takes longer than the work of tuning::kSubBatch queries, so
/// there are more, though no fewer than two sub-batches where there were: packing one overlaps with
/// the other. 2.5 M documents, batches of 10,000: 1.5 times the queries per second at k = 10, 0.93
/// at k = 1000, where the way to the host is longer than the kernels.
constexpr std::size_t sub_batch_of(std::size_t queries, std::uint64_t documents, std::uint32_t k) {
  constexpr std::uint64_t kDocuments = 25'000'000;  // that kSubBatch is tuned for
  const std::size_t most = k <= 128 ? 8 * kSubBatch : kSubBatch;
  const std::size_t fitting = std::clamp<std::size_t>(
      kSubBatch * kDocuments / std::max<std::uint64_t>(documents, 1), kSubBatch, most);
  const std::size_t least = std::min<std::size_t>(2, (queries + kSubBatch - 1) / kSubBatch);
  const std::size_t parts = std::max(least, (queries + fitting - 1) / fitting);
  return std::max<std::size_t>(1, (queries + parts - 1) / std::max<std::size_t>(1, parts));
}
/// The first sub-batch of several is half as large: the device has work sooner. Three in flight,
/// ten segments, as above: AND 626,933 queries/s without, 671,775 with it; a quarter: 649,425.
constexpr std::size_t first_batch_of(std::size_t queries, std::size_t most) {
  return queries > most ? (most + 1) / 2 : most;
}
/// Terms of plans, in all segments, that are scaled at a time: 100 MB of host memory, which is kept
/// for the next batches. A batch of usual queries has less than a tenth of them.
inline constexpr std::size_t kScaledTerms = std::size_t{1} << 20;
/// Room for documents that reach a query's threshold while it rises: the minimum, and per hit. With
/// too little room a query has to be run again, exhaustively. Not swept.
inline constexpr std::uint32_t kMinFinalists = 8192;
inline constexpr std::uint32_t kFinalistsPerHit = 32;
/// The minimum where thresholds rise from 0: windows, plans with a filter.
inline constexpr std::uint32_t kMinWindowFinalists = 65536;
/// Disjunctions of more terms take PrunedPath::kWindows. Weights that were learned differ less
/// from list to list than BM25's, so that bounds rule out less.
constexpr std::uint32_t most_bounded_terms(ScorerId scorer) {
  return scorer == ScorerId::kImpact ? 12 : kMaxPrunedTerms;
}
/// Batches of at least this many queries have their copies timed: events cost little there.
inline constexpr std::uint32_t kTimedTransfers = 256;
/// Queries for more hits are not pruned.
inline constexpr std::uint32_t kMaxPrunedHits = 100'000;

}  // namespace gannet::query::cuda::tuning
