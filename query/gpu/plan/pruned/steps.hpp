// The steps by which the pruned search rules out work. Each can be left out of a build, to measure
// what it saves (`bench/retrieval.sh steps`). Results do not depend on it.
#pragma once

// The number of the step that is left out; 0: none is.
#ifndef GANNET_WITHOUT_STEP
#define GANNET_WITHOUT_STEP 0
#endif

namespace gannet::query::cuda {

enum class Step {
  kStartThreshold = 1,    ///< a query begins with the k-th best score of one of its terms
  kFirstWave = 2,         ///< the superblocks with the largest sums of bounds come first
  kSuperblockMaxima = 3,  ///< superblocks are dropped by their largest sum
  kRangeSums = 4,         ///< ranges of those left are dropped by theirs
  kDocumentBounds = 5,    ///< documents by the bounds of the lists that they are in
  kSharing = 6,           ///< a warp searches several superblocks at a time
  /// Postings are looked up by groups of 32, not by tiles. Without it, the kernels for gpu-bp128
  /// and BM25 are not used.
  kSmallGroups = 7,
};

constexpr bool has(Step step) { return static_cast<int>(step) != GANNET_WITHOUT_STEP; }

}  // namespace gannet::query::cuda
