// A file of ids, one a line.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "corpora/documents/byte_stream.hpp"

namespace gannet::tools {

/// Reads the lines of a file, plain, gzip or zstd, one after the other. Not thread-safe.
class IdList {
 public:
  /// Throws IoError, here and in next().
  IdList(const std::filesystem::path& path, std::stop_token stop);

  /// The next line, without its LF or CRLF; false at the end. Throws CancelledError.
  bool next(std::string& line);

 private:
  bool fill();

  corpora::ByteStream stream_;
  std::string buffer_;
  std::size_t at_ = 0;  ///< in buffer_, of the next line
};

}  // namespace gannet::tools
