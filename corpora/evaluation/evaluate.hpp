// Effectiveness measures of a run against judgements: trec_eval's numbers, to the last bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpora/evaluation/qrels.hpp"
#include "corpora/evaluation/trec_run.hpp"

namespace gannet::corpora {

/// How documents are ranked: by descending score, and those of equal scores as follows.
enum class TieOrder {
  /// Scores are compared as float32, and equal ones ordered by descending document id, byte by
  /// byte:
  /// what trec_eval does up to version 9, pytrec_eval and what is built on it. (Its version 10
  /// compares doubles.) The run's ranks are not looked at.
  kDocument,
  /// Scores are compared as doubles, and equal ones ordered by the run's rank column: Gannet's own
  /// order (ascending docid).
  kRank,
};

struct EvaluationOptions {
  TieOrder ties = TieOrder::kDocument;
  /// The mean is over all judged topics, of which those that the run lacks count as 0: trec_eval
  /// -c. Else over the topics that the run and the judgements have, trec_eval's default.
  bool complete = false;
  /// k of the measures at k, each >= 1.
  std::vector<std::uint32_t> cutoffs = {5, 10, 20, 100, 1000};
};

/// Measures at a cutoff k.
struct CutoffMeasures {
  std::uint32_t k = 0;
  double precision = 0;  ///< relevant documents among the first k, divided by k
  double recall = 0;     ///< the same divided by all that are relevant
  double ndcg = 0;       ///< gain = grade (0 if negative), discount log2(rank + 1)
};

/// All of them are 0 for a topic without a relevant document.
struct Measures {
  double average_precision = 0;  ///< over queries: MAP
  double reciprocal_rank = 0;    ///< of the first relevant document; 0 if none is retrieved
  /// Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004: the mean
  /// over the R relevant documents of 1 - (documents judged not relevant before it, at most R) /
  /// min(R, all that are judged not relevant), and 0 for one that is not retrieved. Documents
  /// without a judgement, or with one below 0, are passed over.
  double bpref = 0;
  std::vector<CutoffMeasures> at = {};

  /// The measures at `k`. Throws UsageError if they were not asked for.
  const CutoffMeasures& at_cutoff(std::uint32_t k) const;
};

struct QueryMeasures {
  std::string query = {};
  std::uint64_t retrieved = 0;           ///< documents in the run
  std::uint64_t judged_retrieved = 0;    ///< of them, with a judgement
  std::uint64_t relevant = 0;            ///< documents judged relevant
  std::uint64_t relevant_retrieved = 0;  ///< of them, in the run
  Measures measures = {};
};

struct Evaluation {
  /// The topics that the mean is over (EvaluationOptions::complete), ordered by id, byte by byte.
  std::vector<QueryMeasures> queries = {};
  Measures mean = {};                   ///< over `queries`; 0 if there are none
  std::uint64_t topics_not_in_run = 0;  ///< judged topics that the run lacks
  std::uint64_t topics_not_judged = 0;  ///< topics of the run without judgements
};

/// Evaluates a run. Lists without documents are as if the run lacked them, as in a run file. Throws
/// InputError if a document occurs twice in a topic that is judged, if the run has a topic twice,
/// and, with TieOrder::kRank, for a rank that is no number; UsageError for a cutoff of 0. Costs
/// O(n log n) for the documents of a topic.
Evaluation evaluate(const Run& run, const Qrels& qrels, const EvaluationOptions& options = {});

}  // namespace gannet::corpora
