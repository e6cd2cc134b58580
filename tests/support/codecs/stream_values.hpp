// What tests of byte streams share: the definition of a stream's bits, and a decoder of copies.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "codecs/streams/streams.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

using codecs::BitOrder;
using codecs::ByteRange;

/// The bit at `position` of bytes [begin, end), as the definition has it; 0 beyond the end.
inline std::uint32_t bit_of(ByteRange range, std::uint64_t position, BitOrder order) {
  const std::uint64_t byte = range.begin + position / 8;
  if (byte >= range.end) return 0;
  const std::uint32_t value = range.words[byte / 4] >> (byte % 4 * 8) & 0xff;
  const auto place = static_cast<std::uint32_t>(position % 8);
  return value >> (order == BitOrder::kLsbFirst ? place : 7 - place) & 1;
}

inline std::uint32_t bits_of(ByteRange range, std::uint64_t position, std::uint32_t n,
                             BitOrder order) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t bit = bit_of(range, position + i, order);
    bits = order == BitOrder::kLsbFirst ? bits | bit << i : bits << 1 | bit;
  }
  return bits;
}

/// Reads fields of random widths to well beyond the end and compares every one.
template <BitOrder order, class Input>
void check_fields(Input& input, ByteRange range, std::uint32_t seed) {
  Random random(seed);
  std::uint32_t position = 0;
  while (position < 8 * (range.end - range.begin) + 500) {
    ASSERT_EQ(input.bit_position(), position);
    ASSERT_EQ(input.byte_position(), (position + 7) / 8);
    const std::uint32_t n = random() % 33;
    const std::uint32_t expected = bits_of(range, position, n, order);
    ASSERT_EQ(input.peek_bits(n), expected) << "at " << position << ", " << n << " bits";
    const std::uint32_t far = random() % (8 * (range.end - range.begin) + 64);
    ASSERT_EQ(input.bits_at(far, n), bits_of(range, far, n, order)) << far << ", " << n << " bits";
    switch (random() % 8) {
      case 0:
        input.align_to_byte();
        position = (position + 7) / 8 * 8;
        break;
      case 1:
        input.skip_bits(n);
        position += n;
        break;
      default:
        ASSERT_EQ(input.fetch_bits(n), expected) << "at " << position << ", " << n << " bits";
        position += n;
    }
  }
}

/// A decoder for the tests: a byte 0..127 is a value, one from 128 on the start of a copy.
struct Copies {
  struct Symbol {
    std::uint32_t value;
    std::uint32_t offset;
    std::uint32_t length;
  };
  template <class Input>
  Symbol next(Input& input) {
    const std::uint32_t byte = input.fetch_bits(8);
    if (byte < 128) return {byte, 0, 0};
    return {0, byte - 127, input.fetch_bits(8)};
  }
  template <class Output>
  static bool write(const Symbol& symbol, Output& output) {
    if (symbol.value == 127) return false;
    if (symbol.offset == 0) {
      output.write_byte(static_cast<std::uint8_t>(symbol.value));
    } else if (symbol.offset <= output.position()) {
      output.memcpy(symbol.offset, symbol.length);
    }
    return true;
  }
};

inline Words random_copies(std::uint32_t seed) {
  Random random(seed);
  Words words(100);
  for (auto& word : words) {
    for (int i = 0; i < 4; ++i) {
      word = word << 8 | (random() % 3 == 0 ? 128 + random() % 100 : random() % 127);
    }
  }
  words.back() = 0x7f7f7f7f;
  return words;
}

/// What Copies decodes, one byte after the other.
inline std::vector<std::uint8_t> expected_copies(const Words& words, std::size_t capacity) {
  std::vector<std::uint8_t> out;
  std::size_t at = 0;
  const auto byte = [&] {
    const std::uint32_t value = at / 4 < words.size() ? words[at / 4] >> (at % 4 * 8) & 0xff : 0;
    ++at;
    return value;
  };
  while (out.size() < capacity) {
    const std::uint32_t first = byte();
    if (first == 127) break;
    if (first < 128) {
      out.push_back(static_cast<std::uint8_t>(first));
      continue;
    }
    const std::uint32_t offset = first - 127;
    const std::uint32_t length = byte();
    if (offset > out.size()) continue;
    for (std::uint32_t i = 0; i < length && out.size() < capacity; ++i) {
      out.push_back(out[out.size() - offset]);
    }
  }
  return out;
}

}  // namespace gannet::test
