// Scoring a run of postings at once on the CPU.
#pragma once

#include <cstdint>

#include "codecs/core/tile.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {

/// scores[i] becomes the contribution of frequencies[i] and lengths[i], for i < n. The scorer is
/// looked up once, outside a loop of arithmetic only, so that compilers vectorise it.
inline void score_postings(const std::uint32_t* frequencies, const std::uint32_t* lengths,
                           std::uint32_t n, const PlanConstants& plan, const TermConstants& term,
                           float* scores) {
  with_scorer<AllScorers>(plan.scorer, [&]<class S>() {
    const PlanConstants all = plan;  // copies: `scores` might else change them
    const TermConstants own = term;
    for (std::uint32_t i = 0; i < n; ++i) {
      scores[i] = S::contribution(all, own, frequencies[i], lengths[i]);
    }
  });
}

/// Up to 128 postings of one term, ready to be scored.
struct ScoreRun {
  std::uint32_t frequencies[codecs::kTile];
  std::uint32_t lengths[codecs::kTile];  ///< of the documents
  float scores[codecs::kTile];           ///< what score() gives

  /// Scores the first `n` postings.
  void score(std::uint32_t n, const PlanConstants& plan, const TermConstants& term) {
    score_postings(frequencies, lengths, n, plan, term, scores);
  }
};

}  // namespace gannet::query
