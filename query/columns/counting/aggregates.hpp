// Sums, means, extremes and numbers of different values over all matches.
#pragma once

#include <string>

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// `distinct`: counts the different values too.
Aggregate aggregate(const ColumnContext& context, const std::string& field, bool distinct);

}  // namespace gannet::query
