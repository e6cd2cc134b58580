// A file in memory that may be changed there, and is as it was on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "index/files/mapped_file.hpp"

namespace gannet::index {

/// The first `length` bytes of a file, and zeros where the file is shorter. Pages that are changed
/// take memory, others are the file's. Not thread-safe.
class PatchedFile {
 public:
  /// `length` > 0. Throws IoError if the file cannot be opened or mapped.
  PatchedFile(const std::filesystem::path& path, std::uint64_t length);

  std::span<std::byte> bytes() const { return {bytes_.get(), size_}; }
  /// The same bytes, for a reader; they stay as long as it does.
  MappedFile as_mapped() const { return MappedFile(bytes_, size_); }

 private:
  std::shared_ptr<std::byte> bytes_;
  std::size_t size_;
};

}  // namespace gannet::index
