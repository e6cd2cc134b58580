// Scores that the devices of an index's shards exchange while they search for the same plans: those
// that their first waves have found. The k-th best score of all shards is larger than
// that of one shard, so that the second waves have less left to search.
// In page-locked host memory, which all devices write to and read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "query/gpu/plan/vectors.hpp"

namespace gannet::query::cuda {

/// Bins of the histogram of scores from which the threshold follows.
inline constexpr std::uint32_t kScoreBins = 256;

/// The memory of one call of one shard, as its kernels see it. Entries are by shard, then by plan
/// of the call. A shard writes its own entries. It may read an entry of another shard when the
/// entry's state is given(); an entry is given once at most.
struct SharedScores {
  /// given(): the scores of the plan's first wave are there. closed(): others need not wait for
  /// them, though they may still come. Any other number: neither yet.
  std::uint32_t* states = nullptr;
  /// x: where the bins of the histogram begin; y: how wide they are; z: the threshold.
  float4* scales = nullptr;
  std::uint16_t* counts = nullptr;  ///< kScoreBins per entry: no more documents than were found
  std::uint32_t shards = 0;         ///< 0: there are no other shards
  std::uint32_t mine = 0;           ///< the number of this shard
  std::uint32_t plans = 0;          ///< entries of a shard; plans with higher numbers have none
  std::uint32_t call = 0;           ///< differs from that of other calls that use the memory

  GANNET_HD bool has(std::size_t plan) const { return shards > 1 && plan < plans; }
  GANNET_HD std::size_t entry(std::uint32_t shard, std::size_t plan) const {
    return std::size_t{shard} * plans + plan;
  }
  GANNET_HD std::uint32_t given() const { return 2 * call + 1; }
  GANNET_HD std::uint32_t closed() const { return 2 * call; }
};

}  // namespace gannet::query::cuda
