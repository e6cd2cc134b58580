// Effectiveness measures of a run against judgements. With TieOrder::kDocument, they have the bits
// of trec_eval 9's measures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/evaluation/qrels.hpp"
#include "corpora/evaluation/trec_run.hpp"

namespace gannet::corpora {

/// Documents are ranked by descending score. TieOrder defines when scores are equal, and the order
/// of documents with equal scores.
enum class TieOrder {
  /// Scores are compared as float32. Equal scores are ordered by descending document id, byte by
  /// byte. trec_eval up to version 9, pytrec_eval and the tools built on it rank so; trec_eval 10
  /// compares doubles. The ranks of the run are ignored.
  kDocument,
  /// Scores are compared as doubles. Equal scores are ordered by the run's ranks, which is Gannet's
  /// own order (ascending docid).
  kRank,
};

struct EvaluationOptions {
  TieOrder ties = TieOrder::kDocument;
  /// True: the mean is over all judged topics, and a topic that the run lacks counts as 0
  /// (trec_eval -c). False: the mean is over the topics that both run and judgements have
  /// (trec_eval's default).
  bool complete = false;
  /// The cutoffs k of CutoffMeasures, each >= 1.
  std::vector<std::uint32_t> cutoffs = {5, 10, 20, 100, 1000};
};

/// Measures of the k best documents of a topic.
struct CutoffMeasures {
  std::uint32_t k = 0;
  double precision = 0;  ///< relevant documents among the first k, divided by k
  double recall = 0;     ///< relevant documents among the first k, divided by all relevant ones
  double ndcg = 0;       ///< nDCG: gain = grade (0 if negative), discount = log2(rank + 1)
};

/// Measures of a topic, or their means. All are 0 for a topic without a relevant document.
struct Measures {
  double average_precision = 0;  ///< AP; its mean is MAP
  double reciprocal_rank = 0;  ///< 1 / rank of the first relevant document; 0 if none is retrieved
  /// Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004. With R
  /// relevant documents and N documents judged not relevant (grade 0), bpref is the mean over the R
  /// relevant documents of 1 - min(n, R) / min(N, R), where n counts the documents of grade 0
  /// ranked before the relevant document. The term is 1 if n is 0, and 0 if the relevant document
  /// is not retrieved. Documents without a grade or with a negative grade are ignored.
  double bpref = 0;
  std::vector<CutoffMeasures> at = {};  ///< one per EvaluationOptions::cutoffs, in their order

  /// The measures at cutoff `k`. Throws UsageError if `k` is not among the cutoffs.
  const CutoffMeasures& at_cutoff(std::uint32_t k) const;
};

struct QueryMeasures {
  std::string query = {};
  std::uint64_t retrieved = 0;           ///< documents in the run
  std::uint64_t judged_retrieved = 0;    ///< documents in the run that have a grade
  std::uint64_t relevant = 0;            ///< documents with a grade above 0
  std::uint64_t relevant_retrieved = 0;  ///< documents in the run that have a grade above 0
  Measures measures = {};
};

struct Evaluation {
  /// The topics of the mean (EvaluationOptions::complete), ordered by id, byte by byte.
  std::vector<QueryMeasures> queries = {};
  Measures mean = {};                   ///< over `queries`; 0 if `queries` is empty
  std::uint64_t topics_not_in_run = 0;  ///< judged topics without documents in the run
  std::uint64_t topics_not_judged = 0;  ///< topics with documents in the run but without judgements
};

/// Evaluates a run. A list without documents counts as a topic that the run lacks, as in a run
/// file. Scores must not be NaN. Throws InputError if a judged topic has a document twice in the
/// run, if the run has a topic twice, or, with TieOrder::kRank, if a document of a judged topic has
/// no rank. Throws UsageError for a cutoff of 0. Takes O(n log n) time for a topic of n documents,
/// and one double for each rank up to the largest cutoff that a topic reaches. Thread-safe.
Evaluation evaluate(const Run& run, const Qrels& qrels, const EvaluationOptions& options = {});

/// Throws InputError if no topic with documents in the run is judged: then the two do not belong
/// together. The message names the first topic of each, and calls them as is said here.
/// Thread-safe.
void require_common_topics(const Run& run, const Qrels& qrels,
                           std::string_view run_name = "the run",
                           std::string_view qrels_name = "the judgements");

}  // namespace gannet::corpora
