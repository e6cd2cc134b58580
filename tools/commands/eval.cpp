// gannet eval: effectiveness of a run.
#include <fmt/format.h>

#include <string>

#include "codecs/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "tools/commands/command.hpp"
#include "tools/terminal/json.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {
namespace {

namespace po = boost::program_options;
using corpora::Measures;

constexpr HelpText kHelp{
    "gannet eval --qrels QRELS --run RUN [OPTIONS]",
    "Scores a TREC run file against relevance judgements (qid 0 id grade): MAP, nDCG@10, P@10,\n"
    "recall@1000 and reciprocal rank, as trec_eval defines them, averaged over the queries that\n"
    "have a relevant document. Documents of equal score keep the order of the run's ranks;\n"
    "--ties trec_eval orders them by document id, as trec_eval does.",
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

void write_measures(Json& json, const Measures& measures) {
  json.begin_object().member("map", measures.average_precision);
  json.member("reciprocal_rank", measures.reciprocal_rank);
  for (const corpora::CutoffMeasures& at : measures.at) {
    json.member(fmt::format("ndcg@{}", at.k), at.ndcg);
    json.member(fmt::format("p@{}", at.k), at.precision);
    json.member(fmt::format("recall@{}", at.k), at.recall);
  }
  json.end_object();
}

void print_json(const corpora::Evaluation& evaluation, bool per_query) {
  Json json;
  json.begin_object().member("queries", evaluation.queries.size()).key("mean");
  write_measures(json, evaluation.mean);
  if (per_query) {
    json.key("per_query").begin_array();
    for (const corpora::QueryMeasures& query : evaluation.queries) {
      json.begin_object().member("query", query.query).member("retrieved", query.retrieved);
      json.member("relevant", query.relevant);
      json.member("relevant_retrieved", query.relevant_retrieved).key("measures");
      write_measures(json, query.measures);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object().print();
}

std::string row(std::string_view name, const Measures& measures) {
  return fmt::format("{:<12} {:.4f}   {:.4f}   {:.4f}   {:.4f}       {:.4f}\n", name,
                     measures.average_precision, measures.at_cutoff(10).ndcg,
                     measures.at_cutoff(10).precision, measures.at_cutoff(1000).recall,
                     measures.reciprocal_rank);
}

}  // namespace

int cmd_eval(Args args) {
  OptionSet options(kHelp);
  options.add()("qrels", po::value<std::string>()->required(), "relevance judgements")(
      "run", po::value<std::string>()->required(), "run file")(
      "ties", po::value<std::string>()->default_value("rank"), "rank or trec_eval")(
      "per-query", "a line for each query, too");
  if (!options.parse(args)) return kOk;

  const corpora::EvaluationOptions how = evaluation_options(options);
  const corpora::Qrels qrels = corpora::read_qrels(options.get<std::string>("qrels"));
  const corpora::Run run = corpora::read_run(options.get<std::string>("run"));
  const corpora::Evaluation evaluation = corpora::evaluate(run, qrels, how);
  if (options.json()) {
    print_json(evaluation, options.has("per-query"));
    return kOk;
  }
  fmt::print("query        MAP      nDCG@10  P@10     recall@1000  RR\n");
  if (options.has("per-query")) {
    for (const corpora::QueryMeasures& query : evaluation.queries) {
      fmt::print("{}", row(query.query, query.measures));
    }
  }
  fmt::print("{}", row(fmt::format("mean of {}", evaluation.queries.size()), evaluation.mean));
  return kOk;
}

}  // namespace gannet::tools
