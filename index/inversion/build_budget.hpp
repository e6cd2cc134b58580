// How a build divides its memory budget.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::index {

/// The least budget that build_index() and build_inverted() accept.
inline constexpr std::uint64_t kMinBuildMemory = std::uint64_t{64} << 20;

struct BuildBudget {
  /// In use: not more than batches in flight, since malloc keeps memory for each.
  unsigned threads;
  std::size_t batches;  ///< batches of documents in flight
  std::uint64_t cache;  ///< bytes for the cache of raw tokens of one batch in flight
  std::uint64_t run;    ///< bytes for dictionary, postings, ids and lengths until a run is spilled
  std::uint64_t batch_postings;  ///< postings in a batch of lists
  std::size_t fan_in;            ///< runs merged at a time

  /// Divides `memory` bytes among `threads`. `with_positions`: batches are inverted with the places
  /// of tokens, and these are written. Throws UsageError below kMinBuildMemory.
  static BuildBudget of(std::uint64_t memory, unsigned threads, bool with_positions = false);
};

}  // namespace gannet::index
