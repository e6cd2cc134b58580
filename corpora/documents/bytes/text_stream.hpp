// Files of text as UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/markup/encoding/decoder.hpp"
#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::corpora {

/// A file read from its beginning to its end, decompressed, without its byte order mark, and
/// converted to UTF-8 where that or the caller says that it is something else. Not thread-safe.
class TextStream {
 public:
  /// Opens the file. A byte order mark counts more than `encoding`. What neither names is passed on
  /// as it is, UTF-8 or not. Throws as ByteStream does, here and in read().
  explicit TextStream(const std::filesystem::path& path,
                      std::optional<Encoding> encoding = std::nullopt, std::stop_token stop = {});

  /// As ByteStream::read().
  std::size_t read(char* out, std::size_t size, ReadProblem& problem);

  /// Bytes taken from the file so far.
  std::uint64_t file_bytes() const { return stream_.file_bytes(); }

 private:
  void refill();

  ByteStream stream_;
  std::optional<Decoder> decoder_;
  std::string ready_;  ///< what is still to be passed on: from `begin_`
  std::size_t begin_ = 0;
  bool ended_ = false;
  ReadProblem problem_;  ///< met behind what is ready
};

}  // namespace gannet::corpora
