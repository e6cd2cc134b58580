#include "corpora/evaluation/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "codecs/error.hpp"

namespace gannet::corpora {
namespace {

/// Grades of a query's documents in the order of ranking, and of all its judged ones, best first.
struct Graded {
  std::vector<int> ranking;
  std::vector<int> ideal;
};

std::vector<const RankedDocument*> ranked(const RankedList& list, TieOrder ties) {
  std::vector<const RankedDocument*> order;
  std::unordered_set<std::string_view> seen;
  for (const RankedDocument& document : list.documents) {
    if (!seen.insert(document.document).second) {
      throw InputError("the run has document '" + document.document + "' twice for query '" +
                       list.query + "'");
    }
    order.push_back(&document);
  }
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    if (a->score != b->score) return a->score > b->score;
    return ties == TieOrder::kRank ? a->rank < b->rank : a->document > b->document;
  });
  return order;
}

Graded grade(const RankedList* list, const Judgements& judgements, TieOrder ties) {
  Graded graded;
  for (const auto& [document, value] : judgements) {
    if (value > 0) graded.ideal.push_back(value);
  }
  std::sort(graded.ideal.begin(), graded.ideal.end(), std::greater<>());
  if (list == nullptr) return graded;
  for (const RankedDocument* document : ranked(*list, ties)) {
    const auto judged = judgements.find(document->document);
    graded.ranking.push_back(judged == judgements.end() ? 0 : std::max(judged->second, 0));
  }
  return graded;
}

double discounted_gain(const std::vector<int>& grades, std::size_t k) {
  double gain = 0;
  for (std::size_t i = 0; i < std::min(k, grades.size()); ++i) {
    gain += grades[i] / std::log2(static_cast<double>(i) + 2);
  }
  return gain;
}

std::uint64_t relevant_in(const std::vector<int>& grades, std::size_t k) {
  const auto end = grades.begin() + static_cast<std::ptrdiff_t>(std::min(k, grades.size()));
  return static_cast<std::uint64_t>(
      std::count_if(grades.begin(), end, [](int g) { return g > 0; }));
}

CutoffMeasures measures_at(const Graded& graded, std::uint32_t k) {
  const auto found = static_cast<double>(relevant_in(graded.ranking, k));
  return {k, found / k, found / static_cast<double>(graded.ideal.size()),
          discounted_gain(graded.ranking, k) / discounted_gain(graded.ideal, k)};
}

Measures measure(const Graded& graded, const std::vector<std::uint32_t>& cutoffs) {
  Measures measures;
  double precisions = 0;
  double found = 0;
  for (std::size_t i = 0; i < graded.ranking.size(); ++i) {
    if (graded.ranking[i] <= 0) continue;
    const double rank = static_cast<double>(i) + 1;
    if (found == 0) measures.reciprocal_rank = 1 / rank;
    precisions += ++found / rank;
  }
  measures.average_precision = precisions / static_cast<double>(graded.ideal.size());
  for (const std::uint32_t k : cutoffs) measures.at.push_back(measures_at(graded, k));
  return measures;
}

void add(const Measures& from, double weight, Measures& to) {
  to.average_precision += weight * from.average_precision;
  to.reciprocal_rank += weight * from.reciprocal_rank;
  for (std::size_t i = 0; i < to.at.size(); ++i) {
    to.at[i].precision += weight * from.at[i].precision;
    to.at[i].recall += weight * from.at[i].recall;
    to.at[i].ndcg += weight * from.at[i].ndcg;
  }
}

}  // namespace

const CutoffMeasures& Measures::at_cutoff(std::uint32_t k) const {
  for (const CutoffMeasures& measures : at) {
    if (measures.k == k) return measures;
  }
  throw UsageError("the evaluation has no measures at " + std::to_string(k));
}

Evaluation evaluate(const Run& run, const Qrels& qrels, const EvaluationOptions& options) {
  Evaluation evaluation;
  for (const std::uint32_t k : options.cutoffs) {
    if (k == 0)
      throw UsageError("measures at 0 documents make no sense; use a cutoff of 1 or more");
    evaluation.mean.at.push_back({.k = k});
  }
  std::unordered_map<std::string_view, const RankedList*> lists;
  for (const RankedList& list : run) {
    if (!lists.emplace(list.query, &list).second) {
      throw InputError("the run has query '" + list.query + "' twice");
    }
  }
  for (const auto& [query, judgements] : qrels) {
    const auto list = lists.find(query);
    const Graded graded =
        grade(list == lists.end() ? nullptr : list->second, judgements, options.ties);
    if (graded.ideal.empty()) continue;
    evaluation.queries.push_back({query, graded.ranking.size(), graded.ideal.size(),
                                  relevant_in(graded.ranking, graded.ranking.size()),
                                  measure(graded, options.cutoffs)});
  }
  const double weight =
      1.0 / static_cast<double>(std::max<std::size_t>(evaluation.queries.size(), 1));
  for (const QueryMeasures& query : evaluation.queries)
    add(query.measures, weight, evaluation.mean);
  return evaluation;
}

}  // namespace gannet::corpora
