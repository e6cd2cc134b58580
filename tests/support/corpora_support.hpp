// What the tests of corpora/ share: files on disk, compressed copies, and reading a source to its
// end.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {

namespace fs = std::filesystem;

inline std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

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

inline std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// Ids and texts, and how many records were skipped.
struct Documents {
  std::vector<std::pair<std::string, std::string>> all;
  std::uint64_t skipped = 0;

  std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const auto& document : all) ids.push_back(document.first);
    return ids;
  }
  bool operator==(const Documents&) const = default;
};

inline Documents read_all(index::DocumentSource& source) {
  Documents documents;
  while (auto raw = source.read()) {
    const auto batch = source.parse(std::move(raw));
    for (const index::Document& document : batch->documents) {
      documents.all.emplace_back(document.id, document.text);
    }
    documents.skipped += batch->skipped;
  }
  return documents;
}

inline Documents read_all(corpora::DocumentFormat format, const std::vector<fs::path>& inputs,
                          const corpora::ReaderOptions& options = {}) {
  return read_all(*corpora::open_documents(format, inputs, options));
}

/// The message of the error of type E that `f` throws.
template <class E, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception of the expected type";
  return {};
}

/// The folder of real test data, or an empty path where there is none.
inline fs::path data_folder() {
  const char* named = std::getenv("GANNET_DATA");
  const fs::path folder = named ? fs::path(named) : fs::path(kSourceFolder) / "../shared/data";
  return fs::exists(folder) ? folder : fs::path();
}

}  // namespace gannet::test
