// Scoring a run of postings at once on the CPU.
#pragma once

#include <cstdint>

#include "codecs/core/tile.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {

/// Up to 128 postings of one term, ready to be scored.
struct ScoreRun {
  std::uint32_t frequencies[codecs::kTile];
  std::uint32_t lengths[codecs::kTile];  ///< of the documents
  float scores[codecs::kTile];           ///< what score() gives

  /// Scores the first `n` postings. A loop of arithmetic only, so that compilers vectorise it.
  void score(std::uint32_t n, float weight, LengthNorm norm) {
    for (std::uint32_t i = 0; i < n; ++i) {
      scores[i] = score_posting(weight, frequencies[i], lengths[i], norm);
    }
  }
};

}  // namespace gannet::query
