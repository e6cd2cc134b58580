// A folder for an index that is not the one to be kept.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "index/manifest/directory_lock.hpp"

namespace gannet::tools {

/// Beside an output, as OUTPUT.building-XXXXXX: what is built there is on its disk. Removed with
/// all it holds when the object is; one that a killed process has left, when the next one for the
/// output is made. A mark in it tells that it is such a folder, a writer's lock whether its
/// process lives. Not thread-safe.
class ScratchFolder {
 public:
  /// Makes it, and the folders above it that are missing. Throws IoError.
  explicit ScratchFolder(const std::filesystem::path& output);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Where an index can be built.
  std::filesystem::path index() const { return path_ / "index"; }
  /// A file for documents that it is built from.
  std::filesystem::path documents() const { return path_ / "documents"; }

 private:
  void remove() noexcept;

  std::vector<std::filesystem::path> made_;  ///< above it
  std::filesystem::path path_;
  std::optional<index::DirectoryLock> lock_;
};

/// Removes such folders of the output whose processes are gone. What no process of Gannet made, as
/// a link, or a folder without the mark or with anything else in it, stays. Throws nothing.
void remove_left_scratch(const std::filesystem::path& output) noexcept;

}  // namespace gannet::tools
