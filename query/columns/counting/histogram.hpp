// How the values of all matches spread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// The smallest key of each bin that documents of the index may be in, ascending
/// (BinsWanted::first_keys); nothing if these are more than kMaxBins or some value has no bin.
std::optional<std::vector<std::uint64_t>> first_keys_of_bins(const index::Index& index,
                                                             const HistogramRequest& request);

/// `number`: of the request in ColumnQuery::histograms. Throws UsageError for more than kMaxBins
/// bins, if empty ones are to be listed.
Histogram count_histogram(const ColumnContext& context, const HistogramRequest& request,
                          std::size_t number);

}  // namespace gannet::query
