// A folder for an index that is not the one to be kept.
#pragma once

#include <filesystem>
#include <vector>

namespace gannet::tools {

/// Beside an output, as OUTPUT.building-XXXXXX: what is built there is on its disk. Removed with
/// all it holds when the object is. Not thread-safe.
class ScratchFolder {
 public:
  /// Makes it, and the folders above it that are missing. Throws IoError.
  explicit ScratchFolder(const std::filesystem::path& output);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Where an index can be built.
  std::filesystem::path index() const { return path_ / "index"; }

 private:
  std::vector<std::filesystem::path> made_;  ///< above it
  std::filesystem::path path_;
};

}  // namespace gannet::tools
