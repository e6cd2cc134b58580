#include "index/files/file_system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace gannet::index {
namespace {

FileSystem& operating_system() {
  static FileSystem system;
  return system;
}

std::atomic<FileSystem*> replacement{nullptr};

}  // namespace

int FileSystem::open(const std::filesystem::path& path, int flags) {
  return ::open(path.c_str(), flags | O_CLOEXEC, 0666);
}

ssize_t FileSystem::write(int descriptor, const void* bytes, std::size_t count) {
  return ::write(descriptor, bytes, count);
}

int FileSystem::sync(int descriptor) { return ::fsync(descriptor); }

int FileSystem::close(int descriptor) { return ::close(descriptor); }

int FileSystem::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  return std::rename(from.c_str(), to.c_str());
}

int FileSystem::rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // EINVAL: this file system cannot.
  if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
  if (::link(from.c_str(), to.c_str()) != 0) return -1;
  ::unlink(from.c_str());
  return 0;
}

int FileSystem::remove(const std::filesystem::path& path) { return std::remove(path.c_str()); }

int FileSystem::create_directory(const std::filesystem::path& path) {
  return ::mkdir(path.c_str(), 0777);
}

FileSystem& file_system() {
  FileSystem* const other = replacement.load();
  return other != nullptr ? *other : operating_system();
}

ReplacedFileSystem::ReplacedFileSystem(FileSystem& other) : before_(replacement.exchange(&other)) {}

ReplacedFileSystem::~ReplacedFileSystem() { replacement = before_; }

}  // namespace gannet::index
