// What RFC 1951 fixes: the meaning of the symbols, and how this tree packs a symbol into a table
// entry. Shared by the forms of the deflate decoder.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"

namespace gannet::codecs::deflate {

/// Symbols of the two codes that a block may define (RFC 1951, 3.2.5 and 3.2.7).
inline constexpr std::uint32_t kMaxLiteralCodes = 286;
inline constexpr std::uint32_t kMaxDistanceCodes = 30;
/// The fixed codes also number two symbols of each kind that never occur.
inline constexpr std::uint32_t kFixedLiteralCodes = 288;
inline constexpr std::uint32_t kFixedDistanceCodes = 32;
/// Symbols of the code in which the lengths of the other two are written.
inline constexpr std::uint32_t kLengthCodes = 19;
inline constexpr std::uint32_t kMaxCodeLength = 15;
inline constexpr std::uint32_t kEndOfBlock = 256;
inline constexpr std::uint32_t kMaxMatch = 258;
inline constexpr std::uint32_t kMaxDistance = 32768;

/// Most words of a stream: positions in bits must fit 32 bits.
inline constexpr std::uint32_t kMaxWords = 1u << 26;

/// The order in which the lengths of the length code come: 5 bits each, 12 to a number.
GANNET_HD std::uint32_t length_code_at(std::uint32_t place) {
  // 16 17 18 0 8 7 9 6 10 5 11 4 | 12 3 13 2 14 1 15
  constexpr std::uint64_t kFirst = 16ull | 17ull << 5 | 18ull << 10 | 0ull << 15 | 8ull << 20 |
                                   7ull << 25 | 9ull << 30 | 6ull << 35 | 10ull << 40 | 5ull << 45 |
                                   11ull << 50 | 4ull << 55;
  constexpr std::uint64_t kSecond =
      12ull | 3ull << 5 | 13ull << 10 | 2ull << 15 | 14ull << 20 | 1ull << 25 | 15ull << 30;
  const std::uint64_t packed = place < 12 ? kFirst : kSecond;
  return static_cast<std::uint32_t>(packed >> (5 * (place < 12 ? place : place - 12))) & 31;
}

/// Extra bits behind length code `code` (0..28, symbol - 257).
GANNET_HD std::uint32_t length_extra(std::uint32_t code) {
  return code < 8 || code == 28 ? 0 : code / 4 - 1;
}

/// The shortest match of length code `code` (0..28).
GANNET_HD std::uint32_t length_base(std::uint32_t code) {
  if (code < 8) return 3 + code;
  if (code == 28) return kMaxMatch;
  return 3 + ((4 + code % 4) << (code / 4 - 1));
}

/// Extra bits behind distance code `code` (0..29).
GANNET_HD std::uint32_t distance_extra(std::uint32_t code) { return code < 4 ? 0 : code / 2 - 1; }

/// The smallest distance of distance code `code` (0..29).
GANNET_HD std::uint32_t distance_base(std::uint32_t code) {
  if (code < 4) return 1 + code;
  return 1 + ((2 + code % 2) << (code / 2 - 1));
}

/// A table entry, 16 bits: bits 0-4 how many bits the symbol takes with its extra bits, bits 5-6
/// its kind, bits 7-14 its value.
using Entry = std::uint16_t;

enum Kind : std::uint32_t {
  kValue = 0,    ///< a literal, a distance code or a code length: value
  kLength = 1,   ///< a length code: value; a distance follows
  kEnd = 2,      ///< end of block
  kSpecial = 3,  ///< no code, or, if the entry has bits, the code is longer than the table's index:
                 ///< it has an entry in the table of 2^bits that starts at value
};

GANNET_HD constexpr std::uint32_t make_entry(std::uint32_t bits, std::uint32_t kind,
                                             std::uint32_t value) {
  return bits | kind << 5 | value << 7;
}
GANNET_HD constexpr std::uint32_t bits_of(std::uint32_t entry) { return entry & 31; }
GANNET_HD constexpr std::uint32_t kind_of(std::uint32_t entry) { return entry >> 5 & 3; }
GANNET_HD constexpr std::uint32_t value_of(std::uint32_t entry) { return entry >> 7; }

inline constexpr std::uint32_t kNoEntry = make_entry(0, kSpecial, 0);

GANNET_HD constexpr bool is_long(std::uint32_t entry) {
  return kind_of(entry) == kSpecial && bits_of(entry) != 0;
}

/// The entry of literal/length symbol `symbol` whose code has `length` bits.
GANNET_HD std::uint32_t literal_entry(std::uint32_t symbol, std::uint32_t length) {
  if (symbol < kEndOfBlock) return make_entry(length, kValue, symbol);
  if (symbol == kEndOfBlock) return make_entry(length, kEnd, 0);
  if (symbol >= kMaxLiteralCodes) return kNoEntry;
  const std::uint32_t code = symbol - kEndOfBlock - 1;
  return make_entry(length + length_extra(code), kLength, code);
}

GANNET_HD std::uint32_t distance_entry(std::uint32_t code, std::uint32_t length) {
  if (code >= kMaxDistanceCodes) return kNoEntry;
  return make_entry(length + distance_extra(code), kValue, code);
}

/// The match length that `entry` (of kind kLength) and `bits`, which start with its code, stand
/// for.
GANNET_HD std::uint32_t match_length(std::uint32_t entry, std::uint32_t bits) {
  const std::uint32_t code = value_of(entry);
  const std::uint32_t extra = length_extra(code);
  return length_base(code) + (bits >> (bits_of(entry) - extra) & low_mask(extra));
}

/// The distance that `entry` of the distance code and `bits`, which start with its code, stand for.
GANNET_HD std::uint32_t match_distance(std::uint32_t entry, std::uint32_t bits) {
  const std::uint32_t code = value_of(entry);
  const std::uint32_t extra = distance_extra(code);
  return distance_base(code) + (bits >> (bits_of(entry) - extra) & low_mask(extra));
}

/// The low 15 bits of `bits` in opposite order: a code as a number, as canonical codes count.
GANNET_HD std::uint32_t reversed15(std::uint32_t bits) {
  bits = (bits >> 1 & 0x5555) | (bits & 0x5555) << 1;
  bits = (bits >> 2 & 0x3333) | (bits & 0x3333) << 2;
  bits = (bits >> 4 & 0x0f0f) | (bits & 0x0f0f) << 4;
  bits = (bits >> 8 & 0x00ff) | (bits & 0x00ff) << 8;
  return bits >> 1;
}

}  // namespace gannet::codecs::deflate
