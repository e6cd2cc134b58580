#include "query/paging.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet::query {
namespace {

/// Whether the cursor's rank counts documents that are still there. Only then is rank plus hits the
/// number of matches.
bool knows_rank(const PageRequest& page, const index::Index& index) {
  return !page.after || index.deleted_documents() == 0;
}

}  // namespace

PageRequest page_request(std::uint32_t hits, std::uint32_t offset, std::string_view cursor) {
  PageRequest page{hits, offset, {}};
  if (!cursor.empty()) page.after = parse_cursor(cursor);
  if (page.after && offset > 0) {
    throw UsageError(
        "an offset and a cursor exclude each other: the cursor says where the page begins");
  }
  if (offset > std::numeric_limits<std::uint32_t>::max() - hits) {
    throw UsageError(
        "the offset and the number of hits are together more than the 4,294,967,295 hits that a "
        "search can give; go on behind the page before it, by its cursor (--after)");
  }
  return page;
}

std::shared_ptr<const index::Index> index_of(const PageRequest& page,
                                             std::shared_ptr<const index::Index> index) {
  if (!page.after) return index;
  index::Index then = index_at(*page.after, *index);
  if (then.segments().size() == index->segments().size()) return index;
  return std::make_shared<const index::Index>(std::move(then));
}

Plan plan_of(const PageRequest& page, const Plan& plan, ColumnQuery& columns) {
  if (columns.group && (page.after || page.offset > 0)) {
    throw UsageError("groups have no pages; leave out the groups, or the offset and the cursor");
  }
  if (!columns.group) columns.k = page.searched();
  const Plan first = plan.with_k(page.searched());
  if (!page.after) return first;
  check_cursor(*page.after, plan, columns.sort);
  columns.after = page.after->last;
  return first.with_page(page_after(page.after->last, page.after->rank));
}

void cut(const PageRequest& page, std::vector<Hit>& hits) {
  const std::size_t before = std::min<std::size_t>(page.offset, hits.size());
  hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(before));
}

MatchCount matches_of(const PageRequest& page, const index::Index& index, std::uint64_t found) {
  const bool known = knows_rank(page, index);
  const std::uint64_t earlier = page.after && known ? page.before() : 0;
  return {earlier + found, known && found < page.searched()};
}

std::optional<std::string> next_page(const PageRequest& page, const index::Index& index,
                                     const Plan& plan, const ColumnQuery& columns,
                                     std::span<const Hit> hits,
                                     std::optional<std::uint64_t> total) {
  if (hits.empty() || hits.size() < page.hits || columns.group) return std::nullopt;
  const std::uint64_t rank = page.before() + hits.size();
  if (total && knows_rank(page, index) && rank >= *total) return std::nullopt;
  return to_string(
      make_cursor(index, plan, columns.sort, hits.back(), static_cast<std::uint32_t>(rank)));
}

}  // namespace gannet::query
