// One writer at a time: an exclusive lock on the file gannet.lock.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "index/files/posix_file.hpp"

namespace gannet::index {

/// Held from construction to destruction, and by no dead process: the system releases it. It
/// belongs to the process that made it: in one that was forked from it, destruction does nothing.
/// A snapshot made of hard links shares the file with the index; it gets a lock of its own when the
/// first writer comes, so that writers of the two do not wait for one another. Not thread-safe.
class DirectoryLock {
 public:
  /// Takes the lock. While another writer holds it, the constructor asks for it again several times
  /// a second, for up to `wait` seconds, and throws BusyError afterwards (the message says which
  /// process holds it, and since when). Of several that wait any may be next. Not positive: it does
  /// not wait. Throws CancelledError when a stop is requested while it waits, and UsageError at
  /// once if the file of this name is a link, or anything else than a lock of Gannet's: that is
  /// left as it is.
  explicit DirectoryLock(const std::filesystem::path& directory, double wait = 0,
                         const std::stop_token& stop = {});
  ~DirectoryLock();

  /// Whether the lock's file is still the directory's: if it was removed, others may write too.
  bool stands() const;
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  enum class Attempt { kTaken, kBusy, kReplaced };
  /// Tries once. kReplaced: the file was replaced meanwhile, and this has to begin anew.
  Attempt take();
  [[noreturn]] void fail_busy(double waited) const;

  std::filesystem::path directory_;
  File file_;
  std::string holder_;  ///< the note of the writer that holds it, for people
  int process_;
};

}  // namespace gannet::index
