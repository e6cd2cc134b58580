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
using ByteVector = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kPart = codecs::kMinPartValues;

/// Ascending values with runs.
ByteVector some_values(ValueType type, std::uint32_t count, std::uint32_t seed = 1) {
  return codecs::with_value_type(type, [&]<class T>() {
    std::mt19937 random(seed);
    ByteVector bytes(count * sizeof(T));
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

ByteVector decoded(const Words& column, ValueType type, std::uint64_t first, std::uint64_t count) {
  ByteVector out(count * codecs::size_of(type));
  codecs::decode_column(column, first, count, out.data());
  return out;
}

TEST(DescribedColumn, SaysWhatItIsAndComesBackWholeAndInRanges) {
  for (const auto& [codec, type] : all_cases()) {
    for (const std::uint32_t count : {0u, 1u, 127u, 128u, 9000u}) {
      const ByteVector values = some_values(type, count);
      const Words column = codecs::encode_column(*codec, type, values, {}, kPart);
      ASSERT_NO_THROW(codecs::validate_column(column)) << codec->name;
      const ColumnHeader header = codecs::read_header(column);
      EXPECT_EQ(header.codec, static_cast<std::uint32_t>(codec->id));
      EXPECT_EQ(header.type, static_cast<std::uint32_t>(type));
      EXPECT_EQ(header.count, count);
      EXPECT_EQ(header.parts, (count + kPart - 1) / kPart);
      EXPECT_EQ(header.bytes, column.size() * 4);
      EXPECT_EQ(decoded(column, type, 0, count), values) << codec->name << " " << count;
      if (count < 9000) continue;
      const std::uint32_t size = codecs::size_of(type);
      for (const auto& [first, some] :
           {std::pair{1u, 1u}, {4000u, 200u}, {4095u, 4098u}, {8999u, 1u}, {5u, 8990u}}) {
        const ByteVector expected(values.begin() + first * size,
                                  values.begin() + (first + some) * size);
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

TEST(DescribedColumn, BytesThatAreNoWholeValuesAreRefused) {
  for (const auto& [codec, type] : all_cases()) {
    if (codecs::size_of(type) == 1) continue;
    const ByteVector values = some_values(type, 3);
    for (std::size_t less = 1; less < codecs::size_of(type); ++less) {
      const auto some = std::span(values).first(values.size() - less);
      EXPECT_THROW(codecs::encode_column(*codec, type, some), UsageError) << codec->name;
    }
  }
}

TEST(DescribedColumn, NoValuesAreCheckedAsSomeAre) {
  const Codec& tiles = codecs::codec_named("gpu-for", ValueType::kU32);
  EXPECT_THROW(codecs::encode_column(tiles, ValueType::kU64, {}), UsageError);
  for (const auto& [codec, type] : all_cases()) {
    const codecs::Parameters nonsense("nonsense=3");
    EXPECT_THROW(codecs::encode_column(*codec, type, {}, nonsense), UsageError) << codec->name;
    EXPECT_NO_THROW(codecs::encode_column(*codec, type, {})) << codec->name;
  }
}

TEST(DescribedColumn, PartsMustBeWholeTilesAndNotTooSmall) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  for (const std::uint32_t values :
       {0u, 128u, 100u, kPart - 128, kPart + 1, codecs::kMaxListLength + 128}) {
    EXPECT_THROW(codecs::encode_column(codec, ValueType::kU32, {}, {}, values), UsageError);
  }
}

TEST(DescribedColumn, EveryWrongHeaderIsRefused) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  const ByteVector values = some_values(ValueType::kU32, 9000);
  const Words good = codecs::encode_column(codec, ValueType::kU32, values, {}, kPart);
  const std::size_t head = (sizeof(ColumnHeader) + 3 * sizeof(codecs::ColumnPart)) / 4;
  for (std::size_t i = 0; i < head; ++i) {
    for (const std::uint32_t change : {1u, 16u, 1u << 31}) {
      Words words = good;
      words[i] ^= change;
      // i32 instead of u32 is a column as well.
      if (i == offsetof(ColumnHeader, type) / 4 && words[i] == 5) continue;
      EXPECT_THROW(codecs::validate_column(words), FormatError) << "word " << i << " ^ " << change;
    }
  }
  for (std::size_t size = 0; size < good.size(); size += size < head ? 1 : 37) {
    EXPECT_THROW(codecs::validate_column(std::span(good).first(size)), FormatError) << size;
  }
}

codecs::ColumnPart& row_of(Words& column, std::size_t i) {
  return reinterpret_cast<codecs::ColumnPart*>(column.data() + sizeof(ColumnHeader) / 4)[i];
}

TEST(DescribedColumn, PartsThatShareWordsOrAreOutOfOrderAreRefused) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  // Three parts of the same size: each would decode from the place of another.
  const ByteVector values(3 * kPart * sizeof(std::uint32_t));
  const Words good = codecs::encode_column(codec, ValueType::kU32, values, {}, kPart);
  ASSERT_NO_THROW(codecs::validate_column(good));
  Words words = good;
  row_of(words, 1).first_unit = row_of(words, 0).first_unit;
  EXPECT_THROW(codecs::validate_column(words), FormatError);
  words = good;
  std::swap(row_of(words, 0).first_unit, row_of(words, 2).first_unit);
  EXPECT_THROW(codecs::validate_column(words), FormatError);
  words = good;
  --row_of(words, 2).first_unit;  // the words that decoders may read behind part 1
  EXPECT_THROW(codecs::validate_column(words), FormatError);
  words = good;
  row_of(words, 1).first_unit = ~std::uint64_t{0};  // and the end of part 1 overflows
  EXPECT_THROW(codecs::validate_column(words), FormatError);
}

/// A table in which every row is the same part would describe 2^18 values a row of 16 bytes.
TEST(DescribedColumn, FewBytesDoNotDescribeManyValues) {
  const Codec& codec = codecs::codec_named("gpu-for", ValueType::kU32);
  constexpr std::uint32_t kRows = 1000;
  const ByteVector values(std::size_t{1 << 18} * sizeof(std::uint32_t));
  const Words one = codecs::encode_column(codec, ValueType::kU32, values, {}, 1 << 18);
  Words many(one.begin(), one.begin() + sizeof(ColumnHeader) / 4);
  const std::uint64_t first_unit = sizeof(ColumnHeader) / 16 + kRows;
  many.resize(first_unit * 4);
  many.insert(many.end(), one.begin() + sizeof(ColumnHeader) / 4 + 4, one.end());
  auto& header = *reinterpret_cast<ColumnHeader*>(many.data());
  header.parts = kRows;
  header.count = std::uint64_t{kRows} << 18;
  header.bytes = many.size() * 4;
  Words copy = one;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    row_of(many, i) = {first_unit, row_of(copy, 0).words, 0};
  }
  EXPECT_THROW(codecs::validate_column(many), FormatError);
  header.part_values = 128;
  header.count = std::uint64_t{kRows} * 128;
  EXPECT_THROW(codecs::read_header(many), FormatError);
}

TEST(DescribedColumn, WhateverIsAcceptedDecodes) {
  for (const auto& [codec, type] : all_cases()) {
    std::mt19937 random(static_cast<std::uint32_t>(codec->id) * 8 +
                        static_cast<std::uint32_t>(type));
    const Words good = codecs::encode_column(*codec, type, some_values(type, 9000), {}, kPart);
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
      if (header.count == 9000) decoded(words, static_cast<ValueType>(header.type), 0, 9000);
    }
  }
}

}  // namespace
}  // namespace gannet::test
