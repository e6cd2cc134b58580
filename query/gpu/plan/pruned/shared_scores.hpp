// What the devices of an index's shards tell one another while they search for the same plans: the
// scores that their first waves have found. The k-th best score of all shards is larger than
// that of one shard, so that the second waves have less left to search.
// In page-locked host memory, which all devices write to and read.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::query::cuda {

/// Bins of the histogram of scores from which the threshold follows.
inline constexpr std::uint32_t kScoreBins = 256;

/// One call of one shard, as its kernels see it. Entries are by shard, then by plan of the call.
/// Those of the others may be read as soon as their state says that they are given; an entry is
/// given once at most.
struct SharedScores {
  /// given() once a plan's first wave is told of; closed() if others need not wait for that (though
  /// it may still come); anything else before that.
  std::uint32_t* states = nullptr;
  /// x: where the bins of the histogram begin; y: how wide they are; z: the threshold.
  float4* scales = nullptr;
  std::uint16_t* counts = nullptr;  ///< kScoreBins an entry: no more documents than were found
  std::uint32_t shards = 0;         ///< 0: there is nobody to tell
  std::uint32_t mine = 0;           ///< this one's number
  std::uint32_t plans = 0;          ///< entries of a shard; plans of higher numbers have none
  std::uint32_t call = 0;           ///< another one for each call that uses the memory

  GANNET_HD bool has(std::size_t plan) const { return shards > 1 && plan < plans; }
  GANNET_HD std::size_t entry(std::uint32_t shard, std::size_t plan) const {
    return std::size_t{shard} * plans + plan;
  }
  GANNET_HD std::uint32_t given() const { return 2 * call + 1; }
  GANNET_HD std::uint32_t closed() const { return 2 * call; }
};

}  // namespace gannet::query::cuda
