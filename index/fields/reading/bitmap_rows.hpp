// What is done with the vectors of a bitmap block: their rows as plain bits, and counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "codecs/wah/wah.hpp"

namespace gannet::index {

/// Sets the bits of a sound vector's rows: row i is bit i % 64 of words[i / 64]. `words` has as
/// many as the vector's rows take.
inline void add_rows(std::span<const std::uint32_t> atoms, std::span<std::uint64_t> words) {
  using Atom = codecs::WahAtom<std::uint32_t>;
  std::uint64_t first = 0;
  for (const std::uint32_t atom : atoms) {
    if (!Atom::is_fill(atom)) {
      const std::uint64_t plain = codecs::wah_reversed(atom);
      const std::uint32_t shift = first % 64;
      words[first / 64] |= plain << shift;
      const std::uint64_t rest = shift == 0 ? 0 : plain >> (64 - shift);
      if (rest != 0) words[first / 64 + 1] |= rest;
    } else if (Atom::is_ones(atom)) {
      codecs::wah_detail::set_bits(words, first, first + Atom::length(atom) * Atom::kGroupRows);
    }
    first += std::uint64_t{Atom::length(atom)} * Atom::kGroupRows;
  }
}

/// The bits [first, last) that are set.
inline std::uint64_t count_ones(std::span<const std::uint64_t> words, std::uint64_t first,
                                std::uint64_t last) {
  std::uint64_t count = 0;
  while (first < last) {
    const std::uint64_t end = std::min(last, (first / 64 + 1) * 64);
    const std::uint64_t size = end - first;
    const std::uint64_t mask = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    count += static_cast<std::uint64_t>(std::popcount(words[first / 64] >> first % 64 & mask));
    first = end;
  }
  return count;
}

/// Rows of a sound vector whose bits are set in `words`. What it costs is its atoms, and the words
/// of its runs of ones.
inline std::uint64_t count_rows_in(std::span<const std::uint32_t> atoms,
                                   std::span<const std::uint64_t> words) {
  using Atom = codecs::WahAtom<std::uint32_t>;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  for (const std::uint32_t atom : atoms) {
    const std::uint64_t rows = std::uint64_t{Atom::length(atom)} * Atom::kGroupRows;
    if (!Atom::is_fill(atom)) {
      const std::uint64_t own = codecs::wah_reversed(atom);
      const std::uint64_t bits = codecs::wah_detail::bits_at(words, first, Atom::kGroupRows);
      count += static_cast<std::uint64_t>(std::popcount(own & bits));
    } else if (Atom::is_ones(atom)) {
      count += count_ones(words, first, first + rows);
    }
    first += rows;
  }
  return count;
}

}  // namespace gannet::index
