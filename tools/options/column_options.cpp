#include "tools/options/column_options.hpp"

#include <fmt/format.h>

#include <utility>

#include "codecs/base/error.hpp"
#include "query/columns/column_text.hpp"
#include "query/columns/field_values.hpp"

namespace gannet::tools {
namespace {

/// The parts of all uses of an option, between commas.
std::vector<std::string> parts_of(const OptionSet& options, const std::string& name) {
  std::vector<std::string> parts;
  if (!options.has(name)) return parts;
  for (const std::string& text : options.get<std::vector<std::string>>(name)) {
    const std::vector<std::string> more = split_commas(text);
    if (more.empty()) throw UsageError(fmt::format("--{}: a field is missing", name));
    parts.insert(parts.end(), more.begin(), more.end());
  }
  return parts;
}

void check_excluded(const OptionSet& options) {
  for (const char* const want : {"count", "docids"}) {
    if (!options.has(want)) continue;
    for (const char* const other : {"sort", "group", "fields"}) {
      if (!options.has(other)) continue;
      throw UsageError(fmt::format("--{} is about hits, which --{} does not print", other, want));
    }
    if (std::string(want) == "count") continue;
    for (const char* const other : {"facet", "histogram", "stats"}) {
      if (!options.has(other)) continue;
      throw UsageError(fmt::format("--{} and --docids exclude each other", other));
    }
  }
}

}  // namespace

ColumnRequest column_request(const OptionSet& options, const index::Index& index, std::uint32_t k) {
  check_excluded(options);
  ColumnRequest request;
  query::ColumnQuery& query = request.query;
  query.k = k;
  if (options.has("sort")) query.sort = query::parse_sort(options.get<std::string>("sort"));
  for (const std::string& part : parts_of(options, "facet")) {
    query.facets.push_back(query::parse_facet(part));
  }
  for (const std::string& part : parts_of(options, "histogram")) {
    query.histograms.push_back(query::parse_histogram(part));
  }
  query.aggregates = parts_of(options, "stats");
  query.distinct = !options.has("no-distinct");
  if (options.has("group")) {
    query.group = query::parse_group(options.get<std::string>("group"));
    query.group->groups = k;
  }
  check(query, index.schema());
  request.fields = parts_of(options, "fields");
  request.numbers = query::field_numbers(index.schema(), request.fields, "fields");
  request.options.threads = options.get<unsigned>("threads");
  return request;
}

}  // namespace gannet::tools
