#include "tools/python/column_results.hpp"

#include <string>
#include <vector>

#include "query/columns/column_text.hpp"
#include "tools/python/index_handle.hpp"

namespace gannet::python {

const index::FieldSpec& spec_of(const index::Index& index, const std::string& field) {
  return index.schema().fields()[static_cast<std::size_t>(index.schema().find(field))];
}

namespace {

using Texts = std::vector<std::string>;

nb::object optional_value(const index::FieldSpec& field, const std::optional<std::string>& text) {
  return text ? value_of(field, *text) : nb::none();
}

nb::object sum_of(const index::FieldSpec& field, const std::optional<std::string>& sum) {
  if (!sum) return nb::none();
  if (field.traits().form != index::ValueForm::kTruth) return value_of(field, *sum);
  index::FieldSpec number;  // how many are true
  return value_of(number, *sum);
}

nb::dict facet_of(const index::Index& index, const query::Facet& facet) {
  nb::dict values;
  for (const query::FacetValue& value : facet.values) {
    values[value_of(spec_of(index, facet.field), value.text)] = value.count;
  }
  nb::dict made;
  made["values"] = values;
  made["others"] = facet.others;
  made["missing"] = facet.missing;
  return made;
}

nb::dict histogram_of(const query::Histogram& histogram) {
  nb::dict bins;
  for (const query::HistogramBin& bin : histogram.bins) bins[bin.from.c_str()] = bin.count;
  nb::dict made;
  made["bins"] = bins;
  made["missing"] = histogram.missing;
  return made;
}

}  // namespace

query::ColumnQuery column_query(const nb::dict& options, const index::Index& index,
                                std::uint32_t k) {
  query::ColumnQuery query;
  query.k = k;
  const auto sort = nb::cast<std::string>(options["sort"]);
  if (!sort.empty()) query.sort = query::parse_sort(sort);
  for (const std::string& text : nb::cast<Texts>(options["facets"])) {
    query.facets.push_back(query::parse_facet(text));
  }
  for (const std::string& text : nb::cast<Texts>(options["histograms"])) {
    query.histograms.push_back(query::parse_histogram(text));
  }
  query.aggregates = nb::cast<Texts>(options["stats"]);
  query.distinct = nb::cast<bool>(options["distinct"]);
  const auto group = nb::cast<std::string>(options["group"]);
  if (!group.empty()) {
    query.group = query::parse_group(group);
    query.group->groups = k;
  }
  query::check(query, index.schema());
  return query;
}

nb::dict dict_of(const index::Index& index, const query::Aggregate& aggregate) {
  const index::FieldSpec& field = spec_of(index, aggregate.field);
  nb::dict made;
  made["documents"] = aggregate.documents;
  made["missing"] = aggregate.missing;
  made["values"] = aggregate.values;
  made["distinct"] = aggregate.distinct ? nb::object(nb::int_(*aggregate.distinct)) : nb::none();
  made["min"] = optional_value(field, aggregate.min);
  made["max"] = optional_value(field, aggregate.max);
  made["sum"] = sum_of(field, aggregate.sum);
  made["mean"] = aggregate.mean ? nb::object(nb::float_(*aggregate.mean)) : nb::none();
  return made;
}

void add_columns(const index::Index& index, const query::ColumnResults& results, nb::dict& made) {
  nb::dict facets;
  for (const query::Facet& facet : results.facets) {
    facets[facet.field.c_str()] = facet_of(index, facet);
  }
  nb::dict histograms;
  for (const query::Histogram& histogram : results.histograms) {
    histograms[histogram.field.c_str()] = histogram_of(histogram);
  }
  nb::dict stats;
  for (const query::Aggregate& aggregate : results.aggregates) {
    stats[aggregate.field.c_str()] = dict_of(index, aggregate);
  }
  made["facets"] = facets;
  made["histograms"] = histograms;
  made["stats"] = stats;
}

}  // namespace gannet::python
