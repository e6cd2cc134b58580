// The source files of the tree, for tests that read them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"

namespace gannet::test {

inline std::filesystem::path source_folder() { return kSourceFolder; }

inline bool is_source(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".hpp" || extension == ".cpp" || extension == ".cuh" || extension == ".cu";
}

/// Paths from the root, "codecs/base/error.hpp"; what lies beside the seven folders (builds) is not
/// looked at.
inline std::vector<std::string> source_files() {
  std::vector<std::string> files;
  for (const std::string_view folder :
       {"codecs", "index", "corpora", "query", "tools", "bench", "tests"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
      if (entry.is_regular_file() && is_source(entry.path())) {
        files.push_back(entry.path().lexically_relative(source_folder()).generic_string());
      }
    }
  }
  return files;
}

}  // namespace gannet::test
