#include "tools/search/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tools/options/open_index.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

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

/// An option that has no value if it is not given.
Json given(const OptionSet& options, const char* name) {
  return options.has(name) ? Json(options.get<std::string>(name)) : Json();
}

Json skipped_json(const std::vector<BadTopic>& skipped) {
  Json json = Json::array();
  for (const BadTopic& topic : skipped) {
    json.push_back({{"topic", topic.id}, {"line", topic.line}, {"message", topic.problem}});
  }
  return json;
}

}  // namespace

Json run_summary_json(const OptionSet& options, const TopicOutcome& outcome) {
  const std::vector<double>& batches = outcome.timing.batches;
  return {
      {"output", given(options, "output")},
      {"results", given(options, "results")},
      {"queries", outcome.report.queries},
      {"hits", outcome.hits},
      {"queries_without_hits", outcome.without_hits},
      {"skipped", skipped_json(outcome.skipped)},
      {"k", options.get<std::int64_t>("k")},
      {"mode", options.get<std::string>("mode")},
      {"scorer", json_of(outcome.scorer)},
      {"filter", given(options, "filter")},
      {"sort", given(options, "sort")},
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

std::string run_summary(const OptionSet& options, const TopicOutcome& outcome) {
  const query::Report& report = outcome.report;
  const std::vector<double>& batches = outcome.timing.batches;
  const auto batch = std::min(static_cast<std::uint64_t>(options.get<std::int64_t>("batch")),
                              std::max<std::uint64_t>(report.queries, 1));
  std::string text = fmt::format("back end {}\n", backend_text(report, options));
  text += fmt::format("scorer {}\n", query::to_string(outcome.scorer));
  if (options.has("filter")) text += fmt::format("filter {}\n", options.get<std::string>("filter"));
  if (!outcome.expansion.empty()) text += fmt::format("expansion {}\n", outcome.expansion);
  text +=
      fmt::format("{}, {}, {} without hits\n", counted(report.queries, "query", "queries"),
                  counted(outcome.hits, "hit"), counted(outcome.without_hits, "query", "queries"));
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

}  // namespace gannet::tools
