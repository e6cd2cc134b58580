// Encoding, validating and decoding a column of a chunk codec in memory with fences, and damaging
// it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/core/chunk_codec.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

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
