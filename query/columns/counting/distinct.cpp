#include "query/columns/counting/distinct.hpp"

#include <tbb/parallel_sort.h>

#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "query/columns/access/field_access.hpp"
#include "query/columns/counting/facets.hpp"

namespace gannet::query {
namespace {

using SegmentCounts = std::vector<std::vector<NumberCount>>;  // by segment

/// The dictionaries' texts that are in use, merged: a heap of the segments' next ones.
std::uint64_t merge_texts(const ColumnContext& context, std::size_t field,
                          const SegmentCounts& counts) {
  using Next = std::pair<std::string, std::size_t>;  // text, segment
  std::priority_queue<Next, std::vector<Next>, std::greater<>> heap;
  std::vector<std::size_t> at(counts.size(), 0);
  const auto push = [&](std::size_t s) {
    if (at[s] == counts[s].size()) return;
    heap.emplace(text_of(context.column(s, field), counts[s][at[s]++].number), s);
  };
  for (std::size_t s = 0; s < counts.size(); ++s) push(s);
  std::uint64_t distinct = 0;
  std::string last;
  while (!heap.empty()) {
    Next next = heap.top();
    heap.pop();
    throw_if_stopped(context.stop);
    if (distinct == 0 || next.first != last) ++distinct;
    last = std::move(next.first);
    push(next.second);
  }
  return distinct;
}

std::uint64_t merge_keys(const ColumnContext& context, std::size_t field,
                         const SegmentCounts& counts) {
  std::vector<std::uint64_t> keys;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const index::KeyMap& map = context.column(s, field).keys();
    for (const NumberCount& one : counts[s]) keys.push_back(map.key(one.number));
  }
  tbb::parallel_sort(keys.begin(), keys.end());
  return static_cast<std::uint64_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

}  // namespace

std::uint64_t count_distinct(const ColumnContext& context, std::size_t field) {
  SegmentCounts counts;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    counts.push_back(count_codes(context, s, field));
  }
  if (counts.size() == 1) return counts.front().size();
  return is_keyword(context.index.schema().fields()[field]) ? merge_texts(context, field, counts)
                                                            : merge_keys(context, field, counts);
}

}  // namespace gannet::query
