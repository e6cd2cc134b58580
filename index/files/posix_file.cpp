#include "index/files/posix_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/file_system.hpp"
#include "index/files/format.hpp"

namespace gannet::index {
namespace {

/// Whether nothing was to be written.
bool reads(std::string_view action) {
  for (const std::string_view one : {"open", "read", "examine", "list", "map it into memory"}) {
    if (action == one) return true;
  }
  return false;
}

std::string_view advice(int error, std::string_view action) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space or write elsewhere (what was there before is intact)";
    case EFBIG:
      return "; raise the limit of file sizes (ulimit -f) or write elsewhere (what was there "
             "before is intact)";
    case EACCES:
    case EPERM:
    case EROFS:
      return reads(action) ? "; check the permissions"
                           : "; check the permissions, or write elsewhere";
    case EMFILE:
    case ENFILE:
      return "; too many open files, raise the limit (ulimit -n)";
    default:
      return "";
  }
}

}  // namespace

void fail_io(const std::filesystem::path& path, std::string_view action, int error) {
  const std::filesystem::path folder = path.parent_path();
  std::error_code unknown;
  if (error == ENOENT && !folder.empty() && !std::filesystem::exists(folder, unknown)) {
    if (folder.filename() == kScratchName) {
      throw IoError(folder.parent_path().string() +
                    ": the folder was moved or removed while it was written to; do it again");
    }
    throw IoError(path.string() + ": cannot " + std::string(action) + ": there is no folder '" +
                  folder.string() + "'; make it first, or check the path");
  }
  throw IoError(path.string() + ": cannot " + std::string(action) + ": " +
                std::generic_category().message(error) + std::string(advice(error, action)));
}

File::File(std::filesystem::path path, int flags) : path_(std::move(path)) {
  descriptor_ = file_system().open(path_, flags);
  if (descriptor_ >= 0) return;
  const int error = errno;
  std::error_code unknown;
  const bool creates = (flags & O_CREAT) != 0 && !std::filesystem::exists(path_, unknown);
  fail_io(path_, creates ? "create" : "open", error);
}

File File::create_new(const std::filesystem::path& path, std::filesystem::path shown) {
  File file;
  file.path_ = std::move(shown);
  file.descriptor_ = file_system().open(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file.descriptor_ < 0 && errno != EEXIST) fail_io(file.path_, "create", errno);
  return file;
}

File::~File() {
  if (descriptor_ >= 0) file_system().close(descriptor_);
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
    const ssize_t written = file_system().write(descriptor_, bytes.data(), bytes.size());
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
  if (file_system().sync(descriptor_) != 0) fail_io(path_, "write to the disk", errno);
}

void File::close() {
  if (descriptor_ < 0) return;
  if (file_system().close(std::exchange(descriptor_, -1)) != 0) fail_io(path_, "close", errno);
}

void sync_directory(const std::filesystem::path& directory) {
  File(directory, O_RDONLY | O_DIRECTORY).sync();
}

bool is_still_named(const File& file, const std::filesystem::path& name) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.descriptor(), &opened) == 0 && ::lstat(name.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void refuse_link(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return;
  throw UsageError(path.string() +
                   ": is a symbolic link, which Gannet does not follow here; nothing was changed. "
                   "Remove the link, or choose another directory");
}

std::vector<std::filesystem::path> make_directories(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> missing;
  std::error_code error;
  for (std::filesystem::path at = directory; !at.empty() && !std::filesystem::exists(at, error);
       at = at.parent_path()) {
    missing.insert(missing.begin(), at);
    if (at == at.parent_path()) break;
  }
  for (const std::filesystem::path& one : missing) {
    if (file_system().create_directory(one) == 0) continue;
    const int cause = errno;  // another process may have been faster
    if (!std::filesystem::is_directory(one, error)) fail_io(one, "create", cause);
  }
  return missing;
}

void sync_made_directories(std::span<const std::filesystem::path> made) noexcept {
  for (const std::filesystem::path& directory : made) {
    try {
      sync_directory(std::filesystem::absolute(directory).parent_path());
    } catch (...) {
      // Not everyone may open the parent; its entry is written by the system in time.
    }
  }
}

void remove_tree(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(std::filesystem::symlink_status(path, error))) {
    std::vector<std::filesystem::path> entries;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      entries.push_back(entry->path());
    }
    if (error) fail_io(path, "list", error.value());
    for (const std::filesystem::path& entry : entries) remove_tree(entry);
  }
  if (file_system().remove(path) != 0 && errno != ENOENT) fail_io(path, "remove", errno);
}

void try_remove_tree(const std::filesystem::path& path) noexcept {
  try {
    remove_tree(path);
  } catch (...) {
    // Nobody can be told; the next writer removes what is left.
  }
}

}  // namespace gannet::index
