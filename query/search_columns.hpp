// Searching for all matches of plans, and running a column query on them, in one call.
#pragma once

#include <span>
#include <vector>

#include "query/columns/column_query.hpp"
#include "query/searcher.hpp"

namespace gannet::query {

/// Finds all documents that match each plan of a batch and runs `query` on them: result i belongs
/// to plan i. Plan::want() and Plan::k() are ignored. If `query` has neither a sort nor groups, the
/// hits are those of Searcher::search() for the plan with k = query.k, from Plan::page() on. Counts
/// and other hits do not depend on Plan::page().
///
/// The function searches several plans at a time, at least one, and no more than have room for
/// their matches in 256 MB if every document matches. The matches of a plan take one bit per
/// document, and 4 bytes per document more on the CUDA back end; on either back end they take 8
/// bytes per document more if all matches need scores (a sort by score, groups without a sort).
/// `options.threads` threads read the columns.
///
/// `search.stop` ends the searches, `options.stop` the work on columns: pass one token in both. The
/// earlier of the two deadlines applies to the whole call. `report` is overwritten, if the call
/// succeeds, with the sum of the reports of the searches; time spent on columns is not in it.
/// Where the CUDA back end looks at columns itself, its work is not in it either, only the number
/// of queries, and what it left to the CPU (Report::host_columns).
///
/// Throws what run_columns() and Searcher::search() throw. Thread-safe: any number of threads may
/// use one searcher.
std::vector<ColumnResults> search_columns(const Searcher& searcher, std::span<const Plan> plans,
                                          const ColumnQuery& query,
                                          const ColumnOptions& options = {},
                                          Report* report = nullptr,
                                          const SearchOptions& search = {});

/// search_columns() for a batch of one plan.
ColumnResults search_columns(const Searcher& searcher, const Plan& plan, const ColumnQuery& query,
                             const ColumnOptions& options = {}, Report* report = nullptr,
                             const SearchOptions& search = {});

}  // namespace gannet::query
