// Random access on the host: values at positions, sums of those that bits select; what is decoded
// for it, and what is refused.
#include "codecs/pick.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "codecs/base/error.hpp"

namespace gannet::test {
namespace {

using codecs::Codec;
using codecs::ColumnView;
using codecs::Parameters;
using codecs::ValueType;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kCount = 10'000;

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> values(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    values[i] = static_cast<std::int32_t>(i / 7 * 2'654'435'761u) >> i % 13;
  }
  return values;
}

Words encoded(const Codec& codec, const std::string& parameters = "") {
  Words words;
  const std::vector<std::int32_t> values = numbers();
  codec.encode(ValueType::kI32, std::as_bytes(std::span(values)), Parameters(parameters), words);
  return words;
}

/// How often a codec with counting_decode() in place of its own was asked to decode.
int decodes = 0;
const Codec* counted = nullptr;

void counting_decode(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total,
                     std::uint32_t first, std::uint32_t count, std::byte* out) {
  ++decodes;
  counted->decode(type, words, total, first, count, out);
}

Codec counting(const Codec& codec) {
  decodes = 0;
  counted = &codec;
  Codec copy = codec;
  copy.decode = counting_decode;
  return copy;
}

TEST(Pick, EveryCodecGivesTheValuesThatAreThere) {
  const std::vector<std::int32_t> values = numbers();
  std::vector<std::uint32_t> positions(600);
  std::iota(positions.begin(), positions.end(), 0u);
  for (std::uint32_t& position : positions) position = position * 7919 % kCount;
  Words bits((kCount + 31) / 32);
  codecs::Selected expected;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (i % 3 != 1 || i / 900 % 2 == 0) continue;
    bits[i / 32] |= 1u << i % 32;
    ++expected.count;
    expected.sum += static_cast<std::uint64_t>(std::int64_t{values[i]});
  }
  for (const Codec& codec : codecs::all_codecs()) {
    if (!codec.takes(ValueType::kI32)) continue;
    const Words words = encoded(codec);
    const ColumnView column{&codec, ValueType::kI32, words, kCount};
    std::vector<std::int32_t> picked(positions.size());
    codecs::pick(column, positions, std::as_writable_bytes(std::span(picked)).data());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      ASSERT_EQ(picked[i], values[positions[i]]) << codec.name << " at " << positions[i];
    }
    const codecs::Selected selected = codecs::sum_selected(column, bits);
    EXPECT_EQ(selected.count, expected.count) << codec.name;
    EXPECT_EQ(selected.sum, expected.sum) << codec.name;
  }
}

TEST(Pick, EveryChunkIsDecodedOnce) {
  const Codec codec = counting(codecs::codec_named("deflate", ValueType::kI32));
  const Words words = encoded(codec, "chunk=8");
  const std::uint32_t unit = codec.unit(ValueType::kI32, words, kCount);
  ASSERT_EQ(unit, 2048u);
  const ColumnView column{&codec, ValueType::kI32, words, kCount};
  Words bits((kCount + 31) / 32, 0xffffffffu);
  codecs::sum_selected(column, bits);
  EXPECT_EQ(decodes, 5);
  decodes = 0;
  std::fill(bits.begin(), bits.end(), 0u);
  bits[unit / 32] = bits.back() = 1;  // the second chunk and the last one
  EXPECT_EQ(codecs::sum_selected(column, bits).count, 2u);
  EXPECT_EQ(decodes, 2);
  decodes = 0;
  const Words positions{5000, 5001, 4096, 6143, 6144, 0, 1};
  std::vector<std::int32_t> picked(positions.size());
  codecs::pick(column, positions, std::as_writable_bytes(std::span(picked)).data());
  EXPECT_EQ(decodes, 3);
}

TEST(Pick, WhatIsNotThereIsRefused) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kI32);
  const Words words = encoded(codec);
  const ColumnView column{&codec, ValueType::kI32, words, kCount};
  std::int32_t value = 0;
  const auto out = reinterpret_cast<std::byte*>(&value);
  EXPECT_THROW(codecs::pick(column, Words{kCount}, out), UsageError);
  EXPECT_THROW(codecs::sum_selected(column, Words(kCount / 32)), UsageError);
}

TEST(Alignment, MisalignedValuesAreRefused) {
  alignas(8) std::array<std::byte, 64> memory{};
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& entry : codecs::kValueTypes) {
      const ValueType type = entry.first;
      const std::string_view name = entry.second;
      if (!codec.takes(type) || codecs::size_of(type) == 1) continue;
      Words words;
      const auto odd = std::span(memory).subspan(1, 8 * codecs::size_of(type) - 8);
      EXPECT_THAT([&] { codec.encode(type, odd, Parameters(), words); },
                  ThrowsMessage<UsageError>(HasSubstr("aligned")))
          << codec.name << " " << name;
      codec.encode(type, std::span(memory).first(4 * codecs::size_of(type)), Parameters(), words);
      EXPECT_THAT([&] { codec.decode(type, words, 4, 0, 4, memory.data() + 1); },
                  ThrowsMessage<UsageError>(HasSubstr("aligned")))
          << codec.name << " " << name;
      EXPECT_THAT([&] { codec.encode(type, std::span(memory).first(9), Parameters(), words); },
                  ThrowsMessage<UsageError>(HasSubstr("whole number")))
          << codec.name << " " << name;
    }
  }
}

}  // namespace
}  // namespace gannet::test
