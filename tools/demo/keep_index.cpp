#include "tools/demo/keep_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/directory.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The same build gives the same bytes. Neither folder has folders in it.
bool same_files(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (!fs::is_directory(other, error)) return false;
  std::vector<std::string> names = index::names_in(one);
  std::vector<std::string> others = index::names_in(other);
  std::ranges::sort(names);
  std::ranges::sort(others);
  return names == others && std::ranges::all_of(names, [&](const std::string& name) {
           return fs::is_regular_file(other / name, error) &&
                  bytes_of(one / name) == bytes_of(other / name);
         });
}

}  // namespace

void keep_index(const fs::path& made, const fs::path& output) {
  // Renaming replaces an empty folder, but nothing that has anything in it.
  if (std::rename(made.c_str(), output.c_str()) == 0) return;
  const int reason = errno;
  if (reason != ENOTEMPTY && reason != EEXIST && reason != ENOTDIR) {
    index::fail_io(output, "create the folder", reason);
  }
  if (same_files(made, output)) return;
  throw UsageError(
      fmt::format("'{}' is there, and is not what the demo makes; it stays as it is. Name another "
                  "folder: gannet demo --output DIR",
                  output.string()));
}

}  // namespace gannet::tools
