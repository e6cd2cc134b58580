#include "index/files/patched_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "index/files/posix_file.hpp"

namespace gannet::index {

PatchedFile::PatchedFile(const std::filesystem::path& path, std::uint64_t length)
    : size_(static_cast<std::size_t>(length)) {
  const File file(path, O_RDONLY);
  constexpr int kWritable = PROT_READ | PROT_WRITE;
  // Zeros first, then the file over their front: its pages are copied when they are changed.
  void* const start =
      ::mmap(nullptr, size_, kWritable, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) fail_io(path, "map it into memory", errno);
  bytes_ = {static_cast<std::byte*>(start),
            [size = size_](std::byte* bytes) { ::munmap(bytes, size); }};
  const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), length));
  if (there == 0) return;
  const void* const mapped = ::mmap(start, there, kWritable,
                                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file.descriptor(), 0);
  if (mapped == MAP_FAILED) fail_io(path, "map it into memory", errno);
}

}  // namespace gannet::index
