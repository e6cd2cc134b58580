// One writer at a time: an exclusive lock on the file gannet.lock.
#pragma once

#include <filesystem>

#include "index/files/posix_file.hpp"

namespace gannet::index {

/// Held from construction to destruction, and by no dead process: the system releases it. It
/// belongs to the process that made it: in one that was forked from it, destruction does nothing.
/// A snapshot made of hard links shares the file with the index; it gets a lock of its own when the
/// first writer comes, so that writers of the two do not wait for one another. Not thread-safe.
class DirectoryLock {
 public:
  /// Throws UsageError at once if another writer holds the directory (the message says which
  /// process it is, and since when), or if the file of this name is a link, or anything else than a
  /// lock of Gannet's: that is left as it is.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();

  /// Whether the lock's file is still the directory's: if it was removed, others may write too.
  bool stands() const;
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  /// Tries once; false if the file was replaced meanwhile, and this has to begin anew.
  bool take();

  std::filesystem::path directory_;
  File file_;
  int process_;
};

}  // namespace gannet::index
