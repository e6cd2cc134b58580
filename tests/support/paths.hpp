// Where the tree under test, its command and real collections lie.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace gannet::test {

/// The root of the source tree, without a slash at its end.
extern const char* const kSourceFolder;
/// The built `gannet` command.
extern const char* const kCommand;

/// The folder of real collections ($GANNET_DATA), or an empty path where there is none: tests that
/// need it skip themselves.
inline std::filesystem::path data_folder() {
  const char* const named = std::getenv("GANNET_DATA");
  const auto folder = named != nullptr ? std::filesystem::path(named)
                                       : std::filesystem::path(kSourceFolder) / "../shared/data";
  return std::filesystem::exists(folder) ? folder : std::filesystem::path();
}

}  // namespace gannet::test
