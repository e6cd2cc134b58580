// Huffman decoding tables of deflate, built by 32 lanes together from the lengths of the codes.
//
// A code of up to `root_bits` bits is found by one look into the root table, indexed by the next
// bits of the stream. Longer codes that start with the same bits share a second table, indexed by
// the bits behind these. Codes are canonical: reversed, so that the first bit counts most, and
// left-aligned to 15 bits, they are in order of length and symbol. So everything about them follows
// from the numbers of codes of each length.
#pragma once

#include "codecs/deflate/format.hpp"

namespace gannet::codecs::deflate {

/// What lanes share while they build a table.
struct BuildSpace {
  std::uint16_t ranks[kFixedLiteralCodes];  ///< of the symbols among those of equal length
  std::uint16_t limit[kMaxCodeLength + 1];  ///< one past the last code of each length
  /// Place of code c of length l: offset[l] + (c >> 15-l).
  std::uint16_t offset[kMaxCodeLength + 1];
  Entry sorted[kFixedLiteralCodes];  ///< entries by length and symbol
  /// Root indices, as canonical prefixes, whose longest code is shorter than or as long as l; and
  /// where the tables of those whose longest code has l bits start.
  std::uint16_t prefixes[kMaxCodeLength + 1];
  std::uint16_t starts[kMaxCodeLength + 1];
};

/// Where a table goes.
struct TablePlace {
  std::uint32_t root_bits;
  Entry* root;          ///< 2^root_bits entries
  Entry* second;        ///< array of all second tables
  std::uint32_t first;  ///< the first entry of it that may be used
  std::uint32_t most;   ///< how many may be used
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
template <class Lanes>
GANNET_HD bool place_lengths(Lanes lanes, const std::uint32_t (&counts)[kMaxCodeLength + 1],
                             Partial partial, BuildSpace& space) {
  std::uint32_t end = 0;
  std::uint32_t used = 0;
  for (std::uint32_t l = 1; l <= kMaxCodeLength; ++l) {
    const std::uint32_t offset = used - (end >> (kMaxCodeLength - l));
    end += counts[l] << (kMaxCodeLength - l);
    used += counts[l];
    lanes.each([&](std::uint32_t lane) {
      if (lane == l) {
        space.limit[l] = static_cast<std::uint16_t>(end);
        space.offset[l] = static_cast<std::uint16_t>(offset);
      }
    });
  }
  constexpr std::uint32_t kComplete = 1u << kMaxCodeLength;
  const bool one_or_none = used == 0 || (used == 1 && counts[1] == 1);
  return end == kComplete || (partial == Partial::kOneOrNone && one_or_none);
}

/// Sets prefixes and starts. False if the second tables do not fit (no code needs more than there
/// is room for).
template <class Lanes>
GANNET_HD bool place_second(Lanes lanes, const TablePlace& place, BuildSpace& space) {
  const std::uint32_t below = kMaxCodeLength - place.root_bits;
  std::uint32_t prefixes = space.limit[place.root_bits] >> below;
  std::uint32_t start = place.first;
  lanes.each([&](std::uint32_t lane) {
    if (lane == 0) space.prefixes[place.root_bits] = static_cast<std::uint16_t>(prefixes);
  });
  for (std::uint32_t l = place.root_bits + 1; l <= kMaxCodeLength; ++l) {
    const std::uint32_t next = space.limit[l] >> below;
    lanes.each([&](std::uint32_t lane) {
      if (lane != 0) return;
      space.prefixes[l] = static_cast<std::uint16_t>(next);
      space.starts[l] = static_cast<std::uint16_t>(start);
    });
    start += (next - prefixes) << (l - place.root_bits);
    prefixes = next;
  }
  return start <= place.first + place.most;
}

/// The root entry for codes longer than the root, which start with the canonical prefix `prefix`.
GANNET_HD std::uint32_t second_table(const TablePlace& place, const BuildSpace& space,
                                     std::uint32_t prefix) {
  std::uint32_t l = place.root_bits + 1;
  while (l < kMaxCodeLength && prefix >= space.prefixes[l]) ++l;
  const std::uint32_t bits = l - place.root_bits;
  return make_entry(bits, kSpecial, space.starts[l] + ((prefix - space.prefixes[l - 1]) << bits));
}

/// Writes the entry of a code longer than the root, left-aligned, wherever its second table has it.
GANNET_HD void store_long(const TablePlace& place, const BuildSpace& space, std::uint32_t code,
                          std::uint32_t length, std::uint32_t entry) {
  const std::uint32_t table =
      second_table(place, space, code >> (kMaxCodeLength - place.root_bits));
  const std::uint32_t step = 1u << (length - place.root_bits);
  const std::uint32_t size = 1u << bits_of(table);
  for (std::uint32_t i = reversed15(code) >> place.root_bits; i < size; i += step) {
    place.second[value_of(table) + i] = static_cast<Entry>(entry);
  }
}

/// Writes the sorted entries, and those of long codes into the second tables.
template <class Lanes, class EntryOf>
GANNET_HD void place_symbols(Lanes lanes, const std::uint8_t* lengths, std::uint32_t symbols,
                             EntryOf entry_of, const TablePlace& place, BuildSpace& space) {
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = lane; i < symbols; i += kLanes) {
      const std::uint32_t length = lengths[i];
      if (length == 0) continue;
      const std::uint32_t entry = entry_of(i, length);
      const std::uint32_t first = length == 1 ? 0 : space.limit[length - 1];
      const std::uint32_t code = first + (space.ranks[i] << (kMaxCodeLength - length));
      const std::uint32_t at = space.offset[length] + (code >> (kMaxCodeLength - length));
      space.sorted[at & 0xffff] = static_cast<Entry>(entry);
      if (length > place.root_bits) store_long(place, space, code, length, entry);
    }
  });
}

/// Fills the root table.
template <class Lanes>
GANNET_HD void fill_root(Lanes lanes, const TablePlace& place, const BuildSpace& space) {
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = lane; i < 1u << place.root_bits; i += kLanes) {
      const std::uint32_t code = reversed15(i);
      std::uint32_t length = 1;
      while (length <= place.root_bits && code >= space.limit[length]) ++length;
      std::uint32_t entry = kNoEntry;
      if (length <= place.root_bits) {
        const std::uint32_t at = space.offset[length] + (code >> (kMaxCodeLength - length));
        entry = space.sorted[at & 0xffff];
      } else if (code < space.limit[kMaxCodeLength]) {
        entry = second_table(place, space, code >> (kMaxCodeLength - place.root_bits));
      }
      place.root[i] = static_cast<Entry>(entry);
    }
  });
}

/// Builds the tables of `symbols` (at most kFixedLiteralCodes) code lengths (0..15, 0: not used).
/// entry_of(symbol, length) gives the entries. Returns false if the lengths are no code; the tables
/// must not be used then.
template <class Lanes, class EntryOf>
GANNET_HD bool build_table(Lanes lanes, const std::uint8_t* lengths, std::uint32_t symbols,
                           Partial partial, EntryOf entry_of, const TablePlace& place,
                           BuildSpace& space) {
  std::uint32_t counts[kMaxCodeLength + 1];
  rank_symbols(lanes, lengths, symbols, space.ranks, counts);
  if (!place_lengths(lanes, counts, partial, space)) return false;
  lanes.sync();
  if (!place_second(lanes, place, space)) return false;
  lanes.sync();
  place_symbols(lanes, lengths, symbols, entry_of, place, space);
  lanes.sync();
  fill_root(lanes, place, space);
  lanes.sync();
  return true;
}

}  // namespace gannet::codecs::deflate
