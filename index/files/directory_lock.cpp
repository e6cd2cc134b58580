#include "index/files/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>

#include "codecs/error.hpp"
#include "index/files/directory.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

/// Whether the open file is still the one that the name stands for.
bool is_still_named(const File& file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.descriptor(), &opened) == 0 && ::stat(file.path().c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

/// Who holds the lock, for the message that others get. It is for people: nothing depends on it,
/// and it is no part of what a crash may lose, so that it does not go through file_system().
void leave_note(const File& file) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::array<char, 32> now{};
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  if (::gmtime_r(&time, &parts) != nullptr) {
    std::strftime(now.data(), now.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  }
  const std::string note =
      "process " + std::to_string(::getpid()) + " on " + host.data() + ", since " + now.data();
  if (::ftruncate(file.descriptor(), 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(file.descriptor(), note.data(), note.size(), 0);
}

/// What the holder left; nothing if it has not come to that.
std::string note_in(const File& file) {
  std::array<char, 512> note{};
  const ssize_t size = ::pread(file.descriptor(), note.data(), note.size(), 0);
  if (size <= 0) return {};
  return " (" + printable(std::string_view(note.data(), static_cast<std::size_t>(size))) + ")";
}

/// A lock says of a folder without an index that what is there is a writer's. So its name must not
/// be lost in a crash that leaves names of other files.
void keep_name(const std::filesystem::path& directory) {
  try {
    sync_directory(directory);
  } catch (const Error&) {
    // Where a folder cannot be synced, the commit says so.
  }
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : process_(::getpid()) {
  // Another writer may remove the file (with its directory) between open and lock; then start anew.
  bool is_new = false;
  do {
    std::error_code error;
    is_new = !std::filesystem::exists(directory / kLockName, error);
    file_ = File(directory / kLockName, O_RDWR | O_CREAT);
    while (::flock(file_.descriptor(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) {
        throw UsageError(directory.string() + ": another process is writing an index here" +
                         note_in(file_) + "; wait for it, or choose another directory");
      }
      fail_io(file_.path(), "lock", errno);
    }
  } while (!is_still_named(file_));
  leave_note(file_);
  if (is_new) keep_name(directory);
}

bool DirectoryLock::stands() const { return is_still_named(file_); }

DirectoryLock::~DirectoryLock() {
  if (process_ != ::getpid()) return;
  // An empty file while nobody writes: an index has the same bytes whoever made it.
  [[maybe_unused]] const int done = ::ftruncate(file_.descriptor(), 0);
  // Closing would not do it while a process that was forked meanwhile has the file open, too.
  ::flock(file_.descriptor(), LOCK_UN);
}

}  // namespace gannet::index
