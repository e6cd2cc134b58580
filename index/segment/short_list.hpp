// A posting list of fewer than 128 postings, packed: it has no skips and no bounds, and stands in
// the list table itself.
//
// Bits, the lowest first: for each posting its gap (docid - previous docid - 1; the first docid as
// it is) in `gap_width` bits, then for each posting its frequency less 1 in `freq_width` bits; 0 up
// to the next whole byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/tile.hpp"

namespace gannet::index {

/// Lists with fewer postings than a tile are short.
constexpr bool is_short_list(std::uint32_t count) { return count < codecs::kTile; }

/// A packed list, not owned.
struct ShortList {
  const std::uint8_t* bytes = nullptr;
  std::uint32_t gap_width = 0;   ///< 0 .. 32
  std::uint32_t freq_width = 0;  ///< 0 .. 32

  /// The bytes that `count` postings take.
  constexpr std::size_t size(std::uint32_t count) const {
    return (std::size_t{count} * (gap_width + freq_width) + 7) / 8;
  }
  /// Writes `count` docids, ascending modulo 2^32 from what the list holds.
  void decode_docids(std::uint32_t count, std::uint32_t* out) const;
  /// Writes `count` frequencies, each less 1.
  void decode_frequencies(std::uint32_t count, std::uint32_t* out) const;
};

/// Appends values of `gap_width` and `freq_width` bits. `freqs` are the frequencies themselves.
void append_short_list(std::span<const std::uint32_t> docids, std::uint32_t gap_width,
                       std::span<const std::uint32_t> freqs, std::uint32_t freq_width,
                       std::vector<std::uint8_t>& bytes);

}  // namespace gannet::index
