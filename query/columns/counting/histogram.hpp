// How the values of all matches spread.
#pragma once

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// Throws UsageError for more than kMaxBins bins, if empty ones are to be listed.
Histogram count_histogram(const ColumnContext& context, const HistogramRequest& request);

}  // namespace gannet::query
