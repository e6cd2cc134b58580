// Searching and looking at columns in one call.
#pragma once

#include <span>
#include <vector>

#include "query/columns/column_query.hpp"
#include "query/searcher.hpp"

namespace gannet::query {

/// Finds the documents that match each plan of a batch and runs the query on them: result i belongs
/// to plan i. Hits by score are those that Searcher::search() gives for the plan with k = query.k;
/// they are looked for in the same call as all matches. Plans are searched together, as many at a
/// time as have room in memory for all their matches (256 MB, at least one plan), and their columns
/// are looked at by all threads. `report` adds these searches up. The earlier of the
/// two deadlines is that of the whole call. Throws what run_columns() and Searcher::search() throw.
std::vector<ColumnResults> search_columns(const Searcher& searcher, std::span<const Plan> plans,
                                          const ColumnQuery& query,
                                          const ColumnOptions& options = {},
                                          Report* report = nullptr,
                                          const SearchOptions& search = {});

/// search_columns() of one plan.
ColumnResults search_columns(const Searcher& searcher, const Plan& plan, const ColumnQuery& query,
                             const ColumnOptions& options = {}, Report* report = nullptr,
                             const SearchOptions& search = {});

}  // namespace gannet::query
