// Lines of a file or of stdin: ids, queries.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/markup/encoding/decoder.hpp"

namespace gannet::tools {

/// Reads lines one after the other, each as soon as it is there. Not thread-safe.
class LineInput {
 public:
  /// A file, plain, gzip, bzip2 or zstd, or "-": stdin as it is. Throws IoError and FormatError,
  /// here and in next().
  explicit LineInput(const std::string& path, std::stop_token stop = {});

  /// The next line, without its LF or CRLF, and the first one without a byte order mark, which may
  /// be that of UTF-16; false at the end, from then on. Throws InputError for UTF-16 without a
  /// mark, CancelledError.
  bool next(std::string& line);

 private:
  bool fill();
  std::string read_some();
  void begin(std::string& bytes);

  std::optional<corpora::ByteStream> file_;  ///< nothing: stdin
  std::optional<corpora::Decoder> decoder_;  ///< nothing: UTF-8
  std::string name_;
  std::stop_token stop_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< in buffer_, of the next line
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace gannet::tools
