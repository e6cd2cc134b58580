#include "tools/search/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>

#include "codecs/base/error.hpp"
#include "tools/options/column_options.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/topics_option.hpp"

namespace gannet::tools {

HelpText run_help() {
  return {"gannet run IDX --topics FILE (--output RUN | --results JSONL) [OPTIONS]",
          R"(
Runs every topic of a file and writes a TREC run file (qid Q0 id rank score tag).
Topics: id<TAB>text or id:text lines, TREC topics, or JSON ({"id": ..., "text": ...}, or
{"id": ..., "vector": {"term": weight}}, whose terms are taken as they are), compressed
or not; '-' is stdin. A topic's text is
taken as plain words; with --operators it is a query of the query language, in which
word^2.5 has a weight. A topic that is none ends the run, with its line and id in the message;
with --on-error skip it is named and left out, and the exit code is 8.

--results writes a line of JSON for each topic: its hits, their fields (--fields), groups
(--group), and what --facet, --histogram and --stats count over all documents that match, as
gannet search has them. With --sort, a run keeps the order of the hits, and its scores, by
which evaluators sort, count down to 1 from the number of the topic's hits.

Many queries are in flight at a time: while a batch is searched, the next one is planned and
the one before is written. --batch 1 measures the latency of single queries.)",
          R"(
  gannet run idx --topics queries.tsv --output bm25.run
  gannet run idx --topics topics.701-850 --output title.run --tag bm25-title
  gannet run idx --topics queries.tsv --output and.run --mode and --k 10 --json
  gannet run idx --topics queries.tsv --output ql.run --scorer dirichlet \
             --scorer-params mu=1500
  gannet run idx --topics queries.tsv --output rm3.run --expand rm3
  gannet run idx --topics queries.tsv --output new.run --filter 'year:>=2000'
  gannet run idx --topics queries.tsv --results answers.jsonl --k 10 \
             --sort year:desc,score --fields year,tag --facet tag:5
  gannet run idx --topics queries.tsv --output - --batch 1 --limit 1000 >single.run
  mpirun -n 4 gannet run --mpi idx-shards --topics queries.tsv --output bm25.run)"};
}

void declare_run_options(OptionSet& set) {
  using namespace options;
  set.add(kIndex, kTopicsOptions, kLimit, kRunOutputs, kHitsOfRun, kScoringOptions, kFilter,
          kExpansionOptions, kColumnOptions, kFields, kBackendOptions, kTimeLimit, kRunOptions);
  set.index_first();
}

bool is_to_stdout(const OptionSet& options, const char* output) {
  return options.has(output) && output_name(options.get<std::string>(output)) == "-";
}

void check_run_outputs(const OptionSet& options) {
  if (!options.has("output") && !options.has("results")) {
    throw UsageError("--output, for a run file, or --results, for lines of JSON, is missing");
  }
  if (is_to_stdout(options, "output") && is_to_stdout(options, "results")) {
    throw UsageError("--output and --results cannot both go to stdout");
  }
  for (const char* const name : {"output", "results"}) {
    if (options.has(name)) {
      check_text_output(options.get<std::string>(name), options.has("overwrite"));
    }
  }
  check_distinct_files(options, "output", "results");
  check_distinct_files(options, "output", "topics");
  check_distinct_files(options, "results", "topics");
  if (options.has("output") && options.has("group")) {
    throw UsageError("--group: a run file has no groups; write them with --results alone");
  }
  if (options.has("results")) return;
  for (const char* const name : {"fields", "facet", "histogram", "stats", "group"}) {
    if (!options.has(name)) continue;
    throw UsageError(fmt::format("--{}: a run file has no room for it; add --results", name));
  }
}

TopicRunOptions topic_run_options(const OptionSet& options, const index::Index& index,
                                  const std::stop_token& stop) {
  TopicRunOptions run;
  run.query = query_template(options, index);
  run.query.k = options.get<std::uint32_t>("k");
  run.plain = !options.has("operators");
  run.topics_name = options.get<std::string>("topics");
  run.skip_bad = skips_errors(options);
  run.batch = options.get<std::size_t>("batch");
  run.tag = options.get<std::string>("tag");
  run.layout = options.choice<corpora::RunLayout>("run-format");
  const unsigned threads = options.get<unsigned>("threads");
  run.threads = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  run.search = search_options(options);
  run.search.deadline = timeout_option(options);
  run.expansion = expansion_option(options);
  run.search.stop = stop;
  run.columns = column_request(options, index, run.query.k);
  run.columns.options.stop = stop;
  return run;
}

}  // namespace gannet::tools
