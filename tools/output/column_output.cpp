#include "tools/output/column_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

using index::ValueForm;

const index::FieldSpec& spec_of(const index::Index& index, const std::string& field) {
  return index.schema().fields()[static_cast<std::size_t>(index.schema().find(field))];
}

Json optional_json(const index::FieldSpec& field, const std::optional<std::string>& value) {
  return value ? json_of(field, *value) : Json();
}

/// Sums beyond 64 bits stay text.
Json sum_json(const index::FieldSpec& field, const std::optional<std::string>& sum) {
  if (!sum) return {};
  const ValueForm form = field.traits().form;
  if (form == ValueForm::kTruth || form == ValueForm::kWhole) {
    const double size = std::abs(std::strtod(sum->c_str(), nullptr));
    if (size >= 9e18) return *sum;
    return std::strtoll(sum->c_str(), nullptr, 10);
  }
  return json_of(field, *sum);
}

Json facet_json(const index::Index& index, const query::Facet& facet) {
  Json values = Json::array();
  for (const query::FacetValue& value : facet.values) {
    values.push_back(
        {{"value", json_of(spec_of(index, facet.field), value.text)}, {"count", value.count}});
  }
  return {{"field", facet.field},
          {"values", values},
          {"others", facet.others},
          {"missing", facet.missing}};
}

Json histogram_json(const query::Histogram& histogram) {
  Json bins = Json::array();
  for (const query::HistogramBin& bin : histogram.bins) {
    bins.push_back({{"from", bin.from}, {"count", bin.count}});
  }
  return {{"field", histogram.field}, {"bins", bins}, {"missing", histogram.missing}};
}

Json aggregate_json(const index::Index& index, const query::Aggregate& made) {
  const index::FieldSpec& field = spec_of(index, made.field);
  return {{"field", made.field},
          {"documents", made.documents},
          {"missing", made.missing},
          {"values", made.values},
          {"distinct", made.distinct ? Json(*made.distinct) : Json()},
          {"min", optional_json(field, made.min)},
          {"max", optional_json(field, made.max)},
          {"sum", sum_json(field, made.sum)},
          {"mean", made.mean ? Json(*made.mean) : Json()}};
}

void print_count(std::uint64_t count, std::string_view what) {
  print("{:>12}  {}\n", with_commas(count), what);
}

void print_missing(std::uint64_t missing) {
  if (missing > 0) print_count(missing, "(without it)");
}

void print_facet(const query::Facet& facet) {
  print("\nfacet {}\n", facet.field);
  for (const query::FacetValue& value : facet.values)
    print_count(value.count, one_line(value.text));
  if (facet.others > 0) print_count(facet.others, "(others)");
  print_missing(facet.missing);
}

void print_histogram(const query::Histogram& histogram) {
  print("\nhistogram {}\n", histogram.field);
  for (const query::HistogramBin& bin : histogram.bins) print_count(bin.count, bin.from);
  print_missing(histogram.missing);
}

/// The mean of dates and times as such a value.
std::string mean_text(const index::FieldSpec& field, double mean) {
  if (!field.traits().is_calendar()) return fmt::format("{}", mean);
  const auto whole = static_cast<std::int64_t>(std::floor(std::clamp(mean, -9e18, 9e18)));
  return value_text(field, zero_key(field) + static_cast<std::uint64_t>(whole));
}

void print_aggregate(const index::Index& index, const query::Aggregate& made) {
  const auto line = [](std::string_view name, const std::string& value) {
    print("{:>12}  {}\n", name, one_line(value));
  };
  print("\nstats {}\n", made.field);
  line("documents", with_commas(made.documents));
  if (made.missing > 0) line("without it", with_commas(made.missing));
  if (made.values != made.documents) line("values", with_commas(made.values));
  if (made.distinct) line("different", with_commas(*made.distinct));
  if (made.min) line("least", *made.min);
  if (made.max) line("greatest", *made.max);
  if (made.sum) line("sum", *made.sum);
  if (made.mean) line("mean", mean_text(spec_of(index, made.field), *made.mean));
}

}  // namespace

Json json_of(const index::FieldSpec& field, const std::string& value) {
  switch (field.traits().form) {
    case ValueForm::kWhole:
      if (value.starts_with('-')) return std::strtoll(value.c_str(), nullptr, 10);
      return std::strtoull(value.c_str(), nullptr, 10);
    case ValueForm::kFloat:
      return std::strtod(value.c_str(), nullptr);
    case ValueForm::kTruth:
      return value == "true";
    case ValueForm::kString:
      break;
  }
  return value;
}

HitFields::HitFields(const index::Index& index, std::span<const std::size_t> numbers,
                     std::span<const std::uint32_t> docids)
    : index_(index),
      numbers_(numbers.begin(), numbers.end()),
      values_(query::field_values(index, numbers, docids)) {}

std::string HitFields::line(std::size_t hit) const {
  std::string line;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const query::FieldValues& values = values_[hit][i];
    line +=
        fmt::format("{}{}: {}", i == 0 ? "" : "  ", index_.schema().fields()[numbers_[i]].name,
                    values.empty() ? "-" : one_line(fmt::format("{}", fmt::join(values, ", "))));
  }
  return line;
}

Json HitFields::json(std::size_t hit) const {
  Json fields = Json::object();
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const index::FieldSpec& field = index_.schema().fields()[numbers_[i]];
    Json all = Json::array();
    for (const std::string& value : values_[hit][i]) all.push_back(json_of(field, value));
    fields[field.name] = field.multi ? all : all.empty() ? Json() : all[0];
  }
  return fields;
}

Json json_of(const query::Grouping& grouping,
             const std::function<Json(const query::Group& group)>& hits) {
  Json groups = Json::array();
  for (const query::Group& group : grouping.groups) {
    groups.push_back(Json{{"value", group.value}, {"count", group.count}, {"hits", hits(group)}});
  }
  return {{"field", grouping.field}, {"groups", groups}, {"missing", grouping.missing}};
}

void add_columns(const index::Index& index, const query::ColumnResults& results, Json& json) {
  for (const query::Facet& facet : results.facets)
    json["facets"].push_back(facet_json(index, facet));
  for (const query::Histogram& histogram : results.histograms) {
    json["histograms"].push_back(histogram_json(histogram));
  }
  for (const query::Aggregate& made : results.aggregates) {
    json["stats"].push_back(aggregate_json(index, made));
  }
}

void print_columns(const index::Index& index, const query::ColumnResults& results) {
  for (const query::Facet& facet : results.facets) print_facet(facet);
  for (const query::Histogram& histogram : results.histograms) print_histogram(histogram);
  for (const query::Aggregate& made : results.aggregates) print_aggregate(index, made);
}

}  // namespace gannet::tools
