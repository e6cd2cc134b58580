// What commands that build say when they are done.
#pragma once

#include <cstdint>
#include <string>

#include "index/builder.hpp"
#include "index/order/reorder.hpp"
#include "index/updates/merge.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Prints the report: skipped records to stderr, and a summary to stdout, or JSON. `command` is its
/// name, `index` the folder; `order`: what reordering it afterwards did, nullptr if it was not;
/// `shards`: how many, if it is a set of them.
void print_report(const OptionSet& options, const std::string& command, const std::string& index,
                  const index::BuildReport& report, const index::ReorderReport* order = nullptr,
                  int shards = 0);

/// The same of documents that came to an index. `merge`: what merging its segments afterwards did,
/// nullptr if it was not tried.
void print_added(const OptionSet& options, const std::string& command, const std::string& index,
                 const index::BuildReport& report, std::uint64_t added,
                 const index::MergeReport* merge);

}  // namespace gannet::tools
