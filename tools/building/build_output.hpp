// What commands that build say when they are done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "index/builder.hpp"
#include "index/order/reorder.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Prints the report: skipped records to stderr, and a summary to stdout, or JSON. `command` is its
/// name, `index` the folder; `order`: what reordering it afterwards did, nullptr if it was not.
void print_report(const OptionSet& options, const std::string& command, const std::string& index,
                  const index::BuildReport& report, const index::ReorderReport* order = nullptr,
                  std::optional<std::uint64_t> added = {});

}  // namespace gannet::tools
