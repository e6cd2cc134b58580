// Pages of hits: the next ones after an offset, or behind a cursor.
//
//     const PageRequest page = page_request(10, 0, text_of_cursor);
//     const Searcher searcher(index_of(page, index));
//     ColumnQuery columns;
//     const Plan plan = plan_of(page, searcher.plan({.text = "solar power"}), columns);
//     const Results results = searcher.search({&plan, 1});
//     std::vector<Hit> hits(results[0].hits().begin(), results[0].hits().end());
//     cut(page, hits);
//     const auto next = next_page(page, searcher.index(), plan, columns, hits, {});
//
// An offset costs what as many hits cost. A cursor (cursor.hpp) takes memory for one page. Bounds
// do not tell that a document was on an earlier page, so pruning saves less far down, and soon the
// CPU scores every match, at the same cost at any depth (decision 0080).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "query/columns/column_query.hpp"
#include "query/cursor.hpp"
#include "query/plan/plan.hpp"
#include "query/results/hits.hpp"

namespace gannet::query {

/// A page of hits: `offset` hits, or those up to the cursor, are left out before it.
struct PageRequest {
  std::uint32_t hits = 10;
  std::uint32_t offset = 0;
  std::optional<Cursor> after = {};

  /// Hits of the pages before.
  std::uint32_t before() const { return after ? after->rank : offset; }
  /// The k of a search for the page.
  std::uint32_t searched() const { return offset + hits; }
};

/// `cursor`: its text, or empty. Throws UsageError for an offset beside a cursor, for a text that
/// is no cursor, and if offset and hits together are more than a search can give (2^32 - 1).
PageRequest page_request(std::uint32_t hits, std::uint32_t offset, std::string_view cursor);

/// What is to be searched for the page: `index`, or index_at() of the cursor. Throws what that
/// throws.
std::shared_ptr<const index::Index> index_of(const PageRequest& page,
                                             std::shared_ptr<const index::Index> index);

/// `plan`, and in place `columns`, for the page. Both get the page's k. Throws UsageError for the
/// cursor of another query or order, and for a page of groups.
Plan plan_of(const PageRequest& page, const Plan& plan, ColumnQuery& columns);

/// Cuts the hits that the search gave down to the page.
void cut(const PageRequest& page, std::vector<Hit>& hits);

/// How many documents match, or at least how many.
struct MatchCount {
  std::uint64_t documents = 0;
  bool exact = false;
};
/// What a search by plan_of() that found `found` hits says of it.
MatchCount matches_of(const PageRequest& page, const index::Index& index, std::uint64_t found);

/// The text of the cursor behind a page with these hits (after cut()); nothing if it is known that
/// none follow: the page is not full, or ends at `total`. Behind the last page, if it is full and
/// there is no total, a page without hits may follow.
std::optional<std::string> next_page(const PageRequest& page, const index::Index& index,
                                     const Plan& plan, const ColumnQuery& columns,
                                     std::span<const Hit> hits, std::optional<std::uint64_t> total);

}  // namespace gannet::query
