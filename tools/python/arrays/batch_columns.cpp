#include "tools/python/arrays/batch_columns.hpp"

#include <span>
#include <utility>

#include "tools/python/arrays/value_column.hpp"
#include "tools/python/column_results.hpp"

namespace gannet::python {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// Hits of one list behind the other.
struct HitArrays {
  std::vector<std::uint32_t> docids = {};
  std::vector<float> scores = {};
  Numbers offsets{0};

  void add(std::span<const query::Hit> hits) {
    for (const query::Hit& hit : hits) {
      docids.push_back(hit.docid);
      scores.push_back(hit.score);
    }
    offsets.push_back(docids.size());
  }
  nb::dict arrays(bool scored) && {
    nb::dict made;
    made["docids"] = array_of(std::move(docids));
    made["scores"] = scored ? nb::object(array_of(std::move(scores))) : nb::none();
    made["offsets"] = array_of(std::move(offsets));
    return made;
  }
};

template <class Of>
nb::any numbers_of(const std::vector<query::ColumnResults>& results, const Of& of) {
  Numbers numbers;
  numbers.reserve(results.size());
  for (const query::ColumnResults& one : results) numbers.push_back(of(one));
  return array_of(std::move(numbers));
}

/// The i-th facet of all queries.
nb::dict facets_of(const index::Index& index, const std::string& field,
                   const std::vector<query::ColumnResults>& results, std::size_t i) {
  ValueColumn values(spec_of(index, field));
  Numbers offsets{0};
  Numbers counts;
  for (const query::ColumnResults& one : results) {
    for (const query::FacetValue& value : one.facets[i].values) {
      values.add(value.text);
      counts.push_back(value.count);
    }
    offsets.push_back(counts.size());
  }
  nb::dict made;
  made["values"] = std::move(values).arrays();
  made["counts"] = array_of(std::move(counts));
  made["offsets"] = array_of(std::move(offsets));
  made["others"] = numbers_of(results, [&](const auto& one) { return one.facets[i].others; });
  made["missing"] = numbers_of(results, [&](const auto& one) { return one.facets[i].missing; });
  return made;
}

nb::dict histograms_of(const std::vector<query::ColumnResults>& results, std::size_t i) {
  ValueColumn values = ValueColumn::of_texts();
  Numbers offsets{0};
  Numbers counts;
  for (const query::ColumnResults& one : results) {
    for (const query::HistogramBin& bin : one.histograms[i].bins) {
      values.add(bin.from);
      counts.push_back(bin.count);
    }
    offsets.push_back(counts.size());
  }
  nb::dict made;
  made["values"] = std::move(values).arrays();
  made["counts"] = array_of(std::move(counts));
  made["offsets"] = array_of(std::move(offsets));
  made["others"] = nb::none();
  made["missing"] = numbers_of(results, [&](const auto& one) { return one.histograms[i].missing; });
  return made;
}

/// All groups of all queries, and their hits.
nb::object groups_of(const std::vector<query::ColumnResults>& results, bool scored) {
  ValueColumn values = ValueColumn::of_texts();
  Numbers offsets{0};
  Numbers counts;
  HitArrays hits;
  for (const query::ColumnResults& one : results) {
    for (const query::Group& group : one.grouping->groups) {
      values.add(group.value);
      counts.push_back(group.count);
      hits.add(group.hits);
    }
    offsets.push_back(counts.size());
  }
  nb::dict made;
  made["values"] = std::move(values).arrays();
  made["counts"] = array_of(std::move(counts));
  made["offsets"] = array_of(std::move(offsets));
  made["hits"] = std::move(hits).arrays(scored);
  made["missing"] = numbers_of(results, [](const auto& one) { return one.grouping->missing; });
  return made;
}

}  // namespace

nb::dict batch_of(const index::Index& index, const query::ColumnQuery& query,
                  const std::vector<query::ColumnResults>& results) {
  HitArrays hits;
  bool scored = results.empty();
  for (const query::ColumnResults& one : results) {
    hits.add(one.hits);
    scored = scored || one.scored;
  }
  nb::dict made = std::move(hits).arrays(scored);
  made["totals"] = numbers_of(results, [](const auto& one) { return one.count; });
  nb::dict facets;
  for (std::size_t i = 0; i < query.facets.size(); ++i) {
    const std::string& field = query.facets[i].field;
    facets[field.c_str()] = facets_of(index, field, results, i);
  }
  made["facets"] = facets;
  nb::dict histograms;
  for (std::size_t i = 0; i < query.histograms.size(); ++i) {
    histograms[query.histograms[i].field.c_str()] = histograms_of(results, i);
  }
  made["histograms"] = histograms;
  nb::dict stats;
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    nb::list all;
    for (const query::ColumnResults& one : results) {
      all.append(dict_of(index, one.aggregates[i]));
    }
    stats[query.aggregates[i].c_str()] = all;
  }
  made["stats"] = stats;
  made["groups"] = query.group ? groups_of(results, scored) : nb::none();
  return made;
}

}  // namespace gannet::python
