// What the target `run` tries: text is refused as a run, or has finite scores and can be evaluated,
// with measures between 0 and 1 whichever way ties are broken.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"

namespace gannet::fuzz {

inline void check_measures(const corpora::Measures& measures) {
  const auto share = [](double value) {
    need(value >= 0 && value <= 1 + 1e-9, "a measure is not between 0 and 1");
  };
  share(measures.average_precision);
  share(measures.reciprocal_rank);
  share(measures.bpref);
  for (const corpora::CutoffMeasures& at : measures.at) {
    share(at.precision);
    share(at.recall);
    share(at.ndcg);
  }
}

/// Every second document of the run is relevant, with grades that differ.
inline corpora::Qrels judgements_for(const corpora::Run& run) {
  corpora::Qrels qrels;
  for (const corpora::RankedList& list : run) {
    int number = 0;
    for (const corpora::RankedDocument& document : list.documents) {
      qrels[list.query][document.document] = number++ % 2 == 0 ? number % 5 : -number;
    }
  }
  return qrels;
}

/// Input: the run.
inline void try_run(std::span<const std::uint8_t> input) {
  try {
    const corpora::Run run = corpora::parse_run(text_of(input), "input");
    for (const corpora::RankedList& list : run) {
      for (const auto& document : list.documents) {
        need(!std::isnan(document.score), "a score is no number");
      }
    }
    for (const auto ties : {corpora::TieOrder::kDocument, corpora::TieOrder::kRank}) {
      corpora::EvaluationOptions options;
      options.ties = ties;
      check_measures(corpora::evaluate(run, judgements_for(run), options).mean);
    }
  } catch (const InputError&) {
    // Refused, as it should be.
  }
}

}  // namespace gannet::fuzz
