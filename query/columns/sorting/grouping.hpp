// The best hits of every value of a keyword field.
#pragma once

#include <span>

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/sorting/row_scan.hpp"

namespace gannet::query {

/// Hits are in the order of `keys`, which has one at least.
Grouping group_hits(const ColumnContext& context, const GroupRequest& request,
                    std::span<const SortField> keys);

}  // namespace gannet::query
