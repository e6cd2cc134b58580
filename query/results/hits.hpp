// A hit and the total order of hits.
#pragma once

#include <bit>
#include <cstdint>

#include "codecs/base/host_device.hpp"
#include "query/plan/page.hpp"

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

/// The page behind a hit. `before`: at most so many matching documents come before the page, this
/// hit included. That is the hit's rank, unless documents were added since it was found.
inline PageStart page_after(const Hit& last, std::uint64_t before = PageStart::kUnknown) {
  return {rank_key(std::bit_cast<std::uint32_t>(last.score), last.docid), before};
}

}  // namespace gannet::query
