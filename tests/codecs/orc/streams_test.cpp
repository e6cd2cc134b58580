// Input and output streams: every source of words gives the same bits, whoever decodes; outputs
// stay inside their capacity.
#include "codecs/streams/streams.hpp"

#include <gtest/gtest.h>

#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::BitInput;
using codecs::BitOrder;
using codecs::ByteRange;
using codecs::DecodeBy;
using codecs::MemoryInput;
using codecs::RegisterWords;
using codecs::SerialLanes;
using codecs::SharedWords;

/// The bit at `position` of bytes [begin, end), as the definition has it; 0 beyond the end.
std::uint32_t bit_of(ByteRange range, std::uint64_t position, BitOrder order) {
  const std::uint64_t byte = range.begin + position / 8;
  if (byte >= range.end) return 0;
  const std::uint32_t value = range.words[byte / 4] >> (byte % 4 * 8) & 0xff;
  const auto place = static_cast<std::uint32_t>(position % 8);
  return value >> (order == BitOrder::kLsbFirst ? place : 7 - place) & 1;
}

std::uint32_t bits_of(ByteRange range, std::uint64_t position, std::uint32_t n, BitOrder order) {
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

template <BitOrder order>
void check_sources(ByteRange range, std::uint32_t seed) {
  const SerialLanes lanes;
  MemoryInput<order> memory(range);
  check_fields<order>(memory, range, seed);
  std::uint32_t buffer[SharedWords<SerialLanes>::kBufferWords];
  BitInput<SharedWords<SerialLanes>, order> shared(SharedWords<SerialLanes>(lanes, range, buffer),
                                                   range.begin);
  check_fields<order>(shared, range, seed);
  BitInput<RegisterWords<SerialLanes>, order> registers(RegisterWords<SerialLanes>(lanes, range),
                                                        range.begin);
  check_fields<order>(registers, range, seed);
}

/// PositionInput counts from the first word and gives what stands beyond the end.
template <BitOrder order>
void check_position(const Words& words, std::uint32_t begin, std::uint32_t seed) {
  Random random(seed);
  Words backwards = words;
  for (auto& word : backwards) word = codecs::reversed_bytes(word);
  const ByteRange range{words.data(), 0, static_cast<std::uint32_t>(4 * words.size())};
  codecs::PositionInput<order> plain(words.data(), begin);
  codecs::PositionInput<order, true> reversed(backwards.data(), begin);
  std::uint32_t position = 8 * begin;
  while (position + 64 < 32 * words.size()) {
    const std::uint32_t n = random() % 33;
    const std::uint32_t expected = bits_of(range, position, n, order);
    ASSERT_EQ(plain.bit_position(), position);
    ASSERT_EQ(plain.byte_position(), (position + 7) / 8);
    ASSERT_EQ(plain.peek_bits(n), expected) << position << ", " << n << " bits";
    ASSERT_EQ(reversed.bits_at(position, n), expected) << position << ", " << n << " bits";
    ASSERT_EQ(reversed.fetch_bits(n), plain.fetch_bits(n));
    position += n;
    if (random() % 8 == 0) {
      plain.align_to_byte();
      reversed.align_to_byte();
      position = (position + 7) / 8 * 8;
    }
  }
}

TEST(InputStreams, PositionsAreReadWithoutABuffer) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    check_position<BitOrder::kLsbFirst>(uniform(50 + seed, 32, seed), seed, seed);
    check_position<BitOrder::kMsbFirst>(uniform(50 + seed, 32, seed), seed, seed);
  }
}

TEST(InputStreams, EverySourceGivesTheBitsOfTheDefinition) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    // The words end where memory does, and the range may begin and end at any byte.
    const std::uint32_t count = 1 + random() % 200;
    const FencedWords words(uniform(count, 32, round), round % 2 == 0 ? kBehind : kBefore);
    const std::uint32_t begin = random() % std::min(4 * count, 300u);
    const std::uint32_t end = begin + random() % (4 * count - begin + 1);
    check_sources<BitOrder::kLsbFirst>({words.data(), begin, end}, round);
    check_sources<BitOrder::kMsbFirst>({words.data(), begin, end}, round);
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

Words random_copies(std::uint32_t seed) {
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
std::vector<std::uint8_t> expected_copies(const Words& words, std::size_t capacity) {
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

template <DecodeBy by, class Input>
std::vector<std::uint8_t> decoded_copies(Input input, std::size_t capacity) {
  std::vector<std::uint8_t> out(capacity + 3);
  // Any alignment of the output.
  codecs::HostOutput<std::uint8_t> output({}, out.data() + capacity % 4,
                                          static_cast<std::uint32_t>(capacity));
  Copies decoder;
  codecs::decode_symbols<by>(SerialLanes{}, decoder, input, output);
  return {out.data() + capacity % 4, out.data() + capacity % 4 + output.position()};
}

TEST(Streams, DecodersGiveTheSameFromEverySource) {
  constexpr auto kOrder = BitOrder::kLsbFirst;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Words words = random_copies(seed);
    const std::size_t capacity = 1 + seed * 37 % 6000;
    const auto expected = expected_copies(words, capacity);
    const ByteRange range{words.data(), 0, 400};
    const SerialLanes lanes;
    std::uint32_t buffer[64];
    using All = SharedWords<SerialLanes, DecodeBy::kAllLanes>;
    using Lane0 = SharedWords<SerialLanes, DecodeBy::kLane0>;
    using Registers = RegisterWords<SerialLanes>;
    ASSERT_EQ(decoded_copies<DecodeBy::kAllLanes>(MemoryInput<kOrder>(range), capacity), expected);
    ASSERT_EQ(decoded_copies<DecodeBy::kLane0>(MemoryInput<kOrder>(range), capacity), expected);
    ASSERT_EQ(decoded_copies<DecodeBy::kAllLanes>(
                  BitInput<All, kOrder>(All(lanes, range, buffer), 0), capacity),
              expected);
    ASSERT_EQ(decoded_copies<DecodeBy::kLane0>(
                  BitInput<Lane0, kOrder>(Lane0(lanes, range, buffer), 0), capacity),
              expected);
    ASSERT_EQ(decoded_copies<DecodeBy::kAllLanes>(
                  BitInput<Registers, kOrder>(Registers(lanes, range), 0), capacity),
              expected);
  }
}

/// Runs at every place of an output, with and without a delta.
template <class T>
void check_runs() {
  Random random(sizeof(T));
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t capacity = random() % 700;
    const FencedWords memory((capacity * sizeof(T) + 3) / 4, kBehind);
    T* out = reinterpret_cast<T*>(memory.data());
    codecs::Output<T, SerialLanes> output({}, out, capacity);
    std::vector<T> expected;
    while (expected.size() < capacity) {
      const T init = static_cast<T>(random() * 0x100000001u);
      const T delta = static_cast<T>(random() % 5 - 2);
      const std::uint32_t length = random() % 3 == 0 ? random() % 400 : random() % 20;
      output.write_run(init, length, delta);
      for (std::uint32_t i = 0; i < length && expected.size() < capacity; ++i) {
        expected.push_back(static_cast<T>(init + delta * i));
      }
      ASSERT_EQ(output.position(), expected.size());
      output.write_value(init);
      if (expected.size() < capacity) expected.push_back(init);
    }
    ASSERT_TRUE(output.full());
    ASSERT_EQ(std::vector<T>(out, out + capacity), expected);
  }
}

TEST(OutputStreams, RunsAreWrittenWithinTheCapacity) {
  check_runs<std::uint8_t>();
  check_runs<std::uint16_t>();
  check_runs<std::uint32_t>();
  check_runs<std::uint64_t>();
}

/// Copies of every small offset and length, at every alignment.
template <class T>
void check_copies() {
  for (std::uint32_t before = 1; before < 40; before += 3) {
    for (std::uint32_t offset = 1; offset <= before; ++offset) {
      for (const std::uint32_t length : {0u, 1u, 3u, 7u, 8u, 9u, 31u, 64u, 133u, 300u}) {
        std::vector<T> out(before + 200);
        codecs::Output<T, SerialLanes> output({}, out.data(), before + 200);
        for (std::uint32_t i = 0; i < before; ++i) output.write_value(static_cast<T>(i * 17 + 1));
        output.memcpy(offset, length);
        const std::uint32_t copied = std::min(length, 200u);
        ASSERT_EQ(output.position(), before + copied);
        for (std::uint32_t i = 0; i < copied; ++i) {
          ASSERT_EQ(out[before + i], out[before + i - offset])
              << before << " " << offset << " " << i;
        }
        ASSERT_EQ(out[before - 1], static_cast<T>((before - 1) * 17 + 1));
      }
    }
  }
}

TEST(OutputStreams, CopiesMayOverlapThemselves) {
  check_copies<std::uint8_t>();
  check_copies<std::uint32_t>();
}

}  // namespace
}  // namespace gannet::test
