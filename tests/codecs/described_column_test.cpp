// Described columns: bytes that say what they are, for every codec and type, in one part or many;
// damaged ones are refused or decode inside of their bounds.
#include "codecs/described_column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gannet::test {
namespace {

using codecs::Codec;
using codecs::ColumnHeader;
using codecs::ValueType;
using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

/// Ascending values with runs.
Bytes some_values(ValueType type, std::uint32_t count, std::uint32_t seed = 1) {
  return codecs::with_value_type(type, [&]<class T>() {
    std::mt19937 random(seed);
    Bytes bytes(count * sizeof(T));
    T value = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 3 == 0) value = static_cast<T>(value + random() % 7);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
  });
}

std::vector<std::pair<const Codec*, ValueType>> all_cases() {
  std::vector<std::pair<const Codec*, ValueType>> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (codec.takes(type)) cases.emplace_back(&codec, type);
    }
  }
  return cases;
}

Bytes decoded(const Words& column, ValueType type, std::uint64_t first, std::uint64_t count) {
  Bytes out(count * codecs::size_of(type));
  codecs::decode_column(column, first, count, out.data());
  return out;
}

TEST(DescribedColumn, SaysWhatItIsAndComesBackWholeAndInRanges) {
  for (const auto& [codec, type] : all_cases()) {
    for (const std::uint32_t count : {0u, 1u, 127u, 128u, 3000u}) {
      const Bytes values = some_values(type, count);
      const Words column = codecs::encode_column(*codec, type, values, {}, 1024);
      ASSERT_NO_THROW(codecs::validate_column(column)) << codec->name;
      const ColumnHeader header = codecs::read_header(column);
      EXPECT_EQ(header.codec, static_cast<std::uint32_t>(codec->id));
      EXPECT_EQ(header.type, static_cast<std::uint32_t>(type));
      EXPECT_EQ(header.count, count);
      EXPECT_EQ(header.parts, (count + 1023) / 1024);
      EXPECT_EQ(header.bytes, column.size() * 4);
      EXPECT_EQ(decoded(column, type, 0, count), values) << codec->name << " " << count;
      if (count < 3000) continue;
      const std::uint32_t size = codecs::size_of(type);
      for (const auto& [first, some] :
           {std::pair{1u, 1u}, {1000u, 50u}, {1023u, 1026u}, {2999u, 1u}, {5u, 2990u}}) {
        const Bytes expected(values.begin() + first * size, values.begin() + (first + some) * size);
        EXPECT_EQ(decoded(column, type, first, some), expected) << codec->name << " from " << first;
      }
    }
  }
}

TEST(DescribedColumn, RangesBeyondTheEndAreRefused) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  const Words column =
      codecs::encode_column(codec, ValueType::kU32, some_values(ValueType::kU32, 9));
  std::uint32_t out[16];
  auto* bytes = reinterpret_cast<std::byte*>(out);
  EXPECT_THROW(codecs::decode_column(column, 0, 10, bytes), UsageError);
  EXPECT_THROW(codecs::decode_column(column, 10, 0, bytes), UsageError);
  EXPECT_THROW(codecs::decode_column(column, 1, ~std::uint64_t{0}, bytes), UsageError);
}

TEST(DescribedColumn, PartsMustBeWholeTiles) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  for (const std::uint32_t values : {0u, 100u, codecs::kMaxListLength + 128}) {
    EXPECT_THROW(codecs::encode_column(codec, ValueType::kU32, {}, {}, values), UsageError);
  }
}

TEST(DescribedColumn, EveryWrongHeaderIsRefused) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  const Bytes values = some_values(ValueType::kU32, 3000);
  const Words good = codecs::encode_column(codec, ValueType::kU32, values, {}, 1024);
  const std::size_t head = (sizeof(ColumnHeader) + 3 * sizeof(codecs::ColumnPart)) / 4;
  const std::size_t reserved = offsetof(ColumnHeader, reserved) / 4;
  for (std::size_t i = 0; i < head; ++i) {
    const bool is_reserved = (i >= reserved && i < sizeof(ColumnHeader) / 4) ||
                             (i >= sizeof(ColumnHeader) / 4 && i % 4 == 3);
    if (is_reserved) continue;
    for (const std::uint32_t change : {1u, 16u, 1u << 31}) {
      Words words = good;
      words[i] ^= change;
      // i32 instead of u32 is a column as well.
      if (i == offsetof(ColumnHeader, type) / 4 && words[i] == 5) continue;
      EXPECT_THROW(codecs::validate_column(words), FormatError) << "word " << i << " ^ " << change;
    }
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(codecs::validate_column(std::span(good).first(size)), FormatError) << size;
  }
}

TEST(DescribedColumn, WhateverIsAcceptedDecodes) {
  for (const auto& [codec, type] : all_cases()) {
    std::mt19937 random(static_cast<std::uint32_t>(codec->id) * 8 +
                        static_cast<std::uint32_t>(type));
    const Words good = codecs::encode_column(*codec, type, some_values(type, 3000), {}, 1024);
    for (int i = 0; i < 60; ++i) {
      Words words = good;
      for (auto left = 1 + random() % 3; left > 0; --left) {
        std::uint32_t& word = words[random() % words.size()];
        word =
            random() % 2 == 0 ? word ^ 1u << random() % 32 : static_cast<std::uint32_t>(random());
      }
      try {
        codecs::validate_column(words);
      } catch (const FormatError&) {
        continue;
      }
      const ColumnHeader header = codecs::read_header(words);
      if (header.count == 3000) decoded(words, static_cast<ValueType>(header.type), 0, 3000);
    }
  }
}

}  // namespace
}  // namespace gannet::test
