// Files as streams of bytes, plain or compressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// What follows the names of compressed files, by custom.
inline constexpr std::array<std::string_view, 3> kPackedExtensions{".gz", ".bz2", ".zst"};

/// Reads what there is of an open descriptor, up to `size` bytes; waits for at least one, 0 at the
/// end. Throws IoError that calls it `name`, and CancelledError once `stop` asks for it, also while
/// a pipe or terminal has nothing to read.
std::size_t read_bytes(int descriptor, std::string_view name, char* out, std::size_t size,
                       const std::stop_token& stop = {});

/// Makes read_bytes() throw IoError at the end of a pipe, of which this descriptor is an end: what
/// was written to it is not all that there should be. `error`: as errno. Thread-safe.
void fail_at_end(int pipe, int error);

/// Why a file cannot be read on.
struct ReadProblem {
  std::string what = {};  ///< with the name of the file; empty: nothing is wrong
  bool damaged = false;   ///< its compressed data is; else it cannot be read

  bool empty() const { return what.empty(); }
  /// Throws FormatError if the data is damaged, else IoError.
  [[noreturn]] void raise() const;
};

/// A file read from its beginning to its end. gzip, bzip2 and zstd are told by their magic bytes
/// and decompressed, with any number of members, streams or frames. Not thread-safe.
///
/// Over zlib, libbz2 and zstd themselves, not Boost.Iostreams: its zstd filter takes a truncated
/// frame for a whole one and has no way to allow the windows of `zstd --long`, and its streams
/// cannot be stopped while they wait for a pipe.
class ByteStream {
 public:
  /// Opens the file. Throws IoError that names it. Here and in read(), CancelledError is thrown
  /// once `stop` asks for it, also while a pipe or terminal has nothing to read.
  explicit ByteStream(const std::filesystem::path& path, std::stop_token stop = {});
  ~ByteStream();
  ByteStream(ByteStream&&) noexcept;
  ByteStream& operator=(ByteStream&&) noexcept;

  /// Reads up to `size` bytes to `out`; fewer only at the end of the file. Throws IoError, and
  /// FormatError for compressed data that is damaged or ends too early; the message says at which
  /// byte of the file.
  std::size_t read(char* out, std::size_t size);
  /// Reads as read() does, but keeps the bytes before an error and sets `problem` to it. These
  /// bytes do not depend on `size`. Must not be called again after a problem.
  std::size_t read(char* out, std::size_t size, ReadProblem& problem);

  /// Whether the file is compressed.
  bool is_packed() const { return decoder_ != nullptr; }

  /// Bytes taken from the file so far (compressed ones, where it is compressed).
  std::uint64_t file_bytes() const;

 private:
  class Decoder;
  struct File;
  static std::unique_ptr<Decoder> decoder_for(File& file);
  std::size_t read_some(char* out, std::size_t size);

  std::unique_ptr<File> file_;
  std::unique_ptr<Decoder> decoder_;  // null: the bytes are passed on as they are
  /// What the decoder made and nobody took yet: [ready_, ready_end_) of the chunk, which has one
  /// size, so that damage is met at the same byte however the file is read.
  std::vector<char> chunk_;
  std::size_t ready_ = 0;
  std::size_t ready_end_ = 0;
};

/// The whole contents of a file, decompressed. Throws IoError, FormatError, and InputError if it
/// has more than `limit` bytes; CancelledError.
std::string read_whole_bytes(const std::filesystem::path& path, std::size_t limit,
                             std::stop_token stop = {});

/// The same of a text: without its byte order mark, and as UTF-8 where that says UTF-16. Throws
/// InputError also for UTF-16 without a mark.
std::string read_whole_file(const std::filesystem::path& path,
                            std::size_t limit = std::size_t{1} << 32, std::stop_token stop = {});

}  // namespace gannet::corpora
