// What commands that build say when they are done.
#pragma once

#include <string>

#include "index/builder.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Prints the report: skipped records to stderr, and a summary to stdout, or JSON. `command` is its
/// name, `index` the folder.
void print_report(const OptionSet& options, const std::string& command, const std::string& index,
                  const index::BuildReport& report);

}  // namespace gannet::tools
