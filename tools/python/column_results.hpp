// Facets, histograms, statistics and groups as Python's dicts, shaped as `gannet search --json`
// has them.
#pragma once

#include "query/columns/column_query.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// What a query asks of columns, from the same texts as the command's options; `k` is the number
/// of hits, or of groups. Throws UsageError.
query::ColumnQuery column_query(const nb::dict& options, const index::Index& index,
                                std::uint32_t k);

/// The field of this name. The schema must have it.
const index::FieldSpec& spec_of(const index::Index& index, const std::string& field);

nb::dict dict_of(const index::Index& index, const query::Aggregate& aggregate);

/// Adds "facets", "histograms" and "stats".
void add_columns(const index::Index& index, const query::ColumnResults& results, nb::dict& made);

}  // namespace gannet::python
