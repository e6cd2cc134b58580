// Columns at run time: every codec of the lists, for every type that it takes, gives back what it
// was given, all at once and in parts, without touching a byte outside.
#include "codecs/columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "codecs/chunk_codecs.hpp"
#include "codecs/tile_codecs.hpp"
#include "tests/support/codecs/column_kit.hpp"

namespace gannet::test {
namespace {

using ::testing::Not;

INSTANTIATE_TEST_SUITE_P(All, ColumnKit, ::testing::ValuesIn(all_column_cases()),
                         name_of_column_case);

/// What the defaults do not lead to: small chunks, and plans of every kind.
std::vector<ColumnCase> cases_with_parameters() {
  const std::pair<const char*, const char*> kParameters[] = {
      {"cascaded", "rles=2,deltas=1,chunk=256"},
      {"cascaded", "rles=0,deltas=3,bitpack=0,chunk=256"},
      {"cascaded", "rles=3,deltas=0,chunk=256"},
      {"rle", "chunk=128"},
      {"deflate", "chunk=1"},
      {"deflate", "chunk=1,level=0"},
  };
  std::vector<ColumnCase> cases;
  for (const auto& [name, parameters] : kParameters) {
    for (const ColumnCase& each :
         cases_of(codecs::codec_named(name, ValueType::kI32), parameters)) {
      cases.push_back(each);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Parameters, ColumnKit, ::testing::ValuesIn(cases_with_parameters()),
                         name_of_column_case);

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
  for (const ColumnCase& c : all_column_cases()) {
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
  EXPECT_THROW(codec.encode(ValueType::kU64, ColumnBytes(8), Parameters(), words), UsageError);
  EXPECT_THROW(codec.validate(ValueType::kU64, words, 1), UsageError);
}

/// Smaller types are widened with their sign, so -1 is 2^32 - 1 to a tile codec.
TEST(ColumnRegistry, NarrowTypesAreWidenedWithTheirSign) {
  const Codec& none = codecs::codec_named("none", ValueType::kI8);
  const ColumnBytes values{std::byte{0xff}, std::byte{0x7f}};
  Words words;
  none.encode(ValueType::kI8, values, Parameters(), words);
  EXPECT_EQ(words, (Words{0xffffffffu, 0x7f}));
  words.clear();
  none.encode(ValueType::kU8, values, Parameters(), words);
  EXPECT_EQ(words, (Words{0xff, 0x7f}));
}

}  // namespace
}  // namespace gannet::test
