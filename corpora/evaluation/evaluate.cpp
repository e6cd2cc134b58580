#include "corpora/evaluation/evaluate.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/discounts.hpp"

namespace gannet::corpora {
namespace {

/// What is said of a document of the run: its grade, or one of these.
constexpr int kNotJudged = -1;  ///< also by a grade below 0, as in trec_eval

/// Grades of a query's documents in the order of ranking, and of all its relevant ones, best first.
struct Graded {
  std::vector<int> ranking;
  std::vector<int> ideal;
  std::uint64_t judged_retrieved = 0;     ///< by any grade
  std::uint64_t judged_not_relevant = 0;  ///< by grade 0
};

/// A document of the run as it is sorted.
struct SortedDocument {
  double score;
  std::uint64_t rank;
  std::string_view id;
};

SortedDocument sorted_document(const RankedDocument& document, TieOrder ties,
                               std::string_view query) {
  if (ties == TieOrder::kDocument) {
    return {static_cast<double>(static_cast<float>(document.score)), 0, document.document};
  }
  if (!document.rank) {
    throw InputError("the rank of document '" + document.document + "' for query '" +
                     std::string(query) + "' is no number; order equal scores by document ids");
  }
  return {document.score, *document.rank, document.document};
}

std::vector<SortedDocument> ranked(const RankedList& list, TieOrder ties) {
  std::vector<SortedDocument> order;
  order.reserve(list.documents.size());
  std::unordered_set<std::string_view> seen;
  for (const RankedDocument& document : list.documents) {
    if (!seen.insert(document.document).second) {
      throw InputError("the run has document '" + document.document + "' twice for query '" +
                       list.query + "'");
    }
    order.push_back(sorted_document(document, ties, list.query));
  }
  std::ranges::stable_sort(order, [&](const SortedDocument& a, const SortedDocument& b) {
    if (a.score != b.score) return a.score > b.score;
    return ties == TieOrder::kRank ? a.rank < b.rank : a.id > b.id;
  });
  return order;
}

Graded grade(const RankedList* list, const Judgements& judgements, TieOrder ties) {
  Graded graded;
  for (const auto& [document, value] : judgements) {
    if (value > 0) graded.ideal.push_back(value);
    if (value == 0) ++graded.judged_not_relevant;
  }
  std::sort(graded.ideal.begin(), graded.ideal.end(), std::greater<>());
  if (list == nullptr) return graded;
  for (const SortedDocument& document : ranked(*list, ties)) {
    const auto judged = judgements.find(std::string(document.id));
    const bool known = judged != judgements.end();
    if (known) ++graded.judged_retrieved;
    graded.ranking.push_back(known ? std::max(judged->second, kNotJudged) : kNotJudged);
  }
  return graded;
}

/// Of the first `k` documents; `discounts`: of as many ranks at least.
double discounted_gain(const std::vector<int>& grades, std::size_t k,
                       const std::vector<double>& discounts) {
  double gain = 0;
  for (std::size_t i = 0; i < std::min(k, grades.size()); ++i) {
    if (grades[i] > 0) gain += grades[i] / discounts[i];
  }
  return gain;
}

std::uint64_t relevant_in(const std::vector<int>& grades, std::size_t k) {
  const auto end = grades.begin() + static_cast<std::ptrdiff_t>(std::min(k, grades.size()));
  return static_cast<std::uint64_t>(
      std::count_if(grades.begin(), end, [](int g) { return g > 0; }));
}

CutoffMeasures measures_at(const Graded& graded, std::uint32_t k,
                           const std::vector<double>& discounts) {
  const auto found = static_cast<double>(relevant_in(graded.ranking, k));
  if (graded.ideal.empty()) return {.k = k};
  return {
      k, found / k, found / static_cast<double>(graded.ideal.size()),
      discounted_gain(graded.ranking, k, discounts) / discounted_gain(graded.ideal, k, discounts)};
}

double preference(const Graded& graded) {
  const auto relevant = static_cast<std::uint64_t>(graded.ideal.size());
  const auto most = static_cast<double>(std::min(graded.judged_not_relevant, relevant));
  std::uint64_t before = 0;
  double sum = 0;
  for (const int value : graded.ranking) {
    if (value == 0) ++before;
    if (value <= 0) continue;
    sum += before == 0 ? 1.0 : 1.0 - static_cast<double>(std::min(before, relevant)) / most;
  }
  return sum / static_cast<double>(relevant);
}

Measures measure(const Graded& graded, const std::vector<std::uint32_t>& cutoffs,
                 const std::vector<double>& discounts) {
  Measures measures;
  for (const std::uint32_t k : cutoffs) measures.at.push_back(measures_at(graded, k, discounts));
  if (graded.ideal.empty()) return measures;
  double precisions = 0;
  double found = 0;
  for (std::size_t i = 0; i < graded.ranking.size(); ++i) {
    if (graded.ranking[i] <= 0) continue;
    const double rank = static_cast<double>(i) + 1;
    if (found == 0) measures.reciprocal_rank = 1 / rank;
    precisions += ++found / rank;
  }
  measures.average_precision = precisions / static_cast<double>(graded.ideal.size());
  measures.bpref = preference(graded);
  return measures;
}

/// Calls apply(sum, value) for each measure.
template <class Combine>
void combine(Measures& sums, const Measures& values, Combine apply) {
  apply(sums.average_precision, values.average_precision);
  apply(sums.reciprocal_rank, values.reciprocal_rank);
  apply(sums.bpref, values.bpref);
  for (std::size_t i = 0; i < sums.at.size(); ++i) {
    apply(sums.at[i].precision, values.at[i].precision);
    apply(sums.at[i].recall, values.at[i].recall);
    apply(sums.at[i].ndcg, values.at[i].ndcg);
  }
}

/// Sums in the order of the queries, then one division, as in trec_eval: the same bits.
Measures mean_of(const std::vector<QueryMeasures>& queries, Measures mean) {
  if (queries.empty()) return mean;
  for (const QueryMeasures& query : queries) {
    combine(mean, query.measures, [](double& sum, double value) { sum += value; });
  }
  const auto count = static_cast<double>(queries.size());
  combine(mean, mean, [&](double& sum, double) { sum /= count; });
  return mean;
}

Measures no_measures(const std::vector<std::uint32_t>& cutoffs) {
  Measures none;
  for (const std::uint32_t k : cutoffs) {
    if (k == 0)
      throw UsageError("measures at 0 documents make no sense; use a cutoff of 1 or more");
    none.at.push_back({.k = k});
  }
  return none;
}

using Lists = std::unordered_map<std::string_view, const RankedList*>;

/// By query; those without documents are left out.
Lists lists_of(const Run& run) {
  Lists lists;
  for (const RankedList& list : run) {
    if (!lists.emplace(list.query, &list).second) {
      throw InputError("the run has query '" + list.query + "' twice");
    }
  }
  std::erase_if(lists, [](const auto& list) { return list.second->documents.empty(); });
  return lists;
}

/// As many as a cutoff reaches.
std::vector<double> discounts_for(const Run& run, const Qrels& qrels,
                                  const std::vector<std::uint32_t>& cutoffs) {
  std::size_t longest = 0;
  for (const RankedList& list : run) longest = std::max(longest, list.documents.size());
  for (const auto& [query, judgements] : qrels) longest = std::max(longest, judgements.size());
  const std::size_t deepest = cutoffs.empty() ? 0 : *std::ranges::max_element(cutoffs);
  return rank_discounts(std::min(longest, deepest));
}

QueryMeasures measures_of(const std::string& query, const RankedList* list,
                          const Judgements& judgements, const EvaluationOptions& options,
                          const std::vector<double>& discounts) {
  const Graded graded = grade(list, judgements, options.ties);
  return {query,
          graded.ranking.size(),
          graded.judged_retrieved,
          graded.ideal.size(),
          relevant_in(graded.ranking, graded.ranking.size()),
          measure(graded, options.cutoffs, discounts)};
}

}  // namespace

const CutoffMeasures& Measures::at_cutoff(std::uint32_t k) const {
  for (const CutoffMeasures& measures : at) {
    if (measures.k == k) return measures;
  }
  throw UsageError("the evaluation has no measures at " + std::to_string(k));
}

Evaluation evaluate(const Run& run, const Qrels& qrels, const EvaluationOptions& options) {
  const Measures none = no_measures(options.cutoffs);
  const Lists lists = lists_of(run);
  const std::vector<double> discounts = discounts_for(run, qrels, options.cutoffs);
  Evaluation evaluation;
  evaluation.topics_not_judged = lists.size();
  for (const auto& [query, judgements] : qrels) {
    const auto found = lists.find(query);
    const RankedList* const list = found == lists.end() ? nullptr : found->second;
    if (list == nullptr) {
      ++evaluation.topics_not_in_run;
      if (!options.complete) continue;
    } else {
      --evaluation.topics_not_judged;
    }
    evaluation.queries.push_back(measures_of(query, list, judgements, options, discounts));
  }
  evaluation.mean = mean_of(evaluation.queries, none);
  return evaluation;
}

void require_common_topics(const Run& run, const Qrels& qrels, std::string_view run_name,
                           std::string_view qrels_name) {
  const auto common = [&](const RankedList& list) {
    return !list.documents.empty() && qrels.contains(list.query);
  };
  if (std::any_of(run.begin(), run.end(), common)) return;
  throw InputError(
      std::string(run_name) + " and " + std::string(qrels_name) +
      " have no topic in common: the run " +
      (run.empty() ? "has no topic" : "begins with topic '" + run.front().query + "'") +
      ", the judgements " +
      (qrels.empty() ? "have none" : "begin with topic '" + qrels.begin()->first + "'"));
}

}  // namespace gannet::corpora
