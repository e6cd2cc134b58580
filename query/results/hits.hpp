// A hit and the total order of hits.
#pragma once

#include <bit>
#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::query {

struct Hit {
  std::uint32_t docid = 0;
  float score = 0;
  bool operator==(const Hit&) const = default;
};

/// The key by which hits are ranked: a larger key is a better hit. A higher score is better; of
/// equal scores, the smaller docid is better. `score_bits` are the bits of a float >= +0, which
/// order as the scores do.
GANNET_HD std::uint64_t rank_key(std::uint32_t score_bits, std::uint32_t docid) {
  return static_cast<std::uint64_t>(score_bits) << 32 | (0xffffffffu - docid);
}

/// The hit that has this rank_key().
inline Hit hit_of(std::uint64_t key) {
  return {0xffffffffu - static_cast<std::uint32_t>(key),
          std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32))};
}

}  // namespace gannet::query
