// What a query gives back.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/core/lanes.hpp"

namespace gannet::query {

struct Hit {
  std::uint32_t docid;
  float score;
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

struct Result {
  std::uint64_t count =
      0;  ///< kCount and kDocids: number of documents that match; kTopK: hits returned
  std::vector<Hit> hits;              ///< kTopK: best first
  std::vector<std::uint32_t> docids;  ///< kDocids: ascending
};

/// What a batch did.
struct Report {
  std::string backend;  ///< "cpu" or "cuda"
  std::string reason;   ///< why this back end was taken
  std::uint64_t queries = 0;
  std::uint64_t postings = 0;  ///< in the lists of the batch's terms
  std::uint64_t tiles_decoded =
      0;                          ///< of 128 postings; counts a tile again if it was decoded again
  std::uint64_t tiles_total = 0;  ///< in the lists of the batch's terms
  double seconds = 0;             ///< from the call to the results in host memory
  double device_seconds = 0;      ///< of it, between the first and the last kernel (cuda)
};

}  // namespace gannet::query
