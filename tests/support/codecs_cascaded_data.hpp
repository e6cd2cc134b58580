// What the tests of the run-length chunk codecs share: values of every type, and decoding in memory
// with fences.
#pragma once

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/codecs_data.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/columns/rle.hpp"

namespace gannet::test {

using AllValueTypes = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                       std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

/// 64 random bits.
inline std::uint64_t random64(Random& random) { return std::uint64_t{random()} << 32 | random(); }

template <class T>
struct TypedDistribution {
  std::string name;
  std::function<std::vector<T>(std::uint32_t count)> make;
};

/// Runs of random values below 2^bits, of random lengths from 1 to `longest`.
template <class T>
std::vector<T> random_runs(std::uint32_t count, std::uint32_t longest, std::uint32_t bits,
                           std::uint32_t seed = 4) {
  Random random(seed);
  std::vector<T> values;
  while (values.size() < count) {
    const auto value = static_cast<T>(random64(random) & codecs::low_mask64(bits));
    values.insert(values.end(),
                  std::min<std::size_t>(1 + random() % longest, count - values.size()), value);
  }
  return values;
}

/// Sums of steps that are uniform in [0, 2^bits), modulo the type.
template <class T>
std::vector<T> random_walk(std::uint32_t count, std::uint32_t bits, std::uint64_t start) {
  Random random(bits);
  std::vector<T> values(count);
  std::uint64_t at = start;
  for (auto& value : values) {
    value = static_cast<T>(at);
    at += random64(random) & codecs::low_mask64(bits);
  }
  return values;
}

/// Groups of equal values whose differences come in runs too: what two layers are for.
template <class T>
std::vector<T> order_keys(std::uint32_t count) {
  Random random(9);
  std::vector<T> values;
  std::uint64_t key = 1;
  while (values.size() < count) {
    values.insert(values.end(), std::min<std::size_t>(1 + random() % 7, count - values.size()),
                  static_cast<T>(key));
    key += key % 8 == 7 ? 25 : 1;
  }
  return values;
}

template <class T>
std::vector<TypedDistribution<T>> typed_distributions() {
  using Limits = std::numeric_limits<T>;
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  const auto constant = [](T value) {
    return [value](std::uint32_t n) { return std::vector<T>(n, value); };
  };
  return {
      {"zeros", constant(0)},
      {"largest", constant(Limits::max())},
      {"smallest", constant(Limits::min())},
      {"ascending",
       [](std::uint32_t n) {
         std::vector<T> values(n);
         for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<T>(i + 1);
         return values;
       }},
      {"smallest and largest in turn",
       [](std::uint32_t n) {
         std::vector<T> values(n);
         for (std::uint32_t i = 0; i < n; ++i) values[i] = i % 2 ? Limits::max() : Limits::min();
         return values;
       }},
      {"any", [](std::uint32_t n) { return random_runs<T>(n, 1, 64); }},
      {"few bits", [](std::uint32_t n) { return random_runs<T>(n, 1, 3); }},
      {"half the bits", [](std::uint32_t n) { return random_runs<T>(n, 1, kBits / 2 + 1); }},
      {"short runs", [](std::uint32_t n) { return random_runs<T>(n, 4, 64); }},
      {"long runs", [](std::uint32_t n) { return random_runs<T>(n, 3000, 64); }},
      {"slow walk", [](std::uint32_t n) { return random_walk<T>(n, 3, 1ull << (kBits - 1)); }},
      {"fast walk", [](std::uint32_t n) { return random_walk<T>(n, 17, 0); }},
      {"order keys", [](std::uint32_t n) { return order_keys<T>(n); }},
  };
}

/// The encoded column.
template <class C, class T>
Words encoded_column(const std::vector<T>& values, const std::string& parameters) {
  Words words;
  C::template encode<T>(values, codecs::Parameters(parameters), words);
  return words;
}

/// Decodes a valid column as its unsigned twin, chunk after chunk, the last one first; input,
/// scratch and output end (or begin) at a fence.
template <class C, class T>
std::vector<T> decoded_column(std::span<const std::uint32_t> words, std::uint32_t count,
                              FencedWords::Fence fence = FencedWords::Fence::kBehind) {
  using U = std::make_unsigned_t<T>;
  std::vector<T> values(count);
  if (count == 0) return values;
  const FencedWords input(words, fence);
  const std::uint32_t chunk_values = C::template chunk_values<U>(input.data());
  for (std::uint32_t c = codecs::chunk_count(count, chunk_values); c-- > 0;) {
    const std::uint32_t size = codecs::chunk_size(count, chunk_values, c);
    // Whole words: the bytes behind an odd number of small values are checked by their filling.
    const FencedWords scratch(C::template scratch_words<U>, fence);
    const FencedWords output((size * sizeof(T) + 3) / 4, fence);
    std::memset(output.data(), 0xa5, output.span().size_bytes());
    C::template decode_chunk<U>(codecs::SerialLanes{}, {input.data(), count}, c, scratch.data(),
                                reinterpret_cast<U*>(output.data()));
    const auto* bytes = reinterpret_cast<const unsigned char*>(output.data());
    for (std::size_t i = size * sizeof(T); i < output.span().size_bytes(); ++i) {
      EXPECT_EQ(bytes[i], 0xa5) << "written behind the values";
    }
    std::memcpy(values.data() + std::size_t{c} * chunk_values, output.data(), size * sizeof(T));
  }
  return values;
}

/// Whether validate() accepts; anything but FormatError is a failure.
template <class C, class T>
bool column_accepted(std::span<const std::uint32_t> words, std::uint32_t count) {
  try {
    C::template validate<T>(words, count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find(C::name), std::string::npos) << error.what();
    return false;
  }
}

/// The message of the FormatError that validate() throws.
template <class C, class T>
std::string column_refusal(const Words& words, std::uint32_t count) {
  try {
    C::template validate<T>(words, count);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

/// Overwrites up to three words with random, small, large or bit-flipped ones.
inline void damage_column(Words& words, Random& random) {
  const std::uint32_t places = 1 + random() % 3;
  for (std::uint32_t i = 0; i < places; ++i) {
    const std::size_t reach =
        random() % 2 == 0 ? std::min<std::size_t>(words.size(), 24) : words.size();
    std::uint32_t& word = words[random() % reach];
    switch (random() % 5) {
      case 0:
        word = random();
        break;
      case 1:
        word ^= 1u << random() % 32;
        break;
      case 2:
        word += random() % 9 - 4;
        break;
      case 3:
        word = random() % 200;
        break;
      default:
        word = 0xffffffffu - random() % 4;
        break;
    }
  }
}

/// Encodes, validates and decodes between fences on both sides.
template <class C, class T>
void expect_column_roundtrip(const std::vector<T>& values, const std::string& parameters) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const Words words = encoded_column<C>(values, parameters);
  ASSERT_NO_THROW((C::template validate<T>(words, count)));
  ASSERT_EQ((decoded_column<C, T>(words, count, FencedWords::Fence::kBehind)), values);
  ASSERT_EQ((decoded_column<C, T>(words, count, FencedWords::Fence::kBefore)), values);
}

}  // namespace gannet::test
