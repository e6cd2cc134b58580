// Runs against judgements, as `gannet eval` scores them.
#include "corpora/evaluation/evaluate.hpp"

#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "tools/options/table/data.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {
namespace {

/// Ids of documents with their grades, or with their scores, best first.
template <class T>
using Documents = std::vector<std::pair<std::string, T>>;
template <class T>
using Topics = std::vector<std::pair<std::string, Documents<T>>>;

corpora::Qrels qrels_of(const nb::object& given) {
  if (nb::isinstance<nb::str>(given)) {
    const auto path = nb::cast<std::string>(given);
    const nb::gil_scoped_release unlocked;
    return corpora::read_qrels(path);
  }
  corpora::Qrels qrels;
  for (auto& [topic, documents] : nb::cast<Topics<int>>(given)) {
    qrels[topic] = {documents.begin(), documents.end()};
  }
  return qrels;
}

corpora::Run run_of(const nb::object& given) {
  if (nb::isinstance<nb::str>(given)) {
    const auto path = nb::cast<std::string>(given);
    const nb::gil_scoped_release unlocked;
    return corpora::read_run(path);
  }
  corpora::Run run;
  for (auto& [topic, documents] : nb::cast<Topics<double>>(given)) {
    corpora::RankedList& list = run.emplace_back(corpora::RankedList{std::move(topic), {}});
    for (auto& [id, score] : documents) {
      list.documents.push_back({std::move(id), list.documents.size() + 1, score});
    }
  }
  return run;
}

nb::dict dict_of(const corpora::Measures& measures) {
  nb::dict made;
  made["map"] = measures.average_precision;
  made["reciprocal_rank"] = measures.reciprocal_rank;
  made["bpref"] = measures.bpref;
  for (const corpora::CutoffMeasures& at : measures.at) {
    const std::string k = std::to_string(at.k);
    made[("ndcg@" + k).c_str()] = at.ndcg;
    made[("p@" + k).c_str()] = at.precision;
    made[("recall@" + k).c_str()] = at.recall;
  }
  return made;
}

nb::dict evaluate(const nb::object& qrels, const nb::object& run, bool complete,
                  const std::string& ties) {
  corpora::EvaluationOptions options;
  options.complete = complete;
  options.ties = static_cast<corpora::TieOrder>(
      tools::choice_named("ties", tools::options::names_in<tools::options::kTiesNames>(), ties));
  const corpora::Qrels judged = qrels_of(qrels);
  const corpora::Run ranked = run_of(run);
  const corpora::Evaluation found = interruptible(
      [&](const std::stop_token&) { return corpora::evaluate(ranked, judged, options); });
  corpora::require_common_topics(ranked, judged);
  nb::dict queries;
  for (const corpora::QueryMeasures& query : found.queries) {
    nb::dict one = dict_of(query.measures);
    one["retrieved"] = query.retrieved;
    one["judged_retrieved"] = query.judged_retrieved;
    one["relevant"] = query.relevant;
    one["relevant_retrieved"] = query.relevant_retrieved;
    queries[query.query.c_str()] = one;
  }
  nb::dict made;
  made["mean"] = dict_of(found.mean);
  made["per_query"] = queries;
  made["topics_not_in_run"] = found.topics_not_in_run;
  made["topics_not_judged"] = found.topics_not_judged;
  return made;
}

/// The same of a run that another package evaluates. Topics without hits count there.
void require_common_topics(const std::vector<std::string>& judged,
                           const std::vector<std::string>& topics) {
  corpora::Qrels qrels;
  for (const std::string& topic : judged) qrels[topic];
  corpora::Run run;
  for (const std::string& topic : topics) {
    run.push_back({topic, std::vector<corpora::RankedDocument>(1)});
  }
  corpora::require_common_topics(run, qrels);
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  module.def("evaluate", evaluate, nb::arg("qrels"), nb::arg("run"), nb::arg("complete"),
             nb::arg("ties"));
  module.def("require_common_topics", require_common_topics, nb::arg("judged"), nb::arg("topics"));
}

}  // namespace gannet::python
