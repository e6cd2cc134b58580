// A file mapped into memory, read-only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace gannet::index {

/// Immutable; safe to read from any number of threads. The bytes stay valid when the file is
/// removed or replaced by rename. Copies share the mapping, which goes with the last of them.
class MappedFile {
 public:
  /// Throws IoError if the file cannot be opened or is no regular file.
  explicit MappedFile(const std::filesystem::path& path);
  /// Bytes in memory that stand for a file's.
  MappedFile(std::shared_ptr<const std::byte> bytes, std::size_t size)
      : bytes_(std::move(bytes)), size_(size) {}

  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }

 private:
  std::shared_ptr<const std::byte> bytes_;
  std::size_t size_ = 0;
};

}  // namespace gannet::index
