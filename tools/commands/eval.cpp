// gannet eval: effectiveness of a run.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/data.hpp"
#include "tools/terminal/input_path.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

using corpora::Measures;

constexpr HelpText kEvalHelp{"gannet eval --qrels QRELS --run RUN [OPTIONS]",
                             R"(
Scores a run file, TREC's or MS MARCO's (qid id rank), against relevance judgements (qid 0 id
grade): MAP, nDCG@10, P@10, recall@1000, reciprocal rank and bpref. The numbers are
trec_eval's, on any run: averaged over the topics that both files have (--complete: over all
judged ones, trec_eval -c), scores compared as 32-bit floats, equal ones ordered by document
id, the last first. --ties rank keeps the order of the run's ranks instead. Topics that one
file alone has are counted on stderr. Either file may be stdin, '-'. Ends with 1 if no
document is relevant to any topic.)",
                             R"(
  gannet eval --qrels qrels.txt --run bm25.run
  gannet eval --qrels qrels.txt --run bm25.run --per-query | sort -k2 -n | head
  gannet eval --qrels qrels.txt --run bm25.run --json | jq .mean.map)"};

corpora::EvaluationOptions evaluation_options(const OptionSet& options) {
  corpora::EvaluationOptions evaluation;
  evaluation.ties = options.choice<corpora::TieOrder>("ties");
  evaluation.complete = options.has("complete");
  return evaluation;
}

Json eval_json(const Measures& measures) {
  Json json{
      {"map", measures.average_precision},
      {"reciprocal_rank", measures.reciprocal_rank},
      {"bpref", measures.bpref},
  };
  for (const corpora::CutoffMeasures& at : measures.at) {
    json[fmt::format("ndcg@{}", at.k)] = at.ndcg;
    json[fmt::format("p@{}", at.k)] = at.precision;
    json[fmt::format("recall@{}", at.k)] = at.recall;
  }
  return json;
}

Json eval_json(const corpora::Evaluation& evaluation, const std::vector<std::string>& warnings,
               bool per_query) {
  Json json{
      {"queries", evaluation.queries.size()},
      {"topics_not_in_run", evaluation.topics_not_in_run},
      {"topics_not_judged", evaluation.topics_not_judged},
      {"mean", eval_json(evaluation.mean)},
      {"warnings", warnings},
  };
  if (!per_query) return json;
  Json& rows = json["per_query"] = Json::array();
  for (const corpora::QueryMeasures& query : evaluation.queries) {
    rows.push_back({
        {"query", query.query},
        {"retrieved", query.retrieved},
        {"judged_retrieved", query.judged_retrieved},
        {"relevant", query.relevant},
        {"relevant_retrieved", query.relevant_retrieved},
        {"measures", eval_json(query.measures)},
    });
  }
  return json;
}

/// Of all topics that the mean is over.
std::uint64_t eval_total(const corpora::Evaluation& evaluation,
                         std::uint64_t corpora::QueryMeasures::*count) {
  std::uint64_t total = 0;
  for (const corpora::QueryMeasures& query : evaluation.queries) total += query.*count;
  return total;
}

/// Which topics the mean is not over, or over with nothing found.
void tell_topics(const corpora::Evaluation& evaluation, bool complete) {
  if (const std::uint64_t missing = evaluation.topics_not_in_run; missing != 0) {
    note("{} {} not in the run: {}", counted(missing, "judged topic"), missing == 1 ? "is" : "are",
         complete ? "counted as 0" : "left out of the mean (with --complete counted as 0)");
  }
  if (const std::uint64_t unknown = evaluation.topics_not_judged; unknown != 0) {
    note("{} of the run {} no judgements: left out of the mean", counted(unknown, "topic"),
         unknown == 1 ? "has" : "have");
  }
}

/// What makes the numbers say nothing.
std::vector<std::string> eval_warnings(const corpora::Evaluation& evaluation) {
  using corpora::QueryMeasures;
  std::vector<std::string> warnings;
  if (eval_total(evaluation, &QueryMeasures::relevant) == 0) {
    warnings.emplace_back(
        "the judgements have no relevant document (grade above 0) for these topics: every measure "
        "is 0");
  }
  if (eval_total(evaluation, &QueryMeasures::judged_retrieved) == 0) {
    warnings.emplace_back(
        "no document of the run has a judgement: do the run and the judgements have the same "
        "document ids?");
  }
  return warnings;
}

/// The table's first column is as wide as its longest entry.
class EvalTable {
 public:
  explicit EvalTable(const std::vector<std::string>& names) {
    for (const std::string& name : names) width_ = std::max(width_, columns_of(printable(name)));
  }

  void head() const {
    print("{}MAP      nDCG@10  P@10     recall@1000  RR       bpref\n", cell("query"));
  }

  void row(std::string_view name, const Measures& measures) const {
    print("{}{:.4f}   {:.4f}   {:.4f}   {:.4f}       {:.4f}   {:.4f}\n", cell(name),
          measures.average_precision, measures.at_cutoff(10).ndcg, measures.at_cutoff(10).precision,
          measures.at_cutoff(1000).recall, measures.reciprocal_rank, measures.bpref);
  }

 private:
  std::string cell(std::string_view name) const {
    const std::size_t taken = columns_of(printable(name));
    return fmt::format("{}{:{}}", name, "", width_ + 1 - std::min(taken, width_));
  }

  std::size_t width_ = 12;
};

void print_table(const corpora::Evaluation& evaluation, bool per_query) {
  const std::string mean = fmt::format("mean of {}", evaluation.queries.size());
  std::vector<std::string> names{mean};
  if (per_query) {
    for (const corpora::QueryMeasures& query : evaluation.queries) names.push_back(query.query);
  }
  const EvalTable table(names);
  table.head();
  if (per_query) {
    for (const corpora::QueryMeasures& query : evaluation.queries) {
      table.row(query.query, query.measures);
    }
  }
  table.row(mean, evaluation.mean);
}

}  // namespace

int cmd_eval(Args args) {
  OptionSet options(kEvalHelp);
  options.add(options::kEvalOptions);
  if (!options.parse(args)) return kOk;

  const corpora::EvaluationOptions how = evaluation_options(options);
  const std::string qrels_name = input_path(options.get<std::string>("qrels"));
  const std::string run_name = input_path(options.get<std::string>("run"));
  if (run_name == "/dev/stdin" && qrels_name == run_name) {
    throw UsageError("--run and --qrels cannot both be read from stdin");
  }
  const corpora::Qrels qrels = corpora::read_qrels(qrels_name);
  const corpora::Run run = corpora::read_run(run_name);
  const corpora::Evaluation evaluation = corpora::evaluate(run, qrels, how);
  corpora::require_common_topics(run, qrels, run_name, qrels_name);
  const std::vector<std::string> warnings = eval_warnings(evaluation);
  if (options.json()) {
    print_result("eval", eval_json(evaluation, warnings, options.has("per-query")));
  } else {
    print_table(evaluation, options.has("per-query"));
    tell_topics(evaluation, how.complete);
  }
  for (const std::string& warning : warnings) print_warning(warning);
  return eval_total(evaluation, &corpora::QueryMeasures::relevant) == 0 ? kNegative : kOk;
}

}  // namespace gannet::tools
