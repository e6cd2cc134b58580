// What inspect and verify say of a column file.
#pragma once

#include <string>

namespace gannet::tools {

/// Prints what a column file holds: type, values, and per segment codec and size.
void inspect_column(const std::string& path, bool json);

/// Reads every segment; prints the problems found, one a line, or that it is sound. Returns whether
/// it is.
bool verify_column(const std::string& path, bool json, bool quiet);

}  // namespace gannet::tools
