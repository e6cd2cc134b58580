#include "index/manifest/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/file_system.hpp"
#include "index/files/messages.hpp"
#include "index/manifest/busy_error.hpp"
#include "index/manifest/directory.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// What a note begins with, and how long one is at most.
constexpr std::string_view kNoteLead = "process ";
constexpr std::string_view kFolderLead = "\nfolder ";
constexpr std::size_t kLongestNote = 512;
/// How long a folder may be locked by others.
constexpr std::chrono::milliseconds kLongestWait{2000};
constexpr std::chrono::milliseconds kWaitStep{10};
/// The pauses between two tries of a writer that waits for another one grow to this.
constexpr std::chrono::milliseconds kLongestPause{250};

struct stat lock_status(const File& file) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) fail_io(file.path(), "examine", errno);
  return status;
}

enum class LockState { kTaken, kHeldByAnother, kNotLockable };

/// Does not wait. Where the file cannot be locked, errno says why.
LockState ask_for_lock(const File& file) {
  while (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? LockState::kHeldByAnother : LockState::kNotLockable;
  }
  return LockState::kTaken;
}

/// False if another process holds the file.
bool try_lock(const File& file) {
  const LockState state = ask_for_lock(file);
  if (state == LockState::kNotLockable) fail_io(file.path(), "lock", errno);
  return state == LockState::kTaken;
}

/// The number by which the file system knows a folder: names of it may change, and hard links never
/// lead to another file system.
std::string folder_number(const fs::path& directory) {
  struct stat status {};
  return ::stat(directory.c_str(), &status) == 0 ? std::to_string(status.st_ino) : "";
}

/// Who holds the lock and where: for the message that others get, and to tell a writer of this
/// folder from one of a snapshot that shares the file. It is no part of what a crash may lose, so
/// that it does not go through file_system().
void leave_note(const File& file, const fs::path& directory) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::array<char, 32> now{};
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  if (::gmtime_r(&time, &parts) != nullptr) {
    std::strftime(now.data(), now.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  }
  const std::string note = std::string(kNoteLead) + std::to_string(::getpid()) + " on " +
                           host.data() + ", since " + now.data() + std::string(kFolderLead) +
                           folder_number(directory);
  if (::ftruncate(file.descriptor(), 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(file.descriptor(), note.data(), note.size(), 0);
}

/// What is in the file; nothing if it has not come to that.
std::string content_of(const File& file) {
  std::array<char, kLongestNote> note{};
  const ssize_t size = ::pread(file.descriptor(), note.data(), note.size(), 0);
  return size <= 0 ? std::string() : std::string(note.data(), static_cast<std::size_t>(size));
}

/// The part of a note that is for people.
std::string shown_note(const std::string& note) {
  const std::string line = note.substr(0, note.find('\n'));
  return line.empty() ? line : " (" + printable(line) + ")";
}

/// Whether the writer that left the note is one of another folder.
bool is_of_another_folder(const std::string& note, const fs::path& directory) {
  const std::size_t at = note.find(kFolderLead);
  return at != std::string::npos &&
         note.substr(at + kFolderLead.size()) != folder_number(directory);
}

[[noreturn]] void refuse_lock(const fs::path& path, const std::string& what) {
  throw UsageError(path.string() + ": " + what +
                   ", where the lock of the index's writers belongs; nothing was changed. Move it "
                   "away, or choose another directory");
}

/// Opens the file for locking, without following links, waiting for pipes, or changing anything.
File open_lock(const fs::path& path) {
  struct stat named {};
  if (::lstat(path.c_str(), &named) == 0 && !S_ISREG(named.st_mode)) {
    refuse_lock(path, S_ISLNK(named.st_mode) ? "is a symbolic link" : "is no regular file");
  }
  File file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  const struct stat opened = lock_status(file);
  const std::string content = content_of(file);
  if (!S_ISREG(opened.st_mode)) refuse_lock(path, "is no regular file");
  if (opened.st_size > static_cast<off_t>(kLongestNote) ||
      (!content.empty() && !content.starts_with(kNoteLead))) {
    refuse_lock(path, "is a file that Gannet did not write");
  }
  return file;
}

/// A lock says of a folder without an index that what is there is a writer's. So its name must not
/// be lost in a crash that leaves names of other files.
void keep_name(const fs::path& directory) {
  try {
    sync_directory(directory);
  } catch (const Error&) {
    // Where a folder cannot be synced, the commit says so.
  }
}

/// Puts a locked file of this folder alone in the place of one that a snapshot shares. The folder's
/// own lock keeps other writers of it out meanwhile. False where the file is another one by now.
bool replace_shared(File& shared) {
  if (!is_still_named(shared, shared.path())) return false;
  const fs::path temporary = new_temporary_name(shared.path());
  File fresh = File::create_new(temporary, shared.path());
  if (!fresh.is_open() || !try_lock(fresh)) return false;
  if (file_system().rename(temporary, shared.path()) != 0) {
    fail_io(shared.path(), "replace", errno);
  }
  shared = std::move(fresh);
  return true;
}

/// False where the file system does not lock folders (NFS): then the file stays shared. Another
/// writer holds a folder for moments; who holds it longer is some other program.
bool lock_folder(const File& folder) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  for (;;) {
    const LockState state = ask_for_lock(folder);
    if (state != LockState::kHeldByAnother) return state == LockState::kTaken;
    if (std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(kWaitStep);
  }
  throw UsageError(folder.path().string() +
                   ": another process keeps this folder locked (flock), so that the lock of the "
                   "index, which a copy by hard links shares, cannot be made its own; wait for "
                   "that process, or end it");
}

/// Sleeps; throws CancelledError as soon as a stop is requested.
void pause(std::chrono::nanoseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, time, [] { return false; });
  throw_if_stopped(stop);
}

/// "5", "0.25"
std::string shown_seconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", seconds);
  return text.data();
}

}  // namespace

DirectoryLock::Attempt DirectoryLock::take() {
  const fs::path path = directory_ / kLockName;
  std::error_code error;
  const bool is_new = !fs::exists(fs::symlink_status(path, error));
  file_ = open_lock(path);
  bool locked = try_lock(file_);
  const std::string note = content_of(file_);
  if (lock_status(file_).st_nlink > 1 && (locked || is_of_another_folder(note, directory_))) {
    const File folder(directory_, O_RDONLY | O_DIRECTORY);
    if (lock_folder(folder)) {
      if (!replace_shared(file_)) return Attempt::kReplaced;
      locked = true;
    }
  }
  if (!locked) {
    holder_ = shown_note(note);
    return Attempt::kBusy;
  }
  if (!is_still_named(file_, file_.path())) return Attempt::kReplaced;
  leave_note(file_, directory_);
  if (is_new) keep_name(directory_);
  return Attempt::kTaken;
}

void DirectoryLock::fail_busy(double waited) const {
  throw BusyError(
      directory_.string() + ": another process is writing an index here" + holder_ +
      (waited > 0 ? ", also after " + shown_seconds(waited) + " s of waiting; wait longer"
                  : "; wait for it (add, update, delete and other commands that change an index "
                    "have --wait SECONDS, functions of Python wait=)") +
      ", or choose another directory");
}

DirectoryLock::DirectoryLock(const fs::path& directory, double wait, const std::stop_token& stop)
    : directory_(directory), process_(::getpid()) {
  const Deadline end = deadline_after(wait);
  std::chrono::nanoseconds step = kWaitStep;
  // Another writer may remove the file (with its directory) between open and lock; then start anew.
  for (Attempt attempt = take(); attempt != Attempt::kTaken; attempt = take()) {
    if (attempt == Attempt::kReplaced) continue;
    const auto now = std::chrono::steady_clock::now();
    if (!(wait > 0) || now >= end) fail_busy(wait);
    pause(std::min<std::chrono::nanoseconds>(step, end - now), stop);
    step = std::min<std::chrono::nanoseconds>(2 * step, kLongestPause);
  }
}

bool DirectoryLock::stands() const { return is_still_named(file_, file_.path()); }

DirectoryLock::~DirectoryLock() {
  if (process_ != ::getpid()) return;
  // An empty file while nobody writes: an index has the same bytes whoever made it. A snapshot that
  // was made meanwhile shares it, and another one's note with it.
  [[maybe_unused]] const int done = ::ftruncate(file_.descriptor(), 0);
  // Closing would not do it while a process that was forked meanwhile has the file open, too.
  ::flock(file_.descriptor(), LOCK_UN);
}

}  // namespace gannet::index
