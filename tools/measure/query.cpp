#include "tools/measure/query.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "codecs/base/error.hpp"
#include "query/results/expansion_report.hpp"
#include "query/search_columns.hpp"
#include "tools/options/open_index.hpp"
#include "tools/terminal/interrupt.hpp"

namespace gannet::tools {
namespace {

/// One pass over the log: seconds of each batch, in order.
struct Pass {
  std::vector<double> batch_seconds;
  query::Report report;
  ExpansionCost expansion;
  std::uint64_t matches = 0;
  double cpu_seconds = 0;
};

/// Expands the plans if that is wanted; else they stay where they are.
std::span<const query::Plan> expand(const QueryWork& work, std::span<const query::Plan> plans,
                                    std::vector<query::Plan>& room, ExpansionCost& cost) {
  if (!work.expansion) return plans;
  query::ExpansionReport report;
  room = work.searcher.expand(plans, *work.expansion, &report, work.options);
  cost.seconds += report.seconds;
  cost.gather_seconds += report.gather_seconds;
  cost.documents += report.documents;
  cost.tiles_total += report.tiles_total;
  cost.tiles_decoded += report.tiles_decoded;
  return room;
}

void keep_checked(std::size_t first, const query::Results& results, CheckedResults& check) {
  for (const std::size_t query : check.queries) {
    if (query < first || query >= first + results.size()) continue;
    const query::ResultView result = results[query - first];
    check.results.push_back({result.count,
                             {result.docids.begin(), result.docids.end()},
                             {result.scores.begin(), result.scores.end()}});
  }
}

void keep_checked(std::size_t first, std::span<const query::ColumnResults> results,
                  CheckedResults& check) {
  for (const std::size_t query : check.queries) {
    if (query < first || query >= first + results.size()) continue;
    check.columns.push_back(results[query - first]);
  }
}

std::vector<query::ColumnResults> ask_columns(const query::Searcher& searcher,
                                              const QueryWork& work,
                                              std::span<const query::Plan> plans,
                                              query::Report* report) {
  return query::search_columns(searcher, plans, work.columns, work.column_options, report,
                               work.options);
}

/// Answers one batch, whose first query has the number `first`.
void run_batch(const QueryWork& work, std::span<const query::Plan> plans, std::size_t first,
               Pass& pass, CheckedResults* check) {
  query::Report report;
  const double cpu = cpu_seconds();
  const Stopwatch watch;
  std::vector<query::Plan> room;
  const auto run = expand(work, plans, room, pass.expansion);
  if (work.columns.empty()) {
    const query::Results results = work.searcher.search(run, &report, work.options);
    pass.batch_seconds.push_back(watch.seconds());
    pass.cpu_seconds += cpu_seconds() - cpu;
    if (check != nullptr) keep_checked(first, results, *check);
  } else {
    const auto results = ask_columns(work.searcher, work, run, &report);
    pass.batch_seconds.push_back(watch.seconds());
    pass.cpu_seconds += cpu_seconds() - cpu;
    for (const query::ColumnResults& one : results) pass.matches += one.count;
    if (check != nullptr) keep_checked(first, results, *check);
  }
  pass.report.add(report);
}

Pass run_pass(const QueryWork& work, std::span<const query::Plan> plans, std::uint64_t batch,
              CheckedResults* check) {
  Pass pass;
  for (std::size_t first = 0; first < plans.size(); first += batch) {
    check_interrupted();
    const auto part = plans.subspan(first, std::min<std::size_t>(batch, plans.size() - first));
    run_batch(work, part, first, pass, check);
  }
  return pass;
}

[[noreturn]] void fail_check(std::size_t query, const query::Plan& plan) {
  throw Error(
      fmt::format("query {} of the log gets other results than from an exhaustive search; "
                  "please report it with its plan: {}",
                  query + 1, query::to_string(plan)));
}

std::vector<LengthLatency> latencies_by_length(std::span<const query::Plan> plans,
                                               std::span<const double> seconds) {
  std::vector<LengthLatency> groups;
  for (std::size_t length = 0; length <= kLongestLength; ++length) {
    std::vector<double> samples;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (std::min(plans[i].terms().size(), kLongestLength) == length)
        samples.push_back(seconds[i]);
    }
    if (samples.empty()) continue;
    groups.push_back({length, samples.size(), quantiles(samples)});
  }
  return groups;
}

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

QueryResult measure_queries(const QueryWork& work, std::span<const query::Plan> plans,
                            std::uint64_t batch, int repeats, CheckedResults& check) {
  warm_up([&] { run_pass(work, plans, batch, nullptr); });
  std::vector<Pass> passes;
  passes.reserve(static_cast<std::size_t>(repeats));
  check.results.clear();
  check.columns.clear();
  for (int i = 0; i < repeats; ++i) {
    passes.push_back(run_pass(work, plans, batch, i + 1 == repeats ? &check : nullptr));
  }
  std::vector<double> latencies, totals(passes.size(), 0.0), cpu;
  for (const Pass& pass : passes) cpu.push_back(pass.cpu_seconds);
  for (std::size_t i = 0; i < passes[0].batch_seconds.size(); ++i) {
    std::vector<double> samples;
    for (std::size_t p = 0; p < passes.size(); ++p) {
      samples.push_back(passes[p].batch_seconds[i]);
      totals[p] += samples.back();
    }
    latencies.push_back(median(std::move(samples)));
  }
  QueryResult result{batch, median(totals),          quantiles(latencies),  passes.back().report,
                     {},    passes.back().expansion, passes.back().matches, median(cpu)};
  if (batch == 1) result.by_length = latencies_by_length(plans, latencies);
  return result;
}

std::vector<std::size_t> spread(std::size_t total, std::size_t count) {
  std::vector<std::size_t> numbers;
  const std::size_t wanted = std::min(total, count);
  for (std::size_t i = 0; i < wanted; ++i) numbers.push_back(i * total / wanted);
  return numbers;
}

void compare_results(const query::Searcher& reference, const QueryWork& work,
                     std::span<const query::Plan> plans, const CheckedResults& check) {
  std::vector<query::Plan> chosen;
  for (const std::size_t query : check.queries) chosen.push_back(plans[query]);
  const query::SearchOptions exhaustive{.stop = {}, .exhaustive = true};
  if (work.expansion) chosen = reference.expand(chosen, *work.expansion, nullptr, exhaustive);
  if (!work.columns.empty()) {
    QueryWork plainly{reference, work.expansion, work.columns, {.threads = 1}, exhaustive};
    const auto expected = ask_columns(reference, plainly, chosen, nullptr);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (check.columns[i] != expected[i]) fail_check(check.queries[i], chosen[i]);
    }
    return;
  }
  const query::Results expected = reference.search(chosen, nullptr, exhaustive);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const query::Result& got = check.results[i];
    if (got.count == expected[i].count && std::ranges::equal(got.hits(), expected[i].hits())) {
      continue;
    }
    fail_check(check.queries[i], chosen[i]);
  }
}

}  // namespace gannet::tools
