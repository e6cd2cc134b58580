// Column queries of which a back end finds out what it can.
#pragma once

#include "query/backend/column_work.hpp"
#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"

namespace gannet::query {

/// What a back end should find out for a query, which was checked, that needs no scores.
ColumnWork work_of(const ColumnQuery& query, const index::Index& index);

/// run_columns() where something is known already, by the threads of the arena that the calling
/// thread is in, `threads` at most. The query was checked. `columns`: those that stay decoded, or
/// null.
ColumnResults look_at_columns(const index::Index& index, const KnownColumns& known,
                              const ColumnQuery& query, unsigned threads,
                              const std::stop_token& stop = {},
                              const ColumnsInUse* columns = nullptr);

/// run_columns() by the threads of the arena that the calling thread is in. The query was checked.
ColumnResults look_at_columns(const ColumnContext& context, const ColumnQuery& query);

}  // namespace gannet::query
