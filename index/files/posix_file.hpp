// Files and directories of the operating system, with errors as IoError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace gannet::index {

/// Throws IoError: "PATH: cannot ACTION: CAUSE", and what to do where the cause says it. `error` is
/// an errno.
[[noreturn]] void fail_io(const std::filesystem::path& path, std::string_view action, int error);

/// An open file. Not thread-safe, except read_at().
class File {
 public:
  File() = default;
  /// `flags` as for open(2); the file is closed in child processes.
  File(std::filesystem::path path, int flags);
  /// A new file for writing; not open if the name is taken. Errors and path() say `shown`.
  static File create_new(const std::filesystem::path& path, std::filesystem::path shown);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

  std::uint64_t size() const;
  void write(std::span<const std::byte> bytes);
  /// Reads exactly `bytes.size()` bytes at `offset`; IoError at the end of the file. Thread-safe.
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  /// Waits until the device has everything.
  void sync();
  /// Closes and reports errors that were held back until now (the destructor ignores them).
  void close();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// Makes renames and removals in `directory` durable.
void sync_directory(const std::filesystem::path& directory);

/// Whether the open file is still the one that the name stands for.
bool is_still_named(const File& file, const std::filesystem::path& name);

/// Throws UsageError if `path` is a symbolic link: what Gannet makes is none, and one that was
/// planted leads to files of others. Nothing there is fine.
void refuse_link(const std::filesystem::path& path);

/// Creates a directory and those above it; returns those that were not there, topmost first.
std::vector<std::filesystem::path> make_directories(const std::filesystem::path& directory);
/// Makes the names of those durable where their parents may be opened.
void sync_made_directories(std::span<const std::filesystem::path> made) noexcept;

/// Removes a file, or a directory with all it holds. One that is not there is fine.
void remove_tree(const std::filesystem::path& path);
/// remove_tree() for destructors and the like: a failure is ignored.
void try_remove_tree(const std::filesystem::path& path) noexcept;

}  // namespace gannet::index
