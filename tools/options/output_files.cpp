#include "tools/options/output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "codecs/base/exists.hpp"

namespace gannet::tools {

namespace fs = std::filesystem;

std::string output_name(const std::string& path) {
  return path == "-" || index::output_target(path).descriptor == STDOUT_FILENO ? "-" : path;
}

void check_file_output(const std::string& path, bool overwrite) {
  if (index::output_target(path).in_place) {
    throw UsageError(
        fmt::format("{}: not a regular file; it cannot be replaced by one that is", path));
  }
  std::error_code unknown;
  if (overwrite || !fs::exists(path, unknown)) return;
  throw ExistsError(
      fmt::format("{}: there is a file already; pass --overwrite to replace it", path));
}

void check_text_output(const std::string& path, bool overwrite) {
  if (output_name(path) == "-" || index::output_target(path).in_place) return;
  check_file_output(path, overwrite);
}

void check_ds2i_output(const std::string& base, bool overwrite) {
  for (const char* const ending : {".docs", ".freqs", ".sizes", ".terms", ".documents"}) {
    std::error_code unknown;
    if (fs::is_regular_file(base + ending, unknown)) check_file_output(base + ending, overwrite);
  }
}

}  // namespace gannet::tools
