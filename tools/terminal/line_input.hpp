// Lines of a file or of stdin: ids, queries.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "corpora/documents/bytes/byte_stream.hpp"

namespace gannet::tools {

/// Reads lines one after the other, each as soon as it is there. Not thread-safe.
class LineInput {
 public:
  /// A file, plain, gzip, bzip2 or zstd, or "-": stdin as it is. Throws IoError, here and in
  /// next().
  explicit LineInput(const std::string& path, std::stop_token stop = {});

  /// The next line, without its LF or CRLF, and the first one without a byte order mark; false at
  /// the end. Throws CancelledError.
  bool next(std::string& line);

 private:
  bool fill();

  std::optional<corpora::ByteStream> file_;  ///< nothing: stdin
  std::stop_token stop_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< in buffer_, of the next line
  bool at_start_ = true;
};

}  // namespace gannet::tools
