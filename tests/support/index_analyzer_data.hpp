// Real collections for tests: where they are, and reading them.
#pragma once

#include <simdjson.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/paths.hpp"

namespace gannet::test {

/// The folder of real collections; it may be absent.
inline std::filesystem::path data_folder() {
  const char* const folder = std::getenv("GANNET_DATA");
  return folder != nullptr ? folder : std::string(test::kSourceFolder) + "/../shared/data";
}

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return std::move(bytes).str();
}

inline std::string read_zstd(const std::filesystem::path& path) {
  const std::string packed = read_whole(path);
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

/// Calls `on_document(id, contents)` for every line of a docs.jsonl.zst.
template <class F>
void for_each_document(const std::filesystem::path& path, F&& on_document) {
  const std::string text = read_zstd(path);
  simdjson::dom::parser parser;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    const simdjson::dom::element document = parser.parse(text.substr(start, end - start));
    on_document(std::string_view(document["id"]), std::string_view(document["contents"]));
    start = end + 1;
  }
}

}  // namespace gannet::test
