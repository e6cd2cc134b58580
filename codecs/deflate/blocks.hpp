// The heads of deflate's blocks: which codes a block uses (RFC 1951, 3.2.3 to 3.2.7). Refuses what
// zlib refuses.
#pragma once

#include "codecs/deflate/tables.hpp"

namespace gannet::codecs::deflate {

inline constexpr std::uint32_t kLiteralRoot = 10;
inline constexpr std::uint32_t kDistanceRoot = 8;
inline constexpr std::uint32_t kLengthRoot = 7;

/// Most entries of the second tables: of all codes of 288 symbols and of 32 symbols, with these
/// roots (found by zlib's program "enough", which counts the root as well: 1,334 and 402).
inline constexpr std::uint32_t kLiteralSecond = 1334 - (1u << kLiteralRoot);
inline constexpr std::uint32_t kDistanceSecond = 402 - (1u << kDistanceRoot);

/// The tables of a block. Lives in memory that all lanes share; 4-byte aligned.
struct Tables {
  /// Literals and lengths first, then distances: one array, so that a lane which wants a distance
  /// and one which wants a literal can look in one step.
  Entry root[(1u << kLiteralRoot) + (1u << kDistanceRoot)];
  Entry second[kLiteralSecond + kDistanceSecond];
};

/// The entry of the code that starts `bits` and is longer than the root, whose entry is `entry`.
GANNET_HD std::uint32_t long_entry(const Tables& tables, std::uint32_t entry,
                                   std::uint32_t root_bits, std::uint32_t bits) {
  return tables.second[value_of(entry) + (bits >> root_bits & low_mask(bits_of(entry)))];
}

/// Base and extra bits (RFC 1951, 3.2.5) of length and distance codes: the smallest number in bits
/// 0-15, how many extra bits from bit 16 on. Length code c at c, distance code c at 32 + c.
struct BaseExtraTable {
  std::uint32_t of[64];

  template <class Lanes>
  GANNET_HD void set(Lanes lanes) {
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t length = lane < 29 ? lane : 28;
      of[lane] = length_base(length) | length_extra(length) << 16;
      const std::uint32_t distance = lane < kMaxDistanceCodes ? lane : 0;
      of[32 + lane] = distance_base(distance) | distance_extra(distance) << 16;
    });
    lanes.sync();
  }
};

/// What is needed only while the head of a block is read.
struct HeadSpace {
  std::uint8_t lengths[kFixedLiteralCodes + kFixedDistanceCodes];
  Entry length_root[1u << kLengthRoot];
  BuildSpace build;
};

/// The entry of the literal or length code that starts `bits`.
GANNET_HD std::uint32_t find_literal(const Tables& tables, std::uint32_t bits) {
  const std::uint32_t entry = tables.root[bits & low_mask(kLiteralRoot)];
  return is_long(entry) ? long_entry(tables, entry, kLiteralRoot, bits) : entry;
}

/// The entry of the distance code that starts `bits`.
GANNET_HD std::uint32_t find_distance(const Tables& tables, std::uint32_t bits) {
  const std::uint32_t entry = tables.root[(1u << kLiteralRoot) + (bits & low_mask(kDistanceRoot))];
  return is_long(entry) ? long_entry(tables, entry, kDistanceRoot, bits) : entry;
}

/// Builds both tables from space.lengths: `literals` lengths, then `distances` ones.
template <class Lanes>
GANNET_HD bool build_tables(Lanes lanes, std::uint32_t literals, std::uint32_t distances,
                            HeadSpace& space, Tables& tables) {
  if (space.lengths[kEndOfBlock] == 0) return false;
  const TablePlace literal_place{kLiteralRoot, tables.root, tables.second, 0, kLiteralSecond};
  const TablePlace distance_place{kDistanceRoot, tables.root + (1u << kLiteralRoot), tables.second,
                                  kLiteralSecond, kDistanceSecond};
  return build_table(
             lanes, space.lengths, literals, Partial::kOneOrNone,
             [](std::uint32_t symbol, std::uint32_t length) {
               return literal_entry(symbol, length);
             },
             literal_place, space.build) &&
         build_table(
             lanes, space.lengths + literals, distances, Partial::kOneOrNone,
             [](std::uint32_t code, std::uint32_t length) { return distance_entry(code, length); },
             distance_place, space.build);
}

/// The codes of a block of type 1.
template <class Lanes>
GANNET_HD bool fixed_tables(Lanes lanes, HeadSpace& space, Tables& tables) {
  lanes.sync();
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = lane; i < kFixedLiteralCodes + kFixedDistanceCodes; i += kLanes) {
      const std::uint32_t length = i < 144                  ? 8
                                   : i < 256                ? 9
                                   : i < 280                ? 7
                                   : i < kFixedLiteralCodes ? 8
                                                            : 5;
      space.lengths[i] = static_cast<std::uint8_t>(length);
    }
  });
  lanes.sync();
  return build_tables(lanes, kFixedLiteralCodes, kFixedDistanceCodes, space, tables);
}

/// Reads the lengths of the length code and builds its table.
template <class Lanes, class Input>
GANNET_HD bool read_length_code(Lanes lanes, Input& input, std::uint32_t count, HeadSpace& space) {
  std::uint8_t* lengths = space.lengths;
  lanes.sync();
  lanes.each([&](std::uint32_t lane) {
    if (lane < kLengthCodes) lengths[lane] = 0;
  });
  lanes.sync();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t length = input.fetch_bits(3);
    lanes.each([&](std::uint32_t lane) {
      if (lane == 0) lengths[length_code_at(i)] = static_cast<std::uint8_t>(length);
    });
  }
  lanes.sync();
  return build_table(
      lanes, lengths, kLengthCodes, Partial::kNever,
      [](std::uint32_t symbol, std::uint32_t length) { return make_entry(length, kValue, symbol); },
      TablePlace{kLengthRoot, space.length_root, nullptr, 0, 0}, space.build);
}

/// A code length to be stored `times` times, or times == 0 for an error.
struct Repeat {
  std::uint32_t length;
  std::uint32_t times;
};

/// Reads one symbol of the length code; `previous` is the length before, 16 if there is none.
template <class Input>
GANNET_HD Repeat read_length(Input& input, const HeadSpace& space, std::uint32_t previous) {
  const std::uint32_t entry = space.length_root[input.peek_bits(kLengthRoot)];
  input.skip_bits(bits_of(entry));
  const std::uint32_t symbol = value_of(entry);
  if (symbol < 16) return {symbol, 1};
  if (symbol == 16) return {previous, previous == 16 ? 0 : 3 + input.fetch_bits(2)};
  if (symbol == 17) return {0, 3 + input.fetch_bits(3)};
  return {0, 11 + input.fetch_bits(7)};
}

/// Reads the codes of a block of type 2. False if they are none, or if more than `limit` bits are
/// taken. All lanes together; `input` is a stream as in streams.hpp.
template <class Lanes, class Input>
GANNET_HD bool dynamic_tables(Lanes lanes, Input& input, std::uint32_t limit, HeadSpace& space,
                              Tables& tables) {
  const std::uint32_t literals = 257 + input.fetch_bits(5);
  const std::uint32_t distances = 1 + input.fetch_bits(5);
  const std::uint32_t length_codes = 4 + input.fetch_bits(4);
  if (literals > kMaxLiteralCodes || distances > kMaxDistanceCodes) return false;
  if (!read_length_code(lanes, input, length_codes, space)) return false;
  std::uint8_t* lengths = space.lengths;
  std::uint32_t previous = 16;
  for (std::uint32_t have = 0; have < literals + distances;) {
    const Repeat repeat = read_length(input, space, previous);
    if (repeat.times == 0 || have + repeat.times > literals + distances) return false;
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < repeat.times; i += kLanes) {
        lengths[have + i] = static_cast<std::uint8_t>(repeat.length);
      }
    });
    have += repeat.times;
    previous = repeat.length;
  }
  lanes.sync();
  return input.bit_position() <= limit && build_tables(lanes, literals, distances, space, tables);
}

/// Reads the two numbers at the head of a block of type 0: the bytes that follow. False unless the
/// second is the first's complement.
template <class Input>
GANNET_HD bool stored_length(Input& input, std::uint32_t& length) {
  input.align_to_byte();
  length = input.fetch_bits(16);
  return (length ^ input.fetch_bits(16)) == 0xffff;
}

}  // namespace gannet::codecs::deflate
