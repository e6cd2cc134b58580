// Deflate streams: zlib as an independent encoder and decoder.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/codecs/byte_values.hpp"

namespace gannet::test {

/// How zlib is to encode.
struct ZlibWay {
  int level = 9;
  int strategy = Z_DEFAULT_STRATEGY;
  int memory = 8;
  int flush = Z_NO_FLUSH;  ///< after every `piece` bytes
  std::size_t piece = 1 << 30;
};

/// A raw deflate stream of `bytes`.
inline Bytes zlib_deflate(std::span<const std::uint8_t> bytes, const ZlibWay& way) {
  z_stream stream{};
  if (deflateInit2(&stream, way.level, Z_DEFLATED, -15, way.memory, way.strategy) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  Bytes out;
  Bytes part(1 << 16);
  std::size_t taken = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::size_t piece = std::min(way.piece, bytes.size() - taken);
    stream.next_in = const_cast<Bytef*>(bytes.data() + taken);
    stream.avail_in = static_cast<uInt>(piece);
    taken += piece;
    const bool last = taken == bytes.size();
    do {
      stream.next_out = part.data();
      stream.avail_out = static_cast<uInt>(part.size());
      status = ::deflate(&stream, last ? Z_FINISH : way.flush);
      out.insert(out.end(), part.data(), part.data() + part.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

/// What zlib makes of a raw stream.
struct ZlibResult {
  bool good = false;      ///< it ends, within `most` bytes of output
  std::size_t taken = 0;  ///< bytes of the stream
  Bytes bytes;
};

inline ZlibResult zlib_inflate(std::span<const std::uint8_t> stream_bytes, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) throw std::runtime_error("inflateInit2");
  ZlibResult result;
  result.bytes.resize(most + 1);
  stream.next_in = const_cast<Bytef*>(stream_bytes.data());
  stream.avail_in = static_cast<uInt>(stream_bytes.size());
  stream.next_out = result.bytes.data();
  stream.avail_out = static_cast<uInt>(most + 1);
  const int status = ::inflate(&stream, Z_FINISH);
  result.good = status == Z_STREAM_END && stream.total_out <= most;
  result.taken = stream.total_in;
  result.bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return result;
}

/// A stream as words, with zero bytes behind it.
inline std::vector<std::uint32_t> words_of(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// A named stream and what it must give.
struct StreamCase {
  std::string name;
  Bytes stream;
  Bytes bytes;
};

/// Streams of every kind of block, of data of every kind.
inline std::vector<StreamCase> stream_cases() {
  const std::pair<const char*, Bytes> data[] = {
      {"nothing", {}},
      {"one byte", {42}},
      {"text", text_bytes(100000)},
      {"short text", text_bytes(700, 3)},
      {"noise", random_bytes(70000)},
      {"few values", random_bytes(30000, 3)},
      {"two values", random_bytes(30000, 2)},
      {"one value", Bytes(90000, 7)},
      {"short runs", run_bytes(40000, 9)},
      {"long runs", run_bytes(90000, 2000)},
      {"period 3", repeated_bytes(20000, 3)},
      {"period 31", repeated_bytes(20000, 31)},
      {"period 33", repeated_bytes(20000, 33)},
      {"period 258", repeated_bytes(20000, 258)},
      {"period 32506", repeated_bytes(131072, 32506)},
  };
  const std::pair<const char*, ZlibWay> ways[] = {
      {"stored", {.level = 0}},
      {"level 1", {.level = 1}},
      {"level 6", {.level = 6}},
      {"level 9", {.level = 9}},
      {"fixed codes", {.strategy = Z_FIXED}},
      {"no matches", {.strategy = Z_HUFFMAN_ONLY}},
      {"runs only", {.strategy = Z_RLE}},
      {"filtered", {.strategy = Z_FILTERED}},
      {"short blocks", {.memory = 1}},
      {"sync flushes", {.flush = Z_SYNC_FLUSH, .piece = 3001}},
      {"full flushes", {.flush = Z_FULL_FLUSH, .piece = 777}},
  };
  std::vector<StreamCase> cases;
  for (const auto& [data_name, bytes] : data) {
    for (const auto& [way_name, way] : ways) {
      cases.push_back({std::string(data_name) + ", " + way_name, zlib_deflate(bytes, way), bytes});
    }
  }
  return cases;
}

}  // namespace gannet::test
