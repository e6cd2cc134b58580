// Huffman decoding tables of deflate, built by 32 lanes together from the lengths of the codes.
//
// A code of up to `kRoot` bits is found by one look into `root`, indexed by the next bits of the
// stream. Longer codes are rare; they are found as canonical codes are: reversed, so that the first
// bit counts most and codes grow with their lengths, by comparison with the end of each length.
#pragma once

#include "gannet/codecs/deflate_format.hpp"

namespace gannet::codecs::deflate {

/// Canonical codes of up to 15 bits, apart from the root table. Codes are left-aligned to 15 bits.
template <std::uint32_t kSymbols>
struct LongCodes {
  std::uint16_t limit[kMaxCodeLength + 1];  ///< one past the last code of each length
  std::uint16_t
      offset[kMaxCodeLength + 1];  ///< place of code c of length l: offset[l] + (c >> 15-l)
  Entry sorted[kSymbols];          ///< entries by length and symbol
};

/// The entry of the code that starts `bits`, known to be longer than `root_bits`; kNoEntry if no
/// code does.
template <std::uint32_t kSymbols>
GANNET_HD std::uint32_t long_entry(const LongCodes<kSymbols>& codes, std::uint32_t root_bits,
                                   std::uint32_t bits) {
  const std::uint32_t code = reversed15(bits);
  for (std::uint32_t length = root_bits + 1; length <= kMaxCodeLength; ++length) {
    if (code < codes.limit[length]) {
      const std::uint32_t place = codes.offset[length] + (code >> (kMaxCodeLength - length));
      return codes.sorted[place & 0xffff];
    }
  }
  return kNoEntry;
}

/// What lanes share while they build a table.
struct BuildSpace {
  std::uint8_t lengths[kFixedLiteralCodes + kFixedDistanceCodes];
  std::uint16_t ranks[kFixedLiteralCodes];  ///< among the symbols of equal length
};

/// Which sets of lengths are a code (RFC 1951 and zlib agree): complete ones, and where one symbol
/// or none is used at all, the set of this one symbol with one bit, or the empty set.
enum class Partial { kNever, kOneOrNone };

/// Ranks the symbols among those of equal length; counts[l] becomes the number of length l.
template <class Lanes>
GANNET_HD void rank_symbols(Lanes lanes, const std::uint8_t* lengths, std::uint32_t symbols,
                            std::uint16_t* ranks, std::uint32_t (&counts)[kMaxCodeLength + 1]) {
  for (std::uint32_t l = 0; l <= kMaxCodeLength; ++l) counts[l] = 0;
  for (std::uint32_t first = 0; first < symbols; first += kLanes) {
    typename Lanes::template Var<std::uint32_t> length;
    typename Lanes::template Var<std::uint32_t> rank;
    typename Lanes::template Var<std::uint32_t> same;
    lanes.each([&](std::uint32_t lane) {
      length[lane] = first + lane < symbols ? lengths[first + lane] : 0;
      rank[lane] = 0;
    });
    for (std::uint32_t l = 1; l <= kMaxCodeLength; ++l) {
      lanes.each([&](std::uint32_t lane) { same[lane] = length[lane] == l ? 1 : 0; });
      const std::uint32_t all = lanes.ballot(same);
      lanes.each([&](std::uint32_t lane) {
        if (same[lane] != 0) rank[lane] = counts[l] + popcount(all & low_mask(lane));
      });
      counts[l] += popcount(all);
    }
    lanes.each([&](std::uint32_t lane) {
      if (first + lane < symbols) ranks[first + lane] = static_cast<std::uint16_t>(rank[lane]);
    });
  }
}

/// Sets limit and offset; returns whether the lengths are a code.
template <class Lanes, std::uint32_t kSymbols>
GANNET_HD bool place_lengths(Lanes lanes, const std::uint32_t (&counts)[kMaxCodeLength + 1],
                             Partial partial, LongCodes<kSymbols>& codes) {
  std::uint32_t end = 0;
  std::uint32_t used = 0;
  for (std::uint32_t l = 1; l <= kMaxCodeLength; ++l) {
    const std::uint32_t offset = used - (end >> (kMaxCodeLength - l));
    end += counts[l] << (kMaxCodeLength - l);
    used += counts[l];
    lanes.each([&](std::uint32_t lane) {
      if (lane == l) {
        codes.limit[l] = static_cast<std::uint16_t>(end);
        codes.offset[l] = static_cast<std::uint16_t>(offset);
      }
    });
  }
  constexpr std::uint32_t kComplete = 1u << kMaxCodeLength;
  const bool one_or_none = used == 0 || (used == 1 && counts[1] == 1);
  return end == kComplete || (partial == Partial::kOneOrNone && one_or_none);
}

/// Builds the table of `symbols` (at most kSymbols) code lengths (0..15, 0: not used).
/// entry_of(symbol, length) gives the entries; root has 2^root_bits. `space.ranks` is overwritten.
/// Returns false if the lengths are no code; the tables must not be used then.
template <class Lanes, std::uint32_t kSymbols, class EntryOf>
GANNET_HD bool build_table(Lanes lanes, const std::uint8_t* lengths, std::uint32_t symbols,
                           Partial partial, EntryOf entry_of, std::uint16_t* ranks,
                           std::uint32_t root_bits, Entry* root, LongCodes<kSymbols>& codes) {
  std::uint32_t counts[kMaxCodeLength + 1];
  rank_symbols(lanes, lengths, symbols, ranks, counts);
  if (!place_lengths(lanes, counts, partial, codes)) return false;
  lanes.sync();
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = lane; i < symbols; i += kLanes) {
      const std::uint32_t length = lengths[i];
      if (length == 0) continue;
      const std::uint32_t first = length == 1 ? 0 : codes.limit[length - 1];
      const std::uint32_t start = codes.offset[length] + (first >> (kMaxCodeLength - length));
      codes.sorted[(start + ranks[i]) & 0xffff] = static_cast<Entry>(entry_of(i, length));
    }
  });
  lanes.sync();
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = lane; i < 1u << root_bits; i += kLanes) {
      const std::uint32_t code = reversed15(i);
      std::uint32_t length = 1;
      while (length <= root_bits && code >= codes.limit[length]) ++length;
      std::uint32_t entry = code < codes.limit[kMaxCodeLength] ? kLongEntry : kNoEntry;
      if (length <= root_bits) {
        entry = codes.sorted[(codes.offset[length] + (code >> (kMaxCodeLength - length))) & 0xffff];
      }
      root[i] = static_cast<Entry>(entry);
    }
  });
  lanes.sync();
  return true;
}

}  // namespace gannet::codecs::deflate
