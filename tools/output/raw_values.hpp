// Raw columns: little-endian values one behind the other, in files or on stdin and stdout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpora/documents/byte_stream.hpp"
#include "index/files/atomic_file.hpp"

namespace gannet::tools {

/// Raw values to be read from front to back. Not thread-safe.
class RawInput {
 public:
  /// A file, or "-" for stdin. Only a file whose name ends in .gz or .zst is decompressed: any
  /// bytes can be the first values of a column. Throws IoError.
  explicit RawInput(const std::string& path);

  /// Fills `bytes` as far as the input goes; fewer only at its end. Throws IoError.
  std::size_t read(std::span<std::byte> bytes);

  /// Bytes taken from the file so far, and its size (0: not known).
  std::uint64_t done() const;
  std::uint64_t total() const { return total_; }

 private:
  std::string path_;
  std::FILE* stdin_ = nullptr;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::optional<corpora::ByteStream> packed_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

/// Everything that the input has. Throws InputError if it is no whole number of values of `size`
/// bytes, or more than `limit` bytes.
std::vector<std::byte> read_raw(const std::string& path, std::uint32_t size, std::uint64_t limit);

/// Raw values to be written from front to back: to a file that appears complete or not at all, or
/// to stdout. Not thread-safe.
class RawOutput {
 public:
  /// A file, or "-" for stdout. Throws IoError.
  explicit RawOutput(const std::string& path);
  void write(std::span<const std::byte> bytes);
  /// Gives the file its name.
  void finish();

 private:
  std::optional<index::AtomicFile> file_;
};

/// Throws UsageError if `path` ("-" apart) is there already and --overwrite was not given, or if it
/// is no regular file.
void check_output(const std::string& path, bool overwrite);

}  // namespace gannet::tools
