// Short lists: posting lists of fewer than 128 postings. A short list is packed into the list table
// and has no skips and no bounds.
//
// Bits, the lowest of each byte first: for each posting its gap (docid - previous docid - 1; for
// the first posting the docid) in `gap_width` bits; then for each posting its frequency less 1 in
// `freq_width` bits; then bits 0 up to the end of the byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/tile.hpp"

namespace gannet::index {

/// Whether a list of so many postings is short: it has fewer postings than a tile.
constexpr bool is_short_list(std::uint32_t count) { return count < codecs::kTile; }

/// A view of a packed list. The number of postings is stored elsewhere; all functions need it.
struct ShortList {
  const std::uint8_t* bytes = nullptr;  ///< size(count) bytes
  std::uint32_t gap_width = 0;          ///< 0 .. 32
  std::uint32_t freq_width = 0;         ///< 0 .. 32

  /// The number of bytes of `count` postings.
  constexpr std::size_t size(std::uint32_t count) const {
    return (std::size_t{count} * (gap_width + freq_width) + 7) / 8;
  }
  /// Decodes all docids to out[0 .. count - 1]. Sums are taken modulo 2^32, so that the docids of a
  /// damaged list may not ascend.
  void decode_docids(std::uint32_t count, std::uint32_t* out) const;
  /// Decodes all frequencies, each less 1, to out[0 .. count - 1].
  void decode_frequencies(std::uint32_t count, std::uint32_t* out) const;
};

/// Packs a list and appends it to `bytes`. `docids` must ascend strictly, `freqs` (>= 1, not less
/// 1) must be as many, and all gaps and frequencies less 1 must fit in the widths (0 .. 32).
/// Nothing of this is checked.
void append_short_list(std::span<const std::uint32_t> docids, std::uint32_t gap_width,
                       std::span<const std::uint32_t> freqs, std::uint32_t freq_width,
                       std::vector<std::uint8_t>& bytes);

}  // namespace gannet::index
