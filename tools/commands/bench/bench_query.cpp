// gannet bench query: throughput and latency of a query log.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "codecs/base/error.hpp"
#include "corpora/topics/topics.hpp"
#include "tools/commands/bench/bench.hpp"
#include "tools/measure/query.hpp"
#include "tools/measure/report.hpp"
#include "tools/measure/stats.hpp"
#include "tools/measure/table.hpp"
#include "tools/options/column_options.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/raw_values.hpp"
#include "tools/options/table/measuring.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/search/keep_memory.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kBenchQueryHelp{"gannet bench query IDX --topics FILE [OPTIONS]",
                                   R"(
Measures how fast an index answers a query log: in batches (queries and postings a second) and
one query at a time (latency). Medians of several passes after a warm-up. Planning is measured
apart from searching, the same way.

With --sort, --facet, --histogram, --stats or --group, what is measured is asking that of the
columns of all documents that match each query, with the k best hits (--k 0: none).)",
                                   R"(
  gannet bench query idx --topics queries.tsv
  gannet bench query idx --topics log.tsv --k 10,1000 --mode or,and --batch 1,256,all
  gannet bench query idx --topics log.tsv --backend cuda --check 100 --json
  gannet bench query idx --topics log.tsv --k 0 --facet tag:10 --stats price)"};

/// One combination of mode and k.
struct Setting {
  std::string mode;
  query::Query query;
};

std::vector<Setting> settings_of(const OptionSet& options, const query::ScorerSpec& scorer,
                                 const query::Filter& filter) {
  std::vector<Setting> settings;
  for (const std::string& mode : split_commas(options.get<std::string>("mode"))) {
    for (const std::string& k : split_commas(options.get<std::string>("k"))) {
      Setting setting{mode, {}};
      setting.query.mode = mode == "and" ? query::Mode::kAnd : query::Mode::kOr;
      setting.query.scorer = scorer;
      setting.query.filter = filter;
      setting.query.dependence = dependence_option(options);
      setting.query.want = options.choice<query::Want>("want");
      setting.query.k = static_cast<std::uint32_t>(whole_value("--k", {0, 1 << 30}, k));
      settings.push_back(std::move(setting));
    }
  }
  if (settings.empty()) throw UsageError("--mode or --k: nothing is named");
  return settings;
}

std::vector<std::uint64_t> batches_of(const OptionSet& options, std::size_t queries) {
  std::vector<std::uint64_t> batches;
  for (const std::string& text : split_commas(options.get<std::string>("batch"))) {
    const std::uint64_t batch =
        text == "all" ? queries : whole_value("--batch", {1, ~std::uint64_t{0}}, text);
    batches.push_back(std::min<std::uint64_t>(batch, queries));
  }
  if (batches.empty()) throw UsageError("--batch: nothing is named");
  return batches;
}

/// What was measured for one setting and batch size.
struct Row {
  std::string mode;
  std::uint32_t k;
  QueryResult result;
  query::PlanReport plan;  ///< of the whole log
  double plan_cpu_seconds;
};

class Bench {
 public:
  explicit Bench(const OptionSet& options)
      : options_(options),
        topics_(read_topics_option(options)),
        index_(open_index(options)),
        scorer_(scorer_option(options, *index_)),
        filter_(filter_option(options, *index_)),
        expansion_(expansion_option(options)),
        columns_(column_request(options, *index_, 10)),
        searcher_(open_searcher(index_, options)) {
    if (topics_.empty()) throw UsageError("--topics: the file has no query");
    if (!columns_.query.empty() && options.get<std::string>("want") != "topk") {
      throw UsageError("--want: what is asked of columns goes with topk; leave it out");
    }
  }

  std::vector<Row> run(Progress& progress) {
    const auto settings = settings_of(options_, scorer_, filter_);
    const auto batches = batches_of(options_, topics_.size());
    std::vector<Row> rows;
    for (const Setting& setting : settings) {
      query::PlanReport plan;
      double plan_cpu = 0;
      const std::vector<query::Plan> plans = plans_of(setting.query, plan, plan_cpu);
      for (const std::uint64_t batch : batches) {
        progress.update(fmt::format("{} k={} batch {}", setting.mode, setting.query.k, batch),
                        rows.size(), settings.size() * batches.size());
        rows.push_back({setting.mode, setting.query.k, measure(plans, setting.query.k, batch), plan,
                        plan_cpu});
      }
    }
    return rows;
  }

  std::size_t queries() const { return topics_.size(); }
  const index::Index& index() const { return *index_; }
  const query::ScorerSpec& scorer() const { return scorer_; }
  const std::optional<query::Expansion>& expansion() const { return expansion_; }

 private:
  /// Plans the log as often as it is searched, after a warm-up; `report` and `cpu` have the
  /// medians.
  std::vector<query::Plan> plans_of(const query::Query& query, query::PlanReport& report,
                                    double& cpu) const {
    std::vector<query::Query> queries(topics_.size(), query);
    for (std::size_t i = 0; i < queries.size(); ++i) set_topic(queries[i], topics_[i]);
    const bool plain = !options_.has("operators");
    std::vector<query::Plan> plans;
    warm_up([&] {
      check_interrupted();
      plans = searcher_.plan(queries, plain);
    });
    std::vector<double> seconds;
    std::vector<double> analysis;
    std::vector<double> cpus;
    for (int i = 0; i < options_.get<int>("repeats"); ++i) {
      check_interrupted();
      query::PlanReport one;
      const double before = cpu_seconds();
      const std::vector<query::Plan> again = searcher_.plan(queries, plain, {}, &one);
      seconds.push_back(one.seconds);
      analysis.push_back(one.analysis_seconds);
      cpus.push_back(cpu_seconds() - before);
    }
    report = {median(std::move(seconds)), median(std::move(analysis))};
    cpu = median(std::move(cpus));
    return plans;
  }

  QueryResult measure(std::span<const query::Plan> plans, std::uint32_t k, std::uint64_t batch) {
    columns_.query.k = k;
    if (columns_.query.group) columns_.query.group->groups = k;
    CheckedResults check{spread(plans.size(), options_.get<std::size_t>("check")), {}, {}};
    const QueryWork work{searcher_, expansion_, columns_.query, columns_.options,
                         search_options(options_)};
    QueryResult result = measure_queries(work, plans, batch, options_.get<int>("repeats"), check);
    if (!check.queries.empty()) compare_results(reference(), work, plans, check);
    return result;
  }

  query::Searcher& reference() {
    if (!reference_) {
      query::SearcherOptions cpu;
      cpu.backend = query::BackendChoice::kCpu;
      reference_ = std::make_unique<query::Searcher>(index_, cpu);
    }
    return *reference_;
  }

  const OptionSet& options_;
  std::vector<corpora::Topic> topics_;
  std::shared_ptr<const index::Index> index_;
  query::ScorerSpec scorer_;
  query::Filter filter_;
  std::optional<query::Expansion> expansion_;
  ColumnRequest columns_;
  query::Searcher searcher_;
  std::unique_ptr<query::Searcher> reference_;
};

/// How often a tile of the queries' lists is decoded. Some are left out, others decoded again.
double decodes_per_tile(std::uint64_t decoded, std::uint64_t total) {
  return total == 0 ? -1 : static_cast<double>(decoded) / static_cast<double>(total);
}

/// What expanding cost, which is in the queries/s.
void print_expansion(const query::Expansion& expansion, const std::vector<Row>& rows) {
  print("\nexpansion {}\n", query::to_string(expansion));
  TextTable table({"mode", "k", "batch", "expanding us/query", "of it gathering", "documents/query",
                   "decodes/tile"});
  for (const Row& row : rows) {
    const ExpansionCost& cost = row.result.expansion;
    const auto queries = static_cast<double>(row.result.report.queries);
    table.add({row.mode, std::to_string(row.k), with_commas(row.result.batch),
               short_number(1e6 * cost.seconds / queries),
               short_number(1e6 * cost.gather_seconds / queries),
               short_number(static_cast<double>(cost.documents) / queries),
               short_number(decodes_per_tile(cost.tiles_decoded, cost.tiles_total))});
  }
  print("{}", table.text(screen_columns(stdout)));
}

void print_tables(const Bench& bench, const std::vector<Row>& rows, const OptionSet& options) {
  print("{} on {}, back end {}, {}\n", counted(bench.queries(), "query", "queries"),
        bench.index().path().string(), backend_text(rows[0].result.report, options), cpu_name());
  const double queries = static_cast<double>(bench.queries());
  print("scorer {}, planning: {} a query, {} of it analysis\n\n", query::to_string(bench.scorer()),
        human_seconds(rows[0].plan.seconds / queries),
        human_seconds(rows[0].plan.analysis_seconds / queries));
  TextTable table({"mode", "k", "batch", "queries/s", "us/query", "M postings/s", "decodes/tile",
                   "batch mean ms", "p50 ms", "p95 ms", "p99 ms", "max ms"});
  for (const Row& row : rows) {
    const QueryResult& r = row.result;
    table.add({row.mode, std::to_string(row.k), with_commas(r.batch),
               short_number(r.queries_per_second()), short_number(1e6 / r.queries_per_second()),
               short_number(r.postings_per_second() * 1e-6),
               short_number(decodes_per_tile(r.report.tiles_decoded, r.report.tiles_total)),
               short_number(1e3 * r.latency.mean), short_number(1e3 * r.latency.p50),
               short_number(1e3 * r.latency.p95), short_number(1e3 * r.latency.p99),
               short_number(1e3 * r.latency.max)});
  }
  print("{}", table.text(screen_columns(stdout)));
  if (bench.expansion()) print_expansion(*bench.expansion(), rows);
  if (!options.has("by-length")) return;
  TextTable lengths({"mode", "k", "terms", "queries", "mean ms", "p50 ms", "p95 ms", "p99 ms"});
  for (const Row& row : rows) {
    for (const LengthLatency& group : row.result.by_length) {
      lengths.add({row.mode, std::to_string(row.k),
                   fmt::format("{}{}", group.terms, group.terms == kLongestLength ? "+" : ""),
                   with_commas(group.queries), short_number(1e3 * group.seconds.mean),
                   short_number(1e3 * group.seconds.p50), short_number(1e3 * group.seconds.p95),
                   short_number(1e3 * group.seconds.p99)});
    }
  }
  print("\nLatency of single queries, by number of terms\n{}",
        lengths.text(screen_columns(stdout)));
}

Json milliseconds(const Quantiles& seconds) {
  return {
      {"mean", 1e3 * seconds.mean}, {"p50", 1e3 * seconds.p50}, {"p95", 1e3 * seconds.p95},
      {"p99", 1e3 * seconds.p99},   {"max", 1e3 * seconds.max},
  };
}

Json bench_json(const Row& row) {
  const QueryResult& r = row.result;
  Json json{
      {"mode", row.mode},
      {"k", row.k},
      {"batch", r.batch},
      {"queries", r.report.queries},
      {"seconds", r.seconds},
      {"cpu_seconds", r.cpu_seconds},
      {"queries_per_second", r.queries_per_second()},
      {"microseconds_per_query", 1e6 / r.queries_per_second()},
      {"postings", r.report.postings},
      {"postings_per_second", r.postings_per_second()},
      {"tiles_decoded", r.report.tiles_decoded},
      {"tiles_total", r.report.tiles_total},
      {"ranges_searched", r.report.ranges_searched},
      {"ranges_total", r.report.ranges_total},
      {"documents_scored", r.report.documents_scored},
      {"matches", r.matches},
      {"bounds_bytes", r.report.bounds_bytes},
      {"bitmap_bytes", r.report.bitmap_bytes},
      {"device_seconds", r.report.device_seconds},
      {"transfer_seconds", r.report.transfer_seconds},
      {"host_bytes_read", r.report.host_bytes_read},
      {"host_plans", tools::json_of(r.report.host_plans)},
      {"host_columns", tools::json_of(r.report.host_columns)},
      {"device_memory", tools::json_of(r.report.memory)},
      {"plan_seconds", row.plan.seconds},
      {"plan_cpu_seconds", row.plan_cpu_seconds},
      {"analysis_seconds", row.plan.analysis_seconds},
      {"expand_seconds", r.expansion.seconds},
      {"gather_seconds", r.expansion.gather_seconds},
      {"batch_latency_ms", milliseconds(r.latency)},
  };
  for (const LengthLatency& group : r.by_length) {
    json["by_length"].push_back({
        {"terms", group.terms},
        {"queries", group.queries},
        {"or_more", group.terms == kLongestLength},
        {"latency_ms", milliseconds(group.seconds)},
    });
  }
  return json;
}

Json bench_json(const Bench& bench, const std::vector<Row>& rows, const OptionSet& options) {
  const query::Report& report = rows[0].result.report;
  Json results = Json::array();
  for (const Row& row : rows) results.push_back(bench_json(row));
  const std::string expansion = expansion_text(bench.expansion(), dependence_option(options));
  return {
      {"index", bench.index().path().string()},
      {"topics", options.get<std::string>("topics")},
      {"queries", bench.queries()},
      {"scorer", tools::json_of(bench.scorer())},
      {"expansion", expansion.empty() ? Json() : Json(expansion)},
      {"backend", report.backend},
      {"reason", report.reason},
      {"cpu", cpu_name()},
      {"repeats", options.get<int>("repeats")},
      {"checked", std::min(bench.queries(), options.get<std::size_t>("check"))},
      {"results", std::move(results)},
  };
}

}  // namespace

int cmd_bench_query(Args args) {
  OptionSet options(kBenchQueryHelp);
  options.add(options::kIndex, options::kTopicsOptions, options::kLimitOfLog, options::kLogSettings,
              options::kScorerOptions, options::kFilter, options::kExpansionOptions,
              options::kColumnOptions, options::kBenchQueryOptions, options::kBackendOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  check_bench_output(options);
  keep_freed_memory();
  Bench bench(options);
  Progress progress(options.json());
  const std::vector<Row> rows = bench.run(progress);
  progress.clear();
  const Json json = envelope("bench query", bench_json(bench, rows, options));
  if (options.has("output")) write_file(options.get<std::string>("output"), json_line(json) + '\n');
  if (options.json()) {
    print_json(json);
  } else {
    print_tables(bench, rows, options);
  }
  return kOk;
}

}  // namespace gannet::tools
