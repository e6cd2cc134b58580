// What is wanted of columns, as a command line spells it. Names of fields have no colons or commas.
#pragma once

#include <string_view>
#include <vector>

#include "query/columns/column_query.hpp"

namespace gannet::query {

/// `year:desc,price,score`: keys, with commas between. Behind a field's name `:asc` or `:desc`, and
/// `:missing-first` or `:missing-last`; ascending and missing last if it does not say. `score` is
/// the score, best first, or `score:asc`. Throws UsageError that says what is wrong.
std::vector<SortKey> parse_sort(std::string_view text);

/// `tag`, `tag:20`: the number of values. Throws UsageError.
FacetRequest parse_facet(std::string_view text);

/// `price:10`, `price:0.25`, `when:month` (year, month, day, hour), and behind it `:nonempty` to
/// leave out empty bins. Throws UsageError.
HistogramRequest parse_histogram(std::string_view text);

/// `tag`, `tag:3`: the number of hits in a group. Throws UsageError.
GroupRequest parse_group(std::string_view text);

}  // namespace gannet::query
