// gannet eval: effectiveness of a run.
#include <fmt/format.h>

#include <string>

#include "codecs/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

using corpora::Measures;

constexpr HelpText kEvalHelp{
    "gannet eval --qrels QRELS --run RUN [OPTIONS]",
    "Scores a run file, TREC's or MS MARCO's (qid id rank), against relevance judgements (qid 0 "
    "id\n"
    "grade): MAP, nDCG@10, P@10, recall@1000 and reciprocal rank, as trec_eval defines them,\n"
    "averaged over the queries that have a relevant document. Documents of equal score keep the\n"
    "order of the run's ranks; --ties trec_eval orders them by document id, as trec_eval does.",
    "  gannet eval --qrels qrels.txt --run bm25.run\n"
    "  gannet eval --qrels qrels.txt --run bm25.run --per-query | sort -k2 -n | head\n"
    "  gannet eval --qrels qrels.txt --run bm25.run --json | jq .mean.map"};

corpora::EvaluationOptions evaluation_options(const OptionSet& options) {
  corpora::EvaluationOptions evaluation;
  const auto& ties = options.get<std::string>("ties");
  if (ties != "rank" && ties != "trec_eval") {
    throw UsageError(fmt::format("--ties: '{}' is neither 'rank' nor 'trec_eval'", ties));
  }
  evaluation.ties = ties == "rank" ? corpora::TieOrder::kRank : corpora::TieOrder::kDocument;
  return evaluation;
}

Json eval_json(const Measures& measures) {
  Json json{
      {"map", measures.average_precision},
      {"reciprocal_rank", measures.reciprocal_rank},
  };
  for (const corpora::CutoffMeasures& at : measures.at) {
    json[fmt::format("ndcg@{}", at.k)] = at.ndcg;
    json[fmt::format("p@{}", at.k)] = at.precision;
    json[fmt::format("recall@{}", at.k)] = at.recall;
  }
  return json;
}

Json eval_json(const corpora::Evaluation& evaluation, bool per_query) {
  Json json{
      {"queries", evaluation.queries.size()},
      {"mean", eval_json(evaluation.mean)},
  };
  if (!per_query) return json;
  Json& rows = json["per_query"] = Json::array();
  for (const corpora::QueryMeasures& query : evaluation.queries) {
    rows.push_back({
        {"query", query.query},
        {"retrieved", query.retrieved},
        {"relevant", query.relevant},
        {"relevant_retrieved", query.relevant_retrieved},
        {"measures", eval_json(query.measures)},
    });
  }
  return json;
}

std::string row(std::string_view name, const Measures& measures) {
  return fmt::format("{:<12} {:.4f}   {:.4f}   {:.4f}   {:.4f}       {:.4f}\n", name,
                     measures.average_precision, measures.at_cutoff(10).ndcg,
                     measures.at_cutoff(10).precision, measures.at_cutoff(1000).recall,
                     measures.reciprocal_rank);
}

}  // namespace

int cmd_eval(Args args) {
  OptionSet options(kEvalHelp);
  options.add("qrels", text()->required(), "relevance judgements");
  options.add("run", text()->required(), "run file");
  options.add("ties", text("rank"), "rank or trec_eval");
  options.flag("per-query", "a line for each query, too");
  if (!options.parse(args)) return kOk;

  const corpora::EvaluationOptions how = evaluation_options(options);
  const corpora::Qrels qrels = corpora::read_qrels(options.get<std::string>("qrels"));
  const corpora::Run run = corpora::read_run(options.get<std::string>("run"));
  const corpora::Evaluation evaluation = corpora::evaluate(run, qrels, how);
  if (options.json()) {
    print_result("eval", eval_json(evaluation, options.has("per-query")));
    return kOk;
  }
  print("query        MAP      nDCG@10  P@10     recall@1000  RR\n");
  if (options.has("per-query")) {
    for (const corpora::QueryMeasures& query : evaluation.queries) {
      print("{}", row(query.query, query.measures));
    }
  }
  print("{}", row(fmt::format("mean of {}", evaluation.queries.size()), evaluation.mean));
  return kOk;
}

}  // namespace gannet::tools
