// A set of documents of one segment.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Sets the bits of `n` ascending documents: bit 0 of words[0] is document `first`. By quarters in
/// turn, for a neighbour's word would be loaded before it is stored.
inline void set_bits(const std::uint32_t* documents, std::uint32_t n, std::uint32_t first,
                     std::uint64_t* words) {
  const auto set = [=](std::uint32_t document) {
    const std::uint32_t bit = document - first;
    words[bit / 64] |= std::uint64_t{1} << bit % 64;
  };
  const std::uint32_t quarter = n / 4;
  for (std::uint32_t i = 0; i < quarter; ++i) {
    set(documents[i]);
    set(documents[i + quarter]);
    set(documents[i + 2 * quarter]);
    set(documents[i + 3 * quarter]);
  }
  for (std::uint32_t i = 4 * quarter; i < n; ++i) set(documents[i]);
}

/// Bit d % 64 of word d / 64 is document d; bits behind the last document are 0. A word is a range
/// of the pruned search (query/bounds/ranges.hpp).
struct DocumentBitmap {
  /// Documents that `touched` has one byte for.
  static constexpr std::uint32_t kStretch = 4096;

  std::uint32_t documents = 0;
  std::vector<std::uint64_t> words = {};
  /// Of a bitmap that few bits are set in: not 0 for stretches of documents that may have any, so
  /// that the others need not be looked at. Empty if that is not known.
  std::vector<std::uint8_t> touched = {};

  DocumentBitmap() = default;
  explicit DocumentBitmap(std::uint32_t count)
      : documents(count), words((std::size_t{count} + 63) / 64) {}

  bool has(std::uint32_t document) const {
    return (words[document / 64] >> document % 64 & 1) != 0;
  }
  void add(std::uint32_t document) {
    words[document / 64] |= std::uint64_t{1} << document % 64;
    if (!touched.empty()) touched[document / kStretch] = 1;
  }
  /// From now on it is known which stretches have any documents. There must be none yet.
  void watch_stretches() { touched.assign((std::size_t{documents} + kStretch - 1) / kStretch, 0); }
  /// No document any more; stretches are watched.
  void clear() {
    if (touched.empty()) {
      std::ranges::fill(words, 0);
      return watch_stretches();
    }
    constexpr std::size_t kWords = kStretch / 64;
    for (std::size_t s = 0; s < touched.size(); ++s) {
      if (touched[s] == 0) continue;
      touched[s] = 0;
      const auto stretch = std::span(words).subspan(s * kWords);
      std::ranges::fill(stretch.first(std::min(kWords, stretch.size())), 0);
    }
  }
};

}  // namespace gannet::query
