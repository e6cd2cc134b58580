// The options that ask for results by columns.
#pragma once

#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/columns/column_query.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// What the options ask for.
struct ColumnRequest {
  query::ColumnQuery query = {};
  std::vector<std::string> fields = {};   ///< to be shown with hits
  std::vector<std::size_t> numbers = {};  ///< theirs in the schema
  query::ColumnOptions options = {};
};

/// Reads kColumnOptions and --fields; `k` is the number of hits, or of groups. Throws UsageError if
/// they are malformed or do not fit the index's fields, or for --count or --docids beside what they
/// exclude.
ColumnRequest column_request(const OptionSet& options, const index::Index& index, std::uint32_t k);

}  // namespace gannet::tools
