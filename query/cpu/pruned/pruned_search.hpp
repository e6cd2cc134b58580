// The k best documents of a plan, reading only what can hold one of them.
//
// Documents are looked at in ranges of 64. Bounds of the lists (list_bounds.hpp) add up to a bound
// of each range; a range is searched if its bound reaches the threshold, the score that k documents
// are known to have; with a filter, no range is in which no document passes it. Steps:
//   1. sums of 16-bit bounds over all ranges; lists without bounds are decoded and scored as a
//      whole;
//   2. a first wave of the ranges with the largest sums, which makes the threshold rise;
//   3. the ranges that still reach it, in the order of their documents.
// In a range the lists come in the order of what they can add; of each, its documents as a word of
// bits, and the bounds of the 64 documents rise where a bit is set. Lists of a clause come
// together, and leave the documents that have one of its terms. Once none can reach the threshold
// the range is done: lists of frequent words are hardly decoded. What is left is scored as the plan
// says, so results are those of an exhaustive search, to the bit. Documents with the threshold's
// own score are never dropped: ties are decided by rank keys.
//
// After: Mallia, Suel, Tonellotto, "Faster Learned Sparse Retrieval with Block-Max Pruning", SIGIR
// 2024; the presence filter and the early stop are ours.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/cpu/collector.hpp"
#include "query/cpu/pruned/kernels.hpp"
#include "query/cpu/pruned/pruned_part.hpp"
#include "query/cpu/pruned/rising_top.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Memory that searches of one thread reuse. Large: some bytes per range, a KiB a term.
struct PrunedWorkspace {
  TermPool terms;
  std::vector<PrunedPart> parts;
  std::vector<std::uint16_t> sums;
  std::vector<std::uint8_t> flags;  ///< by range: which lists that are decoded have postings there
  std::vector<std::uint8_t> present;  ///< by range of a part: whether a clause has postings there
  std::vector<std::uint32_t> ranges;
  std::vector<std::uint32_t> first_wave;
  RisingTop top;
};

/// Collects the k best matches in some places of an index, as one search: they share the first
/// wave, the threshold and the k best. `places`: in the order of their documents. `floor`: the bits
/// of a score that k documents of the index are known to have; read and raised by all searches for
/// the same plan. Needs can_prune(plan) and k > 0. False, and nothing is collected, if the bounds
/// of a place are no good for this plan, or if pruning saves nothing of its many terms. Throws
/// CancelledError, FormatError for a damaged list.
bool search_pruned(std::span<const PrunedPlace> places, const Plan& plan,
                   const PrunedKernels& kernels, const std::stop_token& stop,
                   std::atomic<std::uint32_t>& floor, PrunedWorkspace& workspace,
                   Collector& collector);

}  // namespace gannet::query
