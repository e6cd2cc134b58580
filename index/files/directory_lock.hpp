// One writer at a time: an exclusive lock on the file gannet.lock.
#pragma once

#include <filesystem>

#include "index/files/posix_file.hpp"

namespace gannet::index {

/// Held from construction to destruction, and by no dead process: the system releases it. It
/// belongs to the process that made it: in one that was forked from it, destruction does nothing.
/// Not thread-safe.
class DirectoryLock {
 public:
  /// Throws UsageError at once if another writer holds the directory; the message says which
  /// process it is, and since when.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();

  /// Whether the lock's file is still the directory's: if it was removed, others may write too.
  bool stands() const;
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  File file_;
  int process_;
};

}  // namespace gannet::index
