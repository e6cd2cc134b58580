// Integers as ORC writes them: varints, zigzag. Source: ORC specification v1, "Base 128 Varint" and
// "Integer Run Length Encoding".
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/core/bits.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs::orc {

/// Most bytes of a varint of 64 bits.
inline constexpr std::uint32_t kVarintBytes = 10;

/// 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
inline std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

/// The inverse of zigzag(), modulo 2^64.
GANNET_HD std::uint64_t unzigzag(std::uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

/// A stored number as the value that it stands for, modulo the range of Value.
template <class Value>
GANNET_HD Value decoded(std::uint64_t stored, bool is_signed) {
  return static_cast<Value>(is_signed ? unzigzag(stored) : stored);
}

/// Appends seven bits a byte, lowest first; all bytes but the last have their highest bit set.
inline void put_varint(std::uint64_t value, std::vector<std::uint8_t>& bytes) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

/// Appends a value: zigzag if signed, then as a varint.
inline void put_value(std::int64_t value, bool is_signed, std::vector<std::uint8_t>& bytes) {
  put_varint(is_signed ? zigzag(value) : static_cast<std::uint64_t>(value), bytes);
}

inline constexpr Fault kEndsEarly = "it ends too early";
inline constexpr Fault kNoVarint = "a varint is too long or has no end";

/// Bytes of the varint at the beginning of `size` bytes; 0 if it has no end within them or is too
/// long.
GANNET_HD std::uint32_t varint_length(const std::uint8_t* bytes, std::uint64_t size) {
  for (std::uint32_t i = 0; i < size && i < kVarintBytes; ++i) {
    if (bytes[i] < 0x80) return i + 1;
  }
  return 0;
}

/// The seven low bits of each of four bytes, the first byte the lowest, as one number.
GANNET_HD std::uint32_t join_sevens(std::uint32_t bytes) {
  const std::uint32_t pairs = (bytes & 0x007f007f) | (bytes & 0x7f007f00) >> 1;
  return (pairs & 0x3fff) | pairs >> 16 << 14;
}

/// The next four bytes of a stream at a byte boundary, the first in the lowest bits.
template <class Input>
GANNET_HD std::uint32_t peek_bytes(const Input& input) {
  const std::uint32_t bits = input.peek_bits(32);
  if constexpr (Input::kMsbFirst) {
    return bits << 24 | (bits & 0xff00) << 8 | (bits >> 8 & 0xff00) | bits >> 24;
  } else {
    return bits;
  }
}

/// Takes a varint (modulo 2^64) from a stream at a byte boundary. There must be one, of at most
/// kVarintBytes bytes.
template <class Input>
GANNET_HD std::uint64_t fetch_varint(Input& input) {
  std::uint64_t value = 0;
  std::uint32_t shift = 0;
  while (true) {
    const std::uint32_t bytes = peek_bytes(input);
    const std::uint32_t ends = ~bytes & 0x80808080u;
    // The varint's: the lowest end bit, and all bits below it; all bits if there is no end.
    const std::uint32_t varint_bits = ends ^ (ends - 1);
    value |= static_cast<std::uint64_t>(join_sevens(bytes & varint_bits)) << shift;
    input.skip_bits(popcount(varint_bits));
    // Seldom more than four bytes.
    if (ends != 0) return value;
    shift += 28;
  }
}

}  // namespace gannet::codecs::orc
