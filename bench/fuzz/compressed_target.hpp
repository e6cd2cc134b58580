// What the target `compressed` tries: a file that may be gzip, bzip2 or zstd is refused or read, in
// pieces of any size alike; and what zlib and zstd make of any bytes is read as these bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/bytes/bzip2_decoder.hpp"
#include "corpora/documents/bytes/zstd_decoder.hpp"
#include "tests/support/compression.hpp"

namespace gannet::fuzz {

/// No more than this is read of an input: a few bytes can stand for gigabytes.
inline constexpr std::size_t kMaxDecompressed = std::size_t{1} << 20;

/// The beginning of a file, read `piece` bytes at a time; nothing if it is refused.
inline std::optional<std::string> read_in_pieces(const std::filesystem::path& path,
                                                 std::size_t piece) {
  try {
    corpora::ByteStream stream(path);
    std::string bytes;
    std::string part(piece, '\0');
    while (bytes.size() < kMaxDecompressed) {
      const std::size_t wanted = std::min(piece, kMaxDecompressed - bytes.size());
      const std::size_t got = stream.read(part.data(), wanted);
      bytes.append(part, 0, got);
      if (got < wanted) break;
    }
    return bytes;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

inline bool is_compressed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || corpora::is_bzip2(bytes) || corpora::is_zstd(bytes);
}

/// Input: a byte for the size of pieces, then the file.
inline void try_compressed(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  const std::size_t piece = 1 + input[0] * 16u;
  const std::string_view bytes = text_of(input.subspan(1));
  const auto path = file_with("compressed", bytes);
  need(read_in_pieces(path, piece) == read_in_pieces(path, kMaxDecompressed),
       "the size of pieces decides what is read");
  if (!is_compressed(bytes)) {
    need(read_in_pieces(path, piece) == bytes, "plain bytes are not read as they are");
  }
  const std::string twice = std::string(bytes) + std::string(bytes);
  need(read_in_pieces(file_with("gz", test::gzip(bytes) + test::gzip(bytes)), piece) == twice,
       "gzip gives other bytes");
  need(read_in_pieces(file_with("bz2", test::bzip2(bytes) + test::bzip2(bytes)), piece) == twice,
       "bzip2 gives other bytes");
  need(read_in_pieces(file_with("zst", test::zstd(bytes) + test::zstd(bytes)), piece) == twice,
       "zstd gives other bytes");
}

}  // namespace gannet::fuzz
