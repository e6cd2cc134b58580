// Batches of queries, and values of their hits, as arrays.
#include <memory>
#include <utility>

#include "query/columns/field_values.hpp"
#include "query/search_columns.hpp"
#include "tools/python/arrays/batch_columns.hpp"
#include "tools/python/arrays/value_column.hpp"
#include "tools/python/column_results.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

nb::dict search_batch(const IndexHandle& self, const nb::list& given, const nb::dict& options) {
  const SearchRequest request = search_request(options, *self.index, self.synonyms);
  const std::vector<query::Query> queries = queries_of(request, given);
  const query::ColumnQuery columns = column_query(options, *self.index, request.query.k);
  const auto results = std::make_shared<query::Results>();
  std::vector<query::ColumnResults> by_columns;
  std::vector<std::uint64_t> totals;
  query::Report report;
  stoppable(request, [&](const std::stop_token& stop) {
    query::SearchOptions search = request.search;
    search.stop = stop;
    const std::vector<query::Plan> plans = planned(*self.searcher, request, queries, search);
    if (columns.empty()) {
      *results = self.searcher->search(plans, &report, search);
      if (request.total) totals = totals_of(*self.searcher, plans, search);
    } else {
      by_columns =
          query::search_columns(*self.searcher, plans, columns, {.stop = stop}, &report, search);
    }
  });
  nb::dict made = columns.empty() ? dict_of(results) : batch_of(*self.index, columns, by_columns);
  if (!totals.empty()) made["totals"] = array_of(std::move(totals));
  made["report"] = dict_of(report);
  return made;
}

/// The values of fields in documents as arrays, by the names of the fields.
nb::dict field_columns(const IndexHandle& self, const std::vector<std::string>& fields,
                       const Docids& docids) {
  const index::Schema& schema = self.index->schema();
  const auto numbers = query::field_numbers(schema, fields, "fields");
  std::vector<ValueColumn> columns;
  for (const std::size_t number : numbers) columns.emplace_back(schema.fields()[number]);
  {
    const nb::gil_scoped_release unlocked;
    const auto rows = query::field_values(*self.index, numbers, {docids.data(), docids.shape(0)});
    for (const auto& row : rows) {
      for (std::size_t f = 0; f < columns.size(); ++f) columns[f].add_document(row[f]);
    }
  }
  nb::dict made;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    made[fields[f].c_str()] = std::move(columns[f]).arrays();
  }
  return made;
}

/// The ids of documents as arrays.
nb::dict id_column(const IndexHandle& self, const Docids& docids) {
  ValueColumn ids = ValueColumn::of_texts();
  {
    const nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < docids.shape(0); ++i) {
      ids.add(self.index->document_id(docids.data()[i]));
    }
  }
  return std::move(ids).arrays();
}

}  // namespace

void bind_arrays(nb::module_& module) {
  module.def("search_batch", search_batch, nb::arg("index"), nb::arg("queries"),
             nb::arg("options"));
  module.def("field_columns", field_columns, nb::arg("index"), nb::arg("fields"),
             nb::arg("docids"));
  module.def("id_column", id_column, nb::arg("index"), nb::arg("docids"));
}

}  // namespace gannet::python
