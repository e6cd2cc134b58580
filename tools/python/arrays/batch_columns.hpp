// What a batch of queries by columns gave, as arrays.
#pragma once

#include <vector>

#include "query/columns/column_query.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// Hits, totals, facets, histograms, aggregates and groups of all queries; flat arrays with
/// offsets, without a Python object for a hit or a value.
nb::dict batch_of(const index::Index& index, const query::ColumnQuery& query,
                  const std::vector<query::ColumnResults>& results);

}  // namespace gannet::python
