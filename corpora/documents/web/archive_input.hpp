// An archive of records, read from its beginning to its end with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include "corpora/documents/bytes/byte_stream.hpp"

namespace gannet::corpora {

/// Lines and runs of bytes of a file, decompressed. Not thread-safe. The constructor throws
/// IoError, all functions CancelledError, as ByteStream does.
class ArchiveInput {
 public:
  explicit ArchiveInput(const std::filesystem::path& path, std::stop_token stop = {})
      : stream_(path, std::move(stop)) {}

  /// Bytes that were taken so far, which is where the next one stands in the decompressed file.
  std::uint64_t offset() const { return taken_; }
  /// Bytes taken from the file itself, for progress.
  std::uint64_t file_bytes() const { return stream_.file_bytes(); }

  /// Why the file could not be read to its end, which then is where it could not be read on; empty
  /// if nothing is wrong.
  const ReadProblem& problem() const { return problem_; }

  bool at_end() { return !has(1); }
  /// The next line with its line end; without one if the file ends first or the line has more than
  /// `limit` bytes, the first of which these then are. Valid until the next call.
  std::string_view peek_line(std::size_t limit);
  /// Passes over bytes that peek_line() has shown.
  void take(std::size_t size);
  /// Passes over empty lines, and appends them to `out`, if there is one; false if there are too
  /// many for that.
  bool take_blank_lines(std::string* out = nullptr);

  /// Appends the next `size` bytes; returns how many there were.
  std::uint64_t append_to(std::string& out, std::uint64_t size);
  /// Takes back that `bytes`, the last ones, were taken: they are read again. False if so many were
  /// read again that it would no longer take time in proportion to the file.
  bool give_back(std::string_view bytes);

 private:
  bool has(std::size_t size);
  void refill();

  ByteStream stream_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what is left of the buffer
  std::uint64_t taken_ = 0;
  std::uint64_t furthest_ = 0;    ///< the largest that taken_ was when bytes were given back
  std::uint64_t given_back_ = 0;  ///< bytes in all
  bool ended_ = false;
  ReadProblem problem_;
};

}  // namespace gannet::corpora
