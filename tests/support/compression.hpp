// Compressed copies of texts, and reading such files.
#pragma once

#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.hpp"

namespace gannet::test {

inline std::string gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string bzip2(std::string_view text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 50 + 1000);
  std::string out(size, '\0');
  const int status = BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                                              static_cast<unsigned>(text.size()), 1, 0, 0);
  if (status != BZ_OK) throw std::runtime_error("bzip2 failed");
  out.resize(size);
  return out;
}

inline std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

inline std::string read_zstd(const std::filesystem::path& path) {
  const std::string packed = read_file(path);
  std::string text;
  std::vector<char> piece(ZSTD_DStreamOutSize());
  ZSTD_DStream* const stream = ZSTD_createDStream();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    const std::size_t state = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(state) != 0) throw std::runtime_error(ZSTD_getErrorName(state));
    text.append(piece.data(), out.pos);
  }
  ZSTD_freeDStream(stream);
  return text;
}

}  // namespace gannet::test
