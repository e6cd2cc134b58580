// Fields that come from a table beside the documents, joined to them by row.
#pragma once

#include <cstdint>

#include "index/builder.hpp"
#include "index/inversion/build_budget.hpp"

namespace gannet::index {

class IndexWriter;

/// Whether the fields come from options.rows. Throws UsageError for rows without a schema.
bool has_rows(const BuildOptions& options);

/// Reads all of options.rows into the fields of the writer's segment, within the budget, and
/// returns how many records and values were passed over. To be called within with_threads(), before
/// anything else adds values.
std::uint64_t add_rows(IndexWriter& writer, const BuildBudget& budget, const BuildOptions& options);

/// Throws InputError unless there were as many rows as there are documents.
void check_rows(IndexWriter& writer, std::uint64_t documents);

}  // namespace gannet::index
