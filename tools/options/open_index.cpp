#include "tools/options/open_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "index/text/analysis_libraries.hpp"
#include "query/texts/searched_texts.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/synonyms_option.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {

namespace {

/// "0,1" as numbers; none without the option.
std::vector<int> device_numbers(const OptionSet& options) {
  std::vector<int> numbers;
  if (!options.has("devices")) return numbers;
  const auto& list = options.get<std::string>("devices");
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    int number = -1;
    const auto [end, error] = std::from_chars(list.data() + at, list.data() + comma, number);
    if (error != std::errc() || end != list.data() + comma || number < 0) {
      throw UsageError(fmt::format("--devices: '{}' is not a list of GPUs, such as 0,1", list));
    }
    numbers.push_back(number);
    at = comma + 1;
  }
  return numbers;
}

}  // namespace

query::Filter filter_option(const OptionSet& options, const index::Index& index) {
  if (!options.has("filter")) return {};
  return query::parse_filter(options.get<std::string>("filter"), index.schema());
}

std::shared_ptr<const index::Index> open_index(const OptionSet& options) {
  auto index =
      std::make_shared<const index::Index>(index::Index::open(options.get<std::string>("index")));
  for (const std::string& difference : index::library_differences(index->analyzer())) {
    print_warning(difference);
  }
  return index;
}

query::Searcher open_searcher(std::shared_ptr<const index::Index> index, const OptionSet& options,
                              int number_on_host) {
  query::SearcherOptions searcher;
  searcher.backend = options.choice<query::BackendChoice>("backend");
  searcher.cpu.threads = options.get<unsigned>("threads");
  searcher.cpu.bounds_bits = options.get<double>("bounds-bits");
  searcher.cpu.candidate_filters = options.get<double>("candidate-filters");
  searcher.cuda.candidate_filters = searcher.cpu.candidate_filters;
  searcher.cuda.host_threads = searcher.cpu.threads;
  searcher.cuda.device = options.get<int>("device");
  searcher.cuda.devices = device_numbers(options);
  if (number_on_host != 0 && searcher.cuda.devices.empty()) {
    const int devices = std::max(codecs::cuda::device_count(), 1);
    searcher.cuda.device = (searcher.cuda.device + number_on_host) % devices;
  }
  searcher.cuda.spread = options.choice<query::Spread>("spread");
  searcher.cuda.bounds_bits = searcher.cpu.bounds_bits;
  if (options.has("device-budget")) {
    searcher.cuda.device_bytes = options.get<std::uint64_t>("device-budget");
  }
  if (options.has("device-memory")) {
    searcher.cuda.index_bytes = options.get<std::uint64_t>("device-memory");
  }
  return query::Searcher(std::move(index), searcher);
}

query::ScorerSpec scorer_option(const OptionSet& options, const index::Index& index) {
  return query::parse_scorer(options.get<std::string>("scorer"),
                             options.get<std::string>("scorer-params"),
                             query::default_scorer(index));
}

Deadline timeout_option(const OptionSet& options) {
  if (!options.has("timeout")) return kNoDeadline;
  return deadline_after(options.get<double>("timeout"));
}

query::SearchOptions search_options(const OptionSet& options) {
  query::SearchOptions search;
  search.exhaustive = options.has("exhaustive");
  return search;
}

query::Query query_template(const OptionSet& options, const index::Index& index) {
  query::Query query;
  query.mode = options.choice<query::Mode>("mode");
  query.max_expansions = options.get<std::uint32_t>("max-expansions");
  query.fuzzy_prefix = options.get<std::uint32_t>("fuzzy-prefix");
  if (options.has("search-fields")) {
    query.search_fields = query::parse_search_fields(options.get<std::string>("search-fields"));
    query::searched_texts(query.search_fields, index.schema());  // an error now, not in a batch
  }
  if (options.has("synonyms")) {
    const auto& path = options.get<std::string>("synonyms");
    query.synonyms = read_synonyms(path, index);
    const std::string left_out = left_out_text(*query.synonyms, path);
    if (!left_out.empty()) note("--synonyms: {}", one_line(left_out));
  }
  query.scorer = scorer_option(options, index);
  query.dependence = dependence_option(options);
  query.filter = filter_option(options, index);
  return query;
}

Json json_of(const query::ScorerSpec& scorer) {
  const query::ScorerInfo& info = *query::find_scorer(scorer.id);
  Json parameters = Json::object();
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const query::ScorerParameter& parameter = info.parameters[i];
    parameters[std::string(parameter.name)] = parameter.choices.empty()
                                                  ? Json(shortest(scorer.values[i]))
                                                  : Json(query::value_of(scorer, i));
  }
  for (const query::TextParameters& own : scorer.texts) {
    if (own.b) parameters[own.text + ".b"] = shortest(*own.b);
    if (own.weight) parameters[own.text + ".weight"] = shortest(*own.weight);
  }
  return {{"name", info.name}, {"parameters", std::move(parameters)}};
}

Json json_of(const query::HostPlans& plans) {
  Json json = Json::object();
  for (std::size_t i = 0; i < query::kHostReasons; ++i) {
    const auto reason = static_cast<query::HostReason>(i);
    json[std::string(query::name_of(reason))] = plans[reason];
  }
  return json;
}

Json json_of(const query::HostColumns& columns) {
  Json json = Json::object();
  for (std::size_t i = 0; i < query::kColumnReasons; ++i) {
    const auto reason = static_cast<query::ColumnReason>(i);
    json[std::string(query::name_of(reason))] = columns[reason];
  }
  return json;
}

Json json_of(const query::MemoryCounters& memory) {
  return {{"failures", memory.failures},
          {"splits", memory.splits},
          {"given_back_bytes", memory.given_back}};
}

std::string backend_text(const query::Report& report, const OptionSet& options) {
  const bool anyone_asked = options.get<std::string>("backend") != "auto";
  if (report.reason.empty() || (!anyone_asked && !codecs::cuda::available())) return report.backend;
  return fmt::format("{} ({})", report.backend, report.reason);
}

Json json_of(const query::Report& report) {
  const auto rate = [&](std::uint64_t n) {
    return report.seconds > 0 ? static_cast<double>(n) / report.seconds : 0.0;
  };
  return {
      {"backend", report.backend},
      {"reason", report.reason},
      {"queries", report.queries},
      {"seconds", report.seconds},
      {"device_seconds", report.device_seconds},
      {"transfer_seconds", report.transfer_seconds},
      {"host_bytes_read", report.host_bytes_read},
      {"host_plans", json_of(report.host_plans)},
      {"host_columns", json_of(report.host_columns)},
      {"device_memory", json_of(report.memory)},
      {"queries_per_second", rate(report.queries)},
      {"postings", report.postings},
      {"postings_per_second", rate(report.postings)},
      {"tiles_decoded", report.tiles_decoded},
      {"tiles_total", report.tiles_total},
      {"ranges_searched", report.ranges_searched},
      {"ranges_total", report.ranges_total},
      {"documents_scored", report.documents_scored},
      {"bounds_bytes", report.bounds_bytes},
      {"bounds_seconds", report.bounds_seconds},
      {"bitmap_bytes", report.bitmap_bytes},
      {"filter_documents", report.filter.documents},
      {"filter_estimated", report.filter.estimated},
      {"filter_passing", report.filter.passing},
      {"filter_driven", report.filter.driven},
      {"filter_on_candidates", report.filter.on_candidates},
      {"filters_made", report.filter.made},
      {"filter_bytes", report.filter.bytes},
  };
}

}  // namespace gannet::tools
