// The place of a hit among the rows of each segment, for the page behind it.
#pragma once

#include <span>
#include <vector>

#include "query/columns/access/workers.hpp"
#include "query/columns/sorting/row_scan.hpp"
#include "query/columns/sorting/sort_row.hpp"

namespace gannet::query {

/// One for each segment. Throws UsageError if the index has no such document, FormatError for a
/// damaged column.
std::vector<RowBound> row_bounds(const ColumnContext& context, std::span<const SortField> keys,
                                 const Hit& after);

}  // namespace gannet::query
