// Parses requests by columns, as a command line spells them. The functions check the form only;
// check() in column_query.hpp checks fields, types and widths. Names of fields have no colons and
// no commas. All functions are thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "query/columns/column_query.hpp"

namespace gannet::query {

/// Keys of a sort, separated by commas: `year:desc,price,score`. A field may be followed by `:asc`
/// (the default) or `:desc`, and by `:missing-first` or `:missing-last` (the default). `score` is
/// the score, descending; `score:asc` is ascending. Throws UsageError for any other text.
std::vector<SortKey> parse_sort(std::string_view text);

/// `tag` or `tag:20`, a field and the largest number of values, 1 to 2^32 - 1. Throws UsageError
/// for any other text.
FacetRequest parse_facet(std::string_view text);

/// A field and a width, `price:10` or `price:0.25`, or a field and one of `year`, `month`, `day`
/// and `hour`: `when:month`. `:nonempty` at the end leaves out empty bins. Throws UsageError for
/// any other text; the width is not checked.
HistogramRequest parse_histogram(std::string_view text);

/// `tag` or `tag:3`, a field and the largest number of hits in a group, 1 to 2^32 - 1. Throws
/// UsageError for any other text.
GroupRequest parse_group(std::string_view text);

}  // namespace gannet::query
