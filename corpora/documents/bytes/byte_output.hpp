// Output under a name that the user gave: a file as a whole, or bytes as they come.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>

#include "corpora/documents/bytes/byte_sink.hpp"
#include "index/files/atomic_file.hpp"

namespace gannet::corpora {

/// A regular file appears complete or not at all, and a symbolic link stays one: what it names is
/// replaced. What is no regular file (a pipe, a device, /dev/stdout) is written as it is. Not
/// thread-safe.
class ByteOutput {
 public:
  /// Throws IoError. Here and in write(), CancelledError is thrown once `stop` asks for it while
  /// nobody reads a pipe. `existing`: what becomes of a file that is there when this is finished.
  explicit ByteOutput(const std::filesystem::path& path, std::stop_token stop = {},
                      index::Existing existing = index::Existing::kReplace);
  ByteOutput(const ByteOutput&) = delete;
  ByteOutput& operator=(const ByteOutput&) = delete;

  /// Where links lead.
  const std::filesystem::path& path() const { return path_; }
  /// Throws IoError.
  void write(std::span<const std::byte> bytes);
  /// Gives a file its name, for good. Throws IoError, as index::AtomicFile::publish() does.
  void finish();

 private:
  // One of the two is written.
  std::optional<index::AtomicFile> file_;
  std::optional<ByteSink> sink_;
  std::filesystem::path path_;
  index::Existing existing_;
};

}  // namespace gannet::corpora
