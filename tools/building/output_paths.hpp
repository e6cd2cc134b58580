// Where outputs lie.
#pragma once

#include <filesystem>
#include <string_view>

namespace gannet::tools {

/// What stands beside an output and is called after it: "idx", "idx/" and ".." in idx/part have
/// idx.unfinished, never a folder within the output. Throws std::filesystem::filesystem_error.
std::filesystem::path beside(const std::filesystem::path& output, std::string_view ending);

/// Whether `path` is `place` or lies in it, links followed. Neither need exist. Throws
/// std::filesystem::filesystem_error.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& place);

}  // namespace gannet::tools
