// Raw columns: little-endian values one behind the other, in files or on stdin and stdout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "corpora/documents/bytes/byte_output.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/output_files.hpp"

namespace gannet::tools {

/// Raw values to be read from front to back. Not thread-safe.
class RawInput {
 public:
  /// A file, or "-" for stdin. Only a file whose name ends in .gz or .zst is decompressed: any
  /// bytes can be the first values of a column. Throws IoError. Here and in read(), CancelledError
  /// is thrown once `stop` asks for it, also while a pipe or terminal has nothing to read.
  explicit RawInput(const std::string& path, std::stop_token stop = {});
  ~RawInput();
  RawInput(const RawInput&) = delete;
  RawInput& operator=(const RawInput&) = delete;

  /// Fills `bytes` as far as the input goes; fewer only at its end. Throws IoError.
  std::size_t read(std::span<std::byte> bytes);

  /// Bytes taken from the file so far, and its size (0: not known).
  std::uint64_t done() const;
  std::uint64_t total() const { return total_; }

 private:
  std::string path_;
  std::stop_token stop_;
  int descriptor_ = -1;
  std::optional<corpora::ByteStream> packed_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

/// Everything that the input has. Throws InputError if it is no whole number of values of `size`
/// bytes, or more than `limit` bytes.
std::vector<std::byte> read_raw(const std::string& path, std::uint32_t size, std::uint64_t limit);

/// Raw values to be written from front to back: to a file that appears complete or not at all, or
/// to stdout, a pipe or a device as they come. A symbolic link stays one. Not thread-safe.
class RawOutput {
 public:
  /// A file, or "-" for stdout. Throws IoError. While an InterruptGuard lives, CancelledError after
  /// a signal, here and in write(), also where nobody reads a pipe.
  explicit RawOutput(const std::string& path, index::Existing existing = index::Existing::kReplace);
  void write(std::span<const std::byte> bytes);
  /// Gives the file its name. Throws IoError, as index::AtomicFile::publish() does.
  void finish();

 private:
  std::optional<corpora::ByteOutput> output_;  ///< nothing: stdout
};

/// What becomes of a file that appears under an output's name while the command runs.
index::Existing existing_output(const OptionSet& options);

/// Throws UsageError if two options name one file: the later output would replace the other, or
/// the input. Pipes and devices are no files.
void check_distinct_files(const OptionSet& options, const char* one, const char* other);

/// Throws UsageError if raw values cannot go to `path`: a file that is there, without `overwrite`,
/// or a terminal, which would obey what it finds in them. "-", pipes and devices take them.
void check_raw_output(const std::string& path, bool overwrite);

}  // namespace gannet::tools
