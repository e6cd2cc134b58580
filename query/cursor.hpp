// Cursors: where the next page of hits begins, as text that a user keeps from page to page.
//
//     const Plan plan = searcher.plan({.text = "solar power"});
//     const Results page = searcher.search({&plan, 1});
//     const Hit last = page[0].hits().back();
//     const std::string text = to_string(make_cursor(searcher.index(), plan, {}, last, 10));
//     // Later, perhaps in another process:
//     const Cursor cursor = parse_cursor(text);
//     check_cursor(cursor, plan, {});
//     const Plan next = plan.with_page(page_after(cursor.last, cursor.rank));
//
// Pages that follow one another by cursors have each hit of one large search exactly once, in its
// order, as long as scores stay. Deletions change no scores before a merge: a deleted document is
// missing, all others keep their places. Documents that were added change scores, so later pages
// search the index without them: index_at(). A merge numbers documents anew, so that cursors from
// before it are refused.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "index/index.hpp"
#include "query/columns/column_query.hpp"
#include "query/plan/plan.hpp"
#include "query/results/hits.hpp"

namespace gannet::query {

/// What a cursor's text says. Plain data.
struct Cursor {
  Hit last = {};                ///< the last hit of the page before
  std::uint32_t rank = 0;       ///< hits of all pages before, that one included
  std::uint32_t segments = 0;   ///< how many the index had at the first page
  std::uint32_t documents = 0;  ///< a digest of what these segments hold, deletions aside
  std::uint32_t query = 0;      ///< a digest of the plan, its statistics aside
  std::uint32_t order = 0;      ///< a digest of the sort
  bool operator==(const Cursor&) const = default;
};

/// A cursor behind `last`, a hit of `plan` on `index` that has this rank (from 1) over all pages.
/// `sort`: ColumnQuery::sort; empty for hits by score. O(length of the plan + segments).
Cursor make_cursor(const index::Index& index, const Plan& plan, std::span<const SortKey> sort,
                   const Hit& last, std::uint32_t rank);

/// 64 hexadecimal digits.
std::string to_string(const Cursor& cursor);
/// Throws UsageError for a text that to_string() has not made.
Cursor parse_cursor(std::string_view text);

/// The index as it was at the cursor's first page, but for deletions: without the segments that
/// were added since. It shares the others. Throws UsageError if segments were merged or rewritten,
/// and for the cursor of another index.
index::Index index_at(const Cursor& cursor, const index::Index& index);

/// Throws UsageError if the cursor is of another plan or another order of hits. k may differ.
void check_cursor(const Cursor& cursor, const Plan& plan, std::span<const SortKey> sort);

}  // namespace gannet::query
