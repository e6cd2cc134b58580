#include "index/files/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

#include "codecs/error.hpp"
#include "index/files/directory.hpp"

namespace gannet::index {
namespace {

/// Whether the open file is still the one that the name stands for.
bool still_there(const File& file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.descriptor(), &opened) == 0 && ::stat(file.path().c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) {
  // Another writer may remove the file (with its directory) between open and lock; then start anew.
  do {
    file_ = File(directory / kLockName, O_RDWR | O_CREAT);
    while (::flock(file_.descriptor(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) {
        throw UsageError(directory.string() +
                         ": another process is writing an index here; wait for it, or choose "
                         "another directory");
      }
      fail_io(file_.path(), "lock", errno);
    }
  } while (!still_there(file_));
}

}  // namespace gannet::index
