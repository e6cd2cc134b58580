// Where the index of `gannet demo` ends up.
#pragma once

#include <filesystem>

namespace gannet::tools {

/// Gives the folder `made`, a new index, the name `output`; both lie on one disk. It is there at
/// once and whole, so that two commands may do this at the same time. Where `output` has the same
/// files already, those stay, and `made` stays where it is. Throws UsageError if it has others,
/// IoError.
void keep_index(const std::filesystem::path& made, const std::filesystem::path& output);

}  // namespace gannet::tools
