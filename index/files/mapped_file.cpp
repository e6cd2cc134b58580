#include "index/files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "codecs/base/error.hpp"
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
  const auto unmap = [size](const std::byte* bytes) {
    ::munmap(const_cast<std::byte*>(bytes), size);
  };
  bytes_ = {static_cast<const std::byte*>(start), unmap};
  size_ = size;
}

}  // namespace gannet::index
