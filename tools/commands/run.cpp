// gannet run: a topics file in batch, to a TREC run file.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "codecs/core/cancellation.hpp"
#include "corpora/evaluation/trec_run.hpp"
#include "corpora/topics/topics.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/output/raw_values.hpp"
#include "tools/search/keep_memory.hpp"
#include "tools/search/topic_runner.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kHelp{
    "gannet run --index IDX --topics FILE --output RUN [OPTIONS]",
    "Runs every topic of a file and writes a TREC run file (qid Q0 id rank score tag).\n"
    "Topics: id<TAB>text or id:text lines, TREC topics, or JSON vectors ({\"id\": ...,\n"
    "\"vector\": {\"term\": weight}}, one a line), whose terms are taken as they are; gzip and "
    "zstd\n"
    "too. A topic's text is\n"
    "taken as plain words; with --operators it is a query of the query language, in which\n"
    "word^2.5 has a weight.\n"
    "Many queries are in flight at a time: while a batch is searched, the next one is planned and\n"
    "the one before is written. --batch 1 measures the latency of single queries.",
    "  gannet run --index idx --topics queries.tsv --output bm25.run\n"
    "  gannet run --index idx --topics topics.701-850 --output title.run --tag bm25-title\n"
    "  gannet run --index idx --topics queries.tsv --output and.run --mode and --k 10 --json\n"
    "  gannet run --index idx --topics queries.tsv --output ql.run --scorer dirichlet \\\n"
    "             --scorer-params mu=1500\n"
    "  gannet run --index idx --topics queries.tsv --output rm3.run --expand rm3\n"
    "  gannet run --index idx --topics queries.tsv --output new.run --filter 'year:>=2000'\n"
    "  gannet run --index idx --topics queries.tsv --output - --batch 1 --limit 1000 >single.run"};

TopicRunOptions run_options(const OptionSet& options, const index::Index& index,
                            const std::stop_token& stop) {
  const auto k = options.get<std::int64_t>("k");
  const auto batch = options.get<std::int64_t>("batch");
  check_range("--k", k, 0, 0xffffffff);
  check_range("--batch", batch, 1, 1 << 24);
  TopicRunOptions run;
  run.query = query_template(options, index);
  run.query.k = static_cast<std::uint32_t>(k);
  run.plain = !options.has("operators");
  run.batch = static_cast<std::size_t>(batch);
  run.tag = options.get<std::string>("tag");
  const unsigned threads = options.get<unsigned>("threads");
  run.threads = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  run.search = search_options(options);
  run.expansion = expansion_option(options);
  run.search.stop = stop;
  return run;
}

bool goes_to_stdout(const OptionSet& options) {
  return output_name(options.get<std::string>("output")) == "-";
}

corpora::RunWriter open_run(const OptionSet& options, const std::stop_token& stop) {
  const auto& tag = options.get<std::string>("tag");
  if (!goes_to_stdout(options)) {
    return {std::filesystem::path(options.get<std::string>("output")), tag, stop};
  }
  const auto to_stdout = [](std::string_view lines) {
    print_text(stdout, lines);
    flush_stdout();
  };
  return {corpora::RunWriter::Sink(to_stdout), tag};
}

TopicOutcome run_all(const OptionSet& options, const std::vector<corpora::Topic>& topics) {
  const auto index = open_index(options);
  const InterruptGuard guard;
  const TopicRunOptions run = run_options(options, *index, guard.token());
  const query::Searcher searcher = open_searcher(index, options);
  corpora::RunWriter writer = open_run(options, guard.token());
  Progress progress(options.has("quiet"));
  TopicOutcome outcome = run_topics(searcher, run, topics, writer, [&](std::size_t done) {
    progress.update("queries", done, topics.size());
  });
  throw_if_stopped(guard.token());
  writer.close();
  return outcome;
}

/// The smallest time that `share` of the batches do not exceed.
double quantile(std::vector<double> times, double share) {
  if (times.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), times.begin() + rank, times.end());
  return times[static_cast<std::size_t>(rank)];
}

double mean(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times) sum += time;
  return times.empty() ? 0 : sum / static_cast<double>(times.size());
}

double queries_per_second(const TopicOutcome& outcome) {
  const double seconds = outcome.timing.wall;
  return seconds > 0 ? static_cast<double>(outcome.report.queries) / seconds : 0;
}

Json json_summary(const OptionSet& options, const TopicOutcome& outcome) {
  const std::vector<double>& batches = outcome.timing.batches;
  return {
      {"output", options.get<std::string>("output")},
      {"queries", outcome.report.queries},
      {"hits", outcome.hits},
      {"queries_without_hits", outcome.without_hits},
      {"k", options.get<std::int64_t>("k")},
      {"mode", options.get<std::string>("mode")},
      {"scorer", json_of(outcome.scorer)},
      {"filter", options.has("filter") ? Json(options.get<std::string>("filter")) : Json()},
      {"expansion", outcome.expansion.empty() ? Json() : Json(outcome.expansion)},
      {"batch", options.get<std::int64_t>("batch")},
      {"queries_per_second", queries_per_second(outcome)},
      {"seconds",
       {
           {"analysis", outcome.timing.analysis},
           {"planning", outcome.timing.planning},
           {"expanding", outcome.timing.expanding},
           {"searching", outcome.timing.searching},
           {"writing", outcome.timing.writing},
           {"wall", outcome.timing.wall},
       }},
      {"batch_latency_seconds",
       {
           {"mean", mean(batches)},
           {"p50", quantile(batches, 0.5)},
           {"p95", quantile(batches, 0.95)},
           {"p99", quantile(batches, 0.99)},
           {"max", quantile(batches, 1)},
       }},
      {"report", json_of(outcome.report)},
  };
}

std::string text_summary(const OptionSet& options, const TopicOutcome& outcome) {
  const query::Report& report = outcome.report;
  const std::vector<double>& batches = outcome.timing.batches;
  const auto batch = options.get<std::int64_t>("batch");
  std::string text = fmt::format("back end {}{}\n", report.backend,
                                 report.reason.empty() ? "" : " (" + report.reason + ")");
  text += fmt::format("scorer {}\n", query::to_string(outcome.scorer));
  if (options.has("filter")) text += fmt::format("filter {}\n", options.get<std::string>("filter"));
  if (!outcome.expansion.empty()) text += fmt::format("expansion {}\n", outcome.expansion);
  text += fmt::format("{} queries, {} hits, {} queries without hits\n", with_commas(report.queries),
                      with_commas(outcome.hits), with_commas(outcome.without_hits));
  text += fmt::format(
      "{:.0f} queries/s from topics to lines; analysis took {}, planning {}, searching {} ({:.1f} "
      "million postings/s of the queries' lists), writing {}\n",
      queries_per_second(outcome), human_seconds(outcome.timing.analysis),
      human_seconds(outcome.timing.planning), human_seconds(outcome.timing.searching),
      report.seconds > 0 ? static_cast<double>(report.postings) / 1e6 / report.seconds : 0.0,
      human_seconds(outcome.timing.writing));
  text +=
      fmt::format("latency of {}: mean {}, p50 {}, p95 {}, p99 {}\n",
                  batch == 1 ? "a query" : fmt::format("a batch of {}", batch),
                  human_seconds(mean(batches)), human_seconds(quantile(batches, 0.5)),
                  human_seconds(quantile(batches, 0.95)), human_seconds(quantile(batches, 0.99)));
  return text;
}

}  // namespace

int cmd_run(Args args) {
  OptionSet options(kHelp);
  add_index_option(options);
  add_topics_options(options);
  options.add("output", text()->required(), "the run file; '-': stdout");
  options.add("k", number<std::int64_t>(1000), "hits a query");
  add_scoring_options(options);
  add_filter_option(options);
  add_expansion_options(options);
  add_backend_options(options);
  options.add("batch", number<std::int64_t>(4096), "queries in a batch");
  options.flag("operators", "topics are queries of the query language");
  options.add("tag", text("gannet"), "name of the run, its last column");
  options.flag("quiet", "no progress line and no summary");
  if (!options.parse(args)) return kOk;

  keep_freed_memory();
  const TopicOutcome outcome = run_all(options, read_topics_option(options));
  std::FILE* const messages = goes_to_stdout(options) ? stderr : stdout;
  if (options.json()) {
    print_json(json_summary(options, outcome), messages);
  } else if (!options.has("quiet")) {
    print(messages, "{}", text_summary(options, outcome));
  }
  return kOk;
}

}  // namespace gannet::tools
