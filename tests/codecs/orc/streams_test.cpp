// Input and output streams: the bits of the definition; outputs stay inside their capacity.
#include "codecs/streams/streams.hpp"

#include <gtest/gtest.h>

#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/stream_values.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::MemoryInput;
using codecs::SerialLanes;

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

TEST(InputStreams, MemoryGivesTheBitsOfTheDefinition) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    // The words end where memory does, and the range may begin and end at any byte.
    const std::uint32_t count = 1 + random() % 200;
    const FencedWords words(uniform(count, 32, round), round % 2 == 0 ? kBehind : kBefore);
    const std::uint32_t begin = random() % std::min(4 * count, 300u);
    const std::uint32_t end = begin + random() % (4 * count - begin + 1);
    const ByteRange range{words.data(), begin, end};
    MemoryInput<BitOrder::kLsbFirst> low_first(range);
    check_fields<BitOrder::kLsbFirst>(low_first, range, round);
    MemoryInput<BitOrder::kMsbFirst> high_first(range);
    check_fields<BitOrder::kMsbFirst>(high_first, range, round);
  }
}

TEST(Streams, CopiesAreDecodedUpToTheCapacity) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Words words = random_copies(seed);
    const std::size_t capacity = 1 + seed * 37 % 6000;
    MemoryInput<BitOrder::kLsbFirst> input(ByteRange{words.data(), 0, 400});
    std::vector<std::uint8_t> out(capacity + 3);
    // Any alignment of the output.
    codecs::HostOutput<std::uint8_t> output({}, out.data() + capacity % 4,
                                            static_cast<std::uint32_t>(capacity));
    Copies decoder;
    codecs::decode_symbols(decoder, input, output);
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(capacity % 4);
    ASSERT_EQ(std::vector(first, first + output.position()), expected_copies(words, capacity));
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
