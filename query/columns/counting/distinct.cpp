#include "query/columns/counting/distinct.hpp"

#include <vector>

#include "query/columns/counting/facets.hpp"
#include "query/columns/counting/merged_counts.hpp"

namespace gannet::query {

std::uint64_t count_distinct(const ColumnContext& context, std::size_t field) {
  if (context.known != nullptr && context.segments() == 1) {
    if (const CodeCounts* const known = context.known->counts(0, field, 0)) return known->distinct;
  }
  std::vector<std::vector<NumberCount>> counts;  // by segment
  for (std::size_t s = 0; s < context.segments(); ++s) {
    counts.push_back(count_codes(context, s, field));
  }
  if (counts.size() == 1) return counts.front().size();
  return count_values(context, field, counts);
}

}  // namespace gannet::query
