// A file that appears complete or not at all: written under a temporary name, synced, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "index/files/checksum.hpp"
#include "index/files/posix_file.hpp"

namespace gannet::index {

/// What a file under way is called: its name and this.
inline constexpr const char* kTemporarySuffix = ".tmp";

/// Order of calls: append()..., finish(), publish(). Not thread-safe. Destroyed before publish(),
/// it leaves nothing behind.
class AtomicFile {
 public:
  /// Creates `path` + ".tmp".
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Bytes appended so far.
  std::uint64_t size() const { return size_; }

  void append(std::span<const std::byte> bytes);
  /// Writes what is buffered, syncs and closes. The file still has its temporary name.
  void finish();
  /// XXH3-64 of the whole file, after finish().
  std::uint64_t checksum() const { return hasher_.digest(); }
  /// Gives the file its name. The caller syncs the directory, once for all of its files.
  void publish();

 private:
  void flush();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  File file_;
  Hasher hasher_;
  std::vector<std::byte> buffer_;
  std::uint64_t size_ = 0;
  bool published_ = false;
};

}  // namespace gannet::index
