// Files that a command line names as input.
#pragma once

#include <string>

namespace gannet::tools {

/// The path to open for a name that a user gave: "-" is stdin. A file of that name is "./-".
inline std::string input_path(const std::string& name) { return name == "-" ? "/dev/stdin" : name; }

}  // namespace gannet::tools
