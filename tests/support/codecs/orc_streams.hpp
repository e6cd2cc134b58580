// ORC's run lengths as streams by themselves, for tests: bytes from hexadecimal digits, decoding.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/streams/streams.hpp"
#include "codecs/streams/strips.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int64_t>;

inline Bytes bytes_of(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline Words words_of(const Bytes& bytes) {
  Words words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// Decodes a stream that strip_fault() has accepted.
template <class Codec>
Numbers decoded_stream(const Bytes& bytes, std::size_t count, bool is_signed) {
  const FencedWords words(words_of(bytes), kBehind);
  codecs::MemoryInput<Codec::order> input(
      {words.data(), 0, static_cast<std::uint32_t>(bytes.size())});
  typename Codec::template Decoder<std::uint64_t> decoder(is_signed);
  std::vector<std::uint64_t> values(count);
  codecs::HostOutput<std::uint64_t> output({}, values.data(), static_cast<std::uint32_t>(count));
  codecs::decode_symbols(decoder, input, output);
  EXPECT_EQ(input.byte_position(), bytes.size());
  return {values.begin(), values.end()};
}

}  // namespace gannet::test
