// Effectiveness measures of a run against judgements, as trec_eval defines them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpora/evaluation/qrels.hpp"
#include "corpora/evaluation/trec_run.hpp"

namespace gannet::corpora {

/// How documents with equal scores are ordered. Documents are always ranked by descending score
/// first.
enum class TieOrder {
  kRank,      ///< by the run's rank column: Gannet's own order (ascending docid)
  kDocument,  ///< by descending document id as a string: what trec_eval does
};

struct EvaluationOptions {
  TieOrder ties = TieOrder::kRank;
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

struct Measures {
  double average_precision = 0;  ///< over queries: MAP
  double reciprocal_rank = 0;    ///< of the first relevant document; 0 if none is retrieved
  std::vector<CutoffMeasures> at = {};

  /// The measures at `k`. Throws UsageError if they were not asked for.
  const CutoffMeasures& at_cutoff(std::uint32_t k) const;
};

struct QueryMeasures {
  std::string query = {};
  std::uint64_t retrieved = 0;           ///< documents in the run
  std::uint64_t relevant = 0;            ///< documents judged relevant
  std::uint64_t relevant_retrieved = 0;  ///< of them, in the run
  Measures measures = {};
};

struct Evaluation {
  /// Those with a relevant document, ordered by id as a string.
  std::vector<QueryMeasures> queries = {};
  Measures mean = {};  ///< over `queries`; a query that the run lacks counts as 0
};

/// Evaluates a run. Queries without a relevant document are left out, also where the run has them.
/// Throws InputError if a document occurs twice for a query, UsageError for a cutoff of 0.
Evaluation evaluate(const Run& run, const Qrels& qrels, const EvaluationOptions& options = {});

}  // namespace gannet::corpora
