// The conformance kit of codecs at run time: what columns.hpp says of a Codec, for a codec, a type
// and parameters. tests/codecs/columns_test.cpp runs it for all of them. For one file of a program.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "codecs/columns.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

using codecs::Codec;
using codecs::Parameters;
using codecs::ValueType;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using ColumnBytes = std::vector<std::byte>;

/// A codec, a type that it takes, and parameters.
struct ColumnCase {
  const Codec* codec;
  ValueType type;
  std::string parameters;
};

/// The codec with every type that it takes.
inline std::vector<ColumnCase> cases_of(const Codec& codec, const std::string& parameters = "") {
  std::vector<ColumnCase> cases;
  for (const auto& [type, name] : codecs::kValueTypes) {
    if (codec.takes(type)) cases.push_back({&codec, type, parameters});
  }
  return cases;
}

/// Every codec of the registry with every type that it takes, at its default parameters.
inline std::vector<ColumnCase> all_column_cases() {
  std::vector<ColumnCase> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const ColumnCase& each : cases_of(codec)) cases.push_back(each);
  }
  return cases;
}

inline std::string name_of_column_case(const ::testing::TestParamInfo<ColumnCase>& info) {
  std::string name = std::string(info.param.codec->name) + "_" +
                     std::string(codecs::name_of(info.param.type)) + "_" + info.param.parameters;
  std::erase(name, '=');
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ','; }, '_');
  return name;
}

/// Memory for `bytes` bytes, 16-byte aligned, that ends (but for the alignment) where a page
/// without access begins; what the alignment leaves is watched.
class FencedBytes {
 public:
  explicit FencedBytes(std::size_t bytes) : words_((bytes + 15) / 16 * 4, kBehind), bytes_(bytes) {
    std::memset(words_.data(), kMark, words_.span().size_bytes());
  }
  explicit FencedBytes(std::span<const std::uint32_t> from) : FencedBytes(from.size_bytes()) {
    std::copy(from.begin(), from.end(), words_.data());
  }
  std::byte* data() const { return reinterpret_cast<std::byte*>(words_.data()); }
  std::span<const std::uint32_t> words() const { return words_.span().first(bytes_ / 4); }
  ColumnBytes copy(std::size_t from, std::size_t to) const { return {data() + from, data() + to}; }
  bool intact_outside(std::size_t from, std::size_t to) const {
    const auto marked = [](std::byte byte) { return byte == std::byte{kMark}; };
    return std::all_of(data(), data() + from, marked) &&
           std::all_of(data() + to, data() + words_.span().size_bytes(), marked);
  }

 private:
  static constexpr unsigned char kMark = 0xa7;
  FencedWords words_;
  std::size_t bytes_;
};

/// The low bytes of `numbers` as values of the type.
inline ColumnBytes column_of(ValueType type, const std::vector<std::uint64_t>& numbers) {
  const std::size_t size = codecs::size_of(type);
  ColumnBytes bytes(numbers.size() * size);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &numbers[i], size);
  }
  return bytes;
}

/// Numbers whose low bytes are interesting in every type.
inline std::vector<std::uint64_t> numbers(const std::string& kind, std::uint32_t count) {
  Random random(count + 1);
  const auto wide = [&] { return std::uint64_t{random()} << 32 | random(); };
  std::vector<std::uint64_t> result(count);
  std::uint64_t level = 5;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (kind == "small") level = random() % 13;
    if (kind == "negative") level = std::uint64_t{0} - random() % 100;
    if (kind == "around zero") level = std::uint64_t{random() % 9} - 4;
    if (kind == "any") level = wide();
    if (kind == "ascending") level += random() % 3;
    if (kind == "steps down") level -= 3;
    if (kind == "runs" && random() % 40 == 0) level = wide() >> random() % 64;
    if (kind == "extremes") level = random() % 2 == 0 ? 0 : ~std::uint64_t{0} >> random() % 2;
    result[i] = level;
  }
  return result;
}

inline const std::vector<std::string> kKinds{"constant",    "small",      "negative",
                                             "around zero", "any",        "ascending",
                                             "runs",        "steps down", "extremes"};
inline const std::vector<std::uint32_t> kCounts{0,   1,   2,    31,   127,  128, 129,
                                                511, 513, 1025, 2048, 4097, 9000};

inline Words encoded_column(const ColumnCase& c, const ColumnBytes& values) {
  Words words;
  c.codec->encode(c.type, values, Parameters(c.parameters), words);
  return words;
}

class ColumnKit : public ::testing::TestWithParam<ColumnCase> {};

TEST_P(ColumnKit, GiveBackWhatTheyWereGiven) {
  for (const std::string& kind : kKinds) {
    for (const std::uint32_t count : kCounts) {
      const ColumnBytes values = column_of(GetParam().type, numbers(kind, count));
      const FencedBytes words{std::span<const std::uint32_t>(encoded_column(GetParam(), values))};
      GetParam().codec->validate(GetParam().type, words.words(), count);
      const FencedBytes out(values.size());
      GetParam().codec->decode(GetParam().type, words.words(), count, 0, count, out.data());
      ASSERT_EQ(out.copy(0, values.size()), values) << kind << ", " << count;
      ASSERT_TRUE(out.intact_outside(0, values.size())) << kind << ", " << count;
    }
  }
}

TEST_P(ColumnKit, AnyRangeIsDecodedByItself) {
  constexpr std::uint32_t kCount = 9000;
  const std::size_t size = codecs::size_of(GetParam().type);
  Random random(8);
  for (const std::string kind : {"runs", "ascending", "any"}) {
    const ColumnBytes values = column_of(GetParam().type, numbers(kind, kCount));
    const Words words = encoded_column(GetParam(), values);
    for (int round = 0; round < 60; ++round) {
      const std::uint32_t first = random() % kCount;
      const std::uint32_t longest = round % 3 == 0 ? 1 : kCount - first;
      const std::uint32_t count = random() % (longest + 1);
      // The output starts at any multiple of the type's size, not of 16.
      const std::size_t at = random() % 20 * size;
      const FencedBytes out(at + count * size);
      GetParam().codec->decode(GetParam().type, words, kCount, first, count, out.data() + at);
      const ColumnBytes expected(values.data() + first * size,
                                 values.data() + (first + count) * size);
      ASSERT_EQ(out.copy(at, at + count * size), expected) << kind << ", " << first << "+" << count;
      ASSERT_TRUE(out.intact_outside(at, at + count * size));
    }
  }
}

TEST_P(ColumnKit, SayHowManyValuesAreDecodedTogether) {
  constexpr std::uint32_t kCount = 5000;
  const Words words =
      encoded_column(GetParam(), column_of(GetParam().type, numbers("small", kCount)));
  const std::uint32_t unit = GetParam().codec->unit(GetParam().type, words, kCount);
  EXPECT_GE(unit, 1u);
  if (GetParam().codec->tiles) {
    EXPECT_EQ(unit, codecs::kTile);
  }
}

/// Whether validate() accepts; anything but a FormatError that names the codec is a failure.
inline bool accepts(const ColumnCase& c, std::span<const std::uint32_t> words,
                    std::uint32_t count) {
  try {
    c.codec->validate(c.type, words, count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(c.codec->name)));
    return false;
  }
}

/// Decodes accepted words between fences: all of them, and a part.
inline void decode_safely(const ColumnCase& c, std::span<const std::uint32_t> words,
                          std::uint32_t count) {
  const std::size_t size = codecs::size_of(c.type);
  const FencedBytes out(count * size);
  c.codec->decode(c.type, words, count, 0, count, out.data());
  ASSERT_TRUE(out.intact_outside(0, count * size));
  const std::uint32_t first = count / 3;
  const FencedBytes part((count - first) * size);
  c.codec->decode(c.type, words, count, first, count - first, part.data());
  ASSERT_TRUE(part.intact_outside(0, (count - first) * size));
}

TEST_P(ColumnKit, WordsCutOffOrToSpareAreRefused) {
  for (const std::uint32_t count : {0u, 1u, 128u, 300u, 1500u}) {
    Words words = encoded_column(GetParam(), column_of(GetParam().type, numbers("runs", count)));
    const std::size_t step = 1 + words.size() / 400;
    for (std::size_t size = 0; size < words.size(); size += step) {
      const FencedWords cut(std::span<const std::uint32_t>(words).first(size), kBehind);
      ASSERT_FALSE(accepts(GetParam(), cut.span(), count)) << size << " of " << words.size();
    }
    words.push_back(0);
    EXPECT_FALSE(accepts(GetParam(), words, count));
  }
}

TEST_P(ColumnKit, AnotherCountIsRefusedOrSafe) {
  const FencedWords words(
      encoded_column(GetParam(), column_of(GetParam().type, numbers("runs", 900))), kBehind);
  for (std::uint32_t count = 0; count < 1200; count += 7) {
    if (accepts(GetParam(), words.span(), count)) decode_safely(GetParam(), words.span(), count);
  }
  EXPECT_FALSE(accepts(GetParam(), words.span(), codecs::kMaxListLength + 1));
  EXPECT_FALSE(accepts(GetParam(), words.span(), 0xffffffffu));
}

TEST_P(ColumnKit, DamagedWordsAreRefusedOrSafe) {
  Random random(6);
  std::uint32_t refused = 0;
  for (std::uint32_t round = 0; round < 400; ++round) {
    const std::uint32_t count = 1 + random() % 1200;
    Words words = encoded_column(
        GetParam(), column_of(GetParam().type, numbers(kKinds[round % kKinds.size()], count)));
    const std::size_t clean = words.size();
    damage_column(words, random);
    ASSERT_EQ(words.size(), clean);
    const FencedWords fenced(words, round % 2 == 0 ? kBehind : kBefore);
    if (accepts(GetParam(), fenced.span(), count)) {
      decode_safely(GetParam(), fenced.span(), count);
    } else {
      ++refused;
    }
  }
  // A codec that has words for nothing but values can refuse none of them.
  const std::uint32_t size = static_cast<std::uint32_t>(
      encoded_column(GetParam(), column_of(GetParam().type, numbers("any", 1024))).size());
  if (size != 1024 * std::max(4u, codecs::size_of(GetParam().type)) / 4) {
    EXPECT_GT(refused, 5u);
  }
}

TEST_P(ColumnKit, RandomWordsAreRefusedOrSafe) {
  Random random(7);
  for (std::uint32_t round = 0; round < 300; ++round) {
    const FencedWords words(uniform(random() % 64, 1 + random() % 32, round), kBehind);
    const std::uint32_t count = random() % 300;
    if (accepts(GetParam(), words.span(), count)) decode_safely(GetParam(), words.span(), count);
  }
}

TEST_P(ColumnKit, EncodingAppends) {
  const ColumnBytes values = column_of(GetParam().type, numbers("runs", 700));
  const Words alone = encoded_column(GetParam(), values);
  Words words{1, 2, 3};
  GetParam().codec->encode(GetParam().type, values, Parameters(GetParam().parameters), words);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), words.begin() + 3, words.end()));
  EXPECT_EQ(words[2], 3u);
}

TEST_P(ColumnKit, AnUnknownParameterIsRefused) {
  Words words;
  EXPECT_THAT(
      [&] {
        GetParam().codec->encode(GetParam().type, {}, Parameters("no-such-parameter=1"), words);
      },
      ThrowsMessage<UsageError>(HasSubstr("no-such-parameter")));
}

}  // namespace gannet::test
