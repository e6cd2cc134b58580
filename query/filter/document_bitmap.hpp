// A set of documents of one segment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gannet::query {

/// The bits that are set. Spelled so that compilers count several words at a time, also where they
/// must not use an instruction for it.
inline std::uint64_t count_bits(std::span<const std::uint64_t> words) {
  std::uint64_t count = 0;
  for (std::uint64_t word : words) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    word += word >> 8;
    word += word >> 16;
    count += (word + (word >> 32)) & 0x7f;
  }
  return count;
}

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
