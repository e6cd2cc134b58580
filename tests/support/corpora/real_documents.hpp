// Reading the documents of a real collection.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/compression.hpp"

namespace gannet::test {

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
