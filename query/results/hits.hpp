// A hit, and the order of hits.
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

/// Ranking as one 64-bit number: a larger key is a better hit. Scores first (they are >= 0, so
/// their bits order as they do), then the smaller docid.
GANNET_HD std::uint64_t rank_key(std::uint32_t score_bits, std::uint32_t docid) {
  return static_cast<std::uint64_t>(score_bits) << 32 | (0xffffffffu - docid);
}

inline Hit hit_of(std::uint64_t key) {
  return {0xffffffffu - static_cast<std::uint32_t>(key),
          std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32))};
}

}  // namespace gannet::query
