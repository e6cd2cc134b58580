// The values that most matches have.
#pragma once

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/counting/number_counts.hpp"

namespace gannet::query {

Facet count_facet(const ColumnContext& context, const FacetRequest& request);

/// The codes that must be counted in each segment to find the `values` values with the largest
/// counts: CountsWanted::codes. The values that are first in several segments are not those that
/// are first in one of them.
std::uint32_t codes_wanted(const index::Index& index, std::uint32_t values);

/// How many matches of a segment have each code of a field; ascending codes.
std::vector<NumberCount> count_codes(const ColumnContext& context, std::size_t segment,
                                     std::size_t field);

}  // namespace gannet::query
