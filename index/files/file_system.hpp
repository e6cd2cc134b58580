// What writers ask of the operating system. Tests put something else in its place, which fails, or
// forgets what was not synced.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>

namespace gannet::index {

/// The calls of POSIX that change files and directories, with their results and errno. Thread-safe.
class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  /// open(2); a file that is created can be read and written by all whom the umask lets.
  virtual int open(const std::filesystem::path& path, int flags);
  virtual ssize_t write(int descriptor, const void* bytes, std::size_t count);
  /// fsync(2), of a file or a directory.
  virtual int sync(int descriptor);
  virtual int close(int descriptor);
  virtual int rename(const std::filesystem::path& from, const std::filesystem::path& to);
  /// Renames `from` to `to`; fails with EEXIST if `to` exists.
  virtual int rename_new(const std::filesystem::path& from, const std::filesystem::path& to);
  /// Removes a file or an empty directory.
  virtual int remove(const std::filesystem::path& path);
  virtual int create_directory(const std::filesystem::path& path);
};

/// The operating system's, or what a ReplacedFileSystem has put in its place.
FileSystem& file_system();

/// Puts another file system in the place of the operating system's, for all threads, until it is
/// destroyed. For tests: nothing else may use files meanwhile.
class ReplacedFileSystem {
 public:
  explicit ReplacedFileSystem(FileSystem& replacement);
  ~ReplacedFileSystem();
  ReplacedFileSystem(const ReplacedFileSystem&) = delete;
  ReplacedFileSystem& operator=(const ReplacedFileSystem&) = delete;

 private:
  FileSystem* before_;
};

}  // namespace gannet::index
