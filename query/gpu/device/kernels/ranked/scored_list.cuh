// What a posting of a list adds to scores, and what it adds at most.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "query/gpu/plan/ranked/tables.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

/// The contributions of lists of terms.
template <class Scorers>
struct TermListScores {
  static constexpr bool kWords = false;

  __device__ static float score(const RankList& list, std::uint32_t frequency,
                                std::uint32_t length) {
    float value = 0;
    with_scorer<Scorers>(list.scoring.scorer, [&]<class S>() {
      value = S::contribution(list.scoring, list.constants, frequency, length);
    });
    return value;
  }

  /// No less than any contribution with no larger frequency and no less length.
  __device__ static float bound(const RankList& list, std::uint32_t frequency,
                                std::uint32_t length) {
    // Contributions may be a few units in the last place off the monotone function (concepts.hpp).
    constexpr float kMargin = 1.000001f;
    constexpr std::uint32_t kInfinity = 0x7f800000;
    float value = __uint_as_float(kInfinity);
    with_scorer<Scorers>(list.scoring.scorer, [&]<class S>() {
      if constexpr (S::monotone) {
        value = S::contribution(list.scoring, list.constants, frequency, length) * kMargin;
      }
    });
    return value;
  }
};

/// Those of the lists of words over several texts: BM25F. What a document gets for a word is at
/// most the sum of what it gets for each text alone.
struct WordListScores {
  static constexpr bool kWords = true;

  __device__ static float score(const RankList& list, std::uint32_t frequency,
                                std::uint32_t length) {
    return list.in_text.score_alone(list.constants.factor, frequency, length);
  }

  __device__ static float bound(const RankList& list, std::uint32_t frequency,
                                std::uint32_t length) {
    constexpr float kMargin = 1.00001f;
    return score(list, frequency, length) * kMargin;
  }
};

}  // namespace gannet::query::cuda
