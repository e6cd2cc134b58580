#include "index/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "codecs/error.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {

MappedFile::MappedFile(const std::filesystem::path& path) {
  std::error_code error;
  // Opening anything else (a named pipe, say) might wait for ever.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    throw IoError(path.string() + ": not a regular file");
  }
  const File file(path, O_RDONLY);
  const auto size = static_cast<std::size_t>(file.size());
  if (size == 0) return;  // nothing to map, and mmap refuses it
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (start == MAP_FAILED) fail_io(path, "map it into memory", errno);
  bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace gannet::index
