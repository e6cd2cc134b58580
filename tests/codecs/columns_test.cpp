// Columns at run time: every codec of the lists, for every type that it takes, gives back what it
// was given, all at once and in parts, without touching a byte outside.
#include "codecs/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "codecs/all.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Codec;
using codecs::Parameters;
using codecs::ValueType;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

using Bytes = std::vector<std::byte>;

/// A codec and a type that it takes.
struct Case {
  const Codec* codec;
  ValueType type;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (codec.takes(type)) cases.push_back({&codec, type});
    }
  }
  return cases;
}

std::string name_of_case(const ::testing::TestParamInfo<Case>& info) {
  std::string name =
      std::string(info.param.codec->name) + "_" + std::string(codecs::name_of(info.param.type));
  std::replace(name.begin(), name.end(), '-', '_');
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
  Bytes copy(std::size_t from, std::size_t to) const { return {data() + from, data() + to}; }
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
Bytes column_of(ValueType type, const std::vector<std::uint64_t>& numbers) {
  const std::size_t size = codecs::size_of(type);
  Bytes bytes(numbers.size() * size);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &numbers[i], size);
  }
  return bytes;
}

/// Numbers whose low bytes are interesting in every type.
std::vector<std::uint64_t> numbers(const std::string& kind, std::uint32_t count) {
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

const std::vector<std::string> kKinds{"constant",  "small", "negative",   "around zero", "any",
                                      "ascending", "runs",  "steps down", "extremes"};
const std::vector<std::uint32_t> kCounts{0,   1,   2,    31,   127,  128, 129,
                                         511, 513, 1025, 2048, 4097, 9000};

Words encoded_column(const Case& c, const Bytes& values) {
  Words words;
  c.codec->encode(c.type, values, Parameters(), words);
  return words;
}

class Columns : public ::testing::TestWithParam<Case> {};

TEST_P(Columns, GiveBackWhatTheyWereGiven) {
  for (const std::string& kind : kKinds) {
    for (const std::uint32_t count : kCounts) {
      const Bytes values = column_of(GetParam().type, numbers(kind, count));
      const FencedBytes words{std::span<const std::uint32_t>(encoded_column(GetParam(), values))};
      GetParam().codec->validate(GetParam().type, words.words(), count);
      const FencedBytes out(values.size());
      GetParam().codec->decode(GetParam().type, words.words(), count, 0, count, out.data());
      ASSERT_EQ(out.copy(0, values.size()), values) << kind << ", " << count;
      ASSERT_TRUE(out.intact_outside(0, values.size())) << kind << ", " << count;
    }
  }
}

TEST_P(Columns, AnyRangeIsDecodedByItself) {
  constexpr std::uint32_t kCount = 9000;
  const std::size_t size = codecs::size_of(GetParam().type);
  Random random(8);
  for (const std::string kind : {"runs", "ascending", "any"}) {
    const Bytes values = column_of(GetParam().type, numbers(kind, kCount));
    const Words words = encoded_column(GetParam(), values);
    for (int round = 0; round < 60; ++round) {
      const std::uint32_t first = random() % kCount;
      const std::uint32_t longest = round % 3 == 0 ? 1 : kCount - first;
      const std::uint32_t count = random() % (longest + 1);
      // The output starts at any multiple of the type's size, not of 16.
      const std::size_t at = random() % 20 * size;
      const FencedBytes out(at + count * size);
      GetParam().codec->decode(GetParam().type, words, kCount, first, count, out.data() + at);
      const Bytes expected(values.data() + first * size, values.data() + (first + count) * size);
      ASSERT_EQ(out.copy(at, at + count * size), expected) << kind << ", " << first << "+" << count;
      ASSERT_TRUE(out.intact_outside(at, at + count * size));
    }
  }
}

TEST_P(Columns, SayHowManyValuesAreDecodedTogether) {
  constexpr std::uint32_t kCount = 5000;
  const Words words =
      encoded_column(GetParam(), column_of(GetParam().type, numbers("small", kCount)));
  const std::uint32_t unit = GetParam().codec->unit(GetParam().type, words, kCount);
  EXPECT_GE(unit, 1u);
  if (GetParam().codec->tiles) {
    EXPECT_EQ(unit, codecs::kTile);
  }
}

TEST_P(Columns, WordsCutOffOrToSpareAreRefused) {
  const Bytes values = column_of(GetParam().type, numbers("runs", 1500));
  Words words = encoded_column(GetParam(), values);
  words.push_back(0);
  EXPECT_THROW(GetParam().codec->validate(GetParam().type, words, 1500), FormatError);
  words.resize(words.size() - 2);
  EXPECT_THROW(GetParam().codec->validate(GetParam().type, words, 1500), FormatError);
  EXPECT_THROW(GetParam().codec->validate(GetParam().type, {}, 1500), FormatError);
}

TEST_P(Columns, EncodingAppends) {
  const Bytes values = column_of(GetParam().type, numbers("runs", 700));
  const Words alone = encoded_column(GetParam(), values);
  Words words{1, 2, 3};
  GetParam().codec->encode(GetParam().type, values, Parameters(), words);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), words.begin() + 3, words.end()));
  EXPECT_EQ(words[2], 3u);
}

TEST_P(Columns, AnUnknownParameterIsRefused) {
  Words words;
  EXPECT_THAT(
      [&] {
        GetParam().codec->encode(GetParam().type, {}, Parameters("no-such-parameter=1"), words);
      },
      ThrowsMessage<UsageError>(HasSubstr("no-such-parameter")));
}

INSTANTIATE_TEST_SUITE_P(All, Columns, ::testing::ValuesIn(all_cases()), name_of_case);

TEST(ColumnRegistry, HasEveryCodecOfTheLists) {
  EXPECT_EQ(codecs::all_codecs().size(),
            std::tuple_size_v<codecs::TileCodecs> + std::tuple_size_v<codecs::ChunkCodecs>);
  for (const Codec& codec : codecs::all_codecs()) {
    EXPECT_EQ(&codecs::codec_with(codec.id), &codec);
    EXPECT_THAT(codecs::codec_names(), HasSubstr(std::string(codec.name)));
  }
}

TEST(ColumnRegistry, ANameAndATypeMeanOneCodec) {
  for (const auto& [type, type_name] : codecs::kValueTypes) {
    std::set<std::string_view> names;
    for (const Codec& codec : codecs::all_codecs()) {
      if (!codec.takes(type)) continue;
      EXPECT_TRUE(names.insert(codec.name).second) << codec.name << " for " << type_name;
      EXPECT_EQ(&codecs::codec_named(codec.name, type), &codec);
    }
  }
}

TEST(ColumnRegistry, TileCodecsTakeUpTo32Bits) {
  for (const Case& c : all_cases()) {
    if (c.codec->tiles) {
      EXPECT_LE(codecs::size_of(c.type), 4u);
    }
  }
}

TEST(ColumnRegistry, AnUnknownNameListsThoseForTheType) {
  EXPECT_THAT([] { codecs::codec_named("zip", ValueType::kI32); },
              ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("'zip'"), HasSubstr("i32"), HasSubstr("gpu-bp128, gpu-bp256"))));
  EXPECT_THAT([] { codecs::codec_named("gpu-bp128", ValueType::kI64); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("does not code values of type i64"),
                                              Not(HasSubstr("gpu-bp256")))));
  EXPECT_THROW(codecs::codec_with(codecs::CodecId{123456}), FormatError);
}

TEST(ColumnRegistry, AnotherTypeIsRefusedEverywhere) {
  const Codec& codec = codecs::codec_named("gpu-bp128", ValueType::kI32);
  Words words;
  EXPECT_THROW(codec.encode(ValueType::kU64, Bytes(8), Parameters(), words), UsageError);
  EXPECT_THROW(codec.validate(ValueType::kU64, words, 1), UsageError);
}

/// Smaller types are widened with their sign, so -1 is 2^32 - 1 to a tile codec.
TEST(ColumnRegistry, NarrowTypesAreWidenedWithTheirSign) {
  const Codec& none = codecs::codec_named("none", ValueType::kI8);
  const Bytes values{std::byte{0xff}, std::byte{0x7f}};
  Words words;
  none.encode(ValueType::kI8, values, Parameters(), words);
  EXPECT_EQ(words, (Words{0xffffffffu, 0x7f}));
  words.clear();
  none.encode(ValueType::kU8, values, Parameters(), words);
  EXPECT_EQ(words, (Words{0xff, 0x7f}));
}

}  // namespace
}  // namespace gannet::test
