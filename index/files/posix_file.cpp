#include "index/files/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "codecs/error.hpp"

namespace gannet::index {
namespace {

std::string_view advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "; free some space or write elsewhere (what was there before is intact)";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; check the permissions, or write elsewhere";
    case EMFILE:
    case ENFILE:
      return "; too many open files, raise the limit (ulimit -n)";
    default:
      return "";
  }
}

}  // namespace

void fail_io(const std::filesystem::path& path, std::string_view action, int error) {
  throw IoError(path.string() + ": cannot " + std::string(action) + ": " +
                std::generic_category().message(error) + std::string(advice(error)));
}

File::File(std::filesystem::path path, int flags) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_io(path_, (flags & O_CREAT) != 0 ? "create" : "open", errno);
}

File File::create_new(std::filesystem::path path) {
  File file;
  file.path_ = std::move(path);
  file.descriptor_ = ::open(file.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0 && errno != EEXIST) fail_io(file.path_, "create", errno);
  return file;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::uint64_t File::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_io(path_, "examine", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void File::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_io(path_, "write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void File::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got =
        ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io(path_, "read", errno);
    if (got == 0) throw IoError(path_.string() + ": the file ends too early");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
}

void File::sync() {
  if (::fsync(descriptor_) != 0) fail_io(path_, "write to the disk", errno);
}

void File::close() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_io(path_, "close", errno);
}

void sync_directory(const std::filesystem::path& directory) {
  File(directory, O_RDONLY | O_DIRECTORY).sync();
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    fail_io(from, "rename it to " + to.filename().string(), errno);
  }
}

}  // namespace gannet::index
