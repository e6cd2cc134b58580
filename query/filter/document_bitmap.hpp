// A set of documents of one segment.
#pragma once

#include <cstdint>
#include <vector>

namespace gannet::query {

/// Bit d % 64 of word d / 64 is document d; bits behind the last document are 0. A word is a range
/// of the pruned search (query/bounds/ranges.hpp).
struct DocumentBitmap {
  std::uint32_t documents = 0;
  std::vector<std::uint64_t> words = {};

  DocumentBitmap() = default;
  explicit DocumentBitmap(std::uint32_t count)
      : documents(count), words((std::size_t{count} + 63) / 64) {}

  bool has(std::uint32_t document) const {
    return (words[document / 64] >> document % 64 & 1) != 0;
  }
  void add(std::uint32_t document) { words[document / 64] |= std::uint64_t{1} << document % 64; }
};

}  // namespace gannet::query
