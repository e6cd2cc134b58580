// Codec `rle`, and `none` for 64-bit values: bytes by hand, round trips, hostile bytes.
#include "codecs/columns/rle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/columns/raw_chunks.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/column_values.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::RawChunks;
using codecs::Rle;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

template <class T>
class RleTypes : public ::testing::Test {};
TYPED_TEST_SUITE(RleTypes, AllValueTypes);

TEST(RleGolden, PairsInTwoColumns) {
  // (3,1) (9,2) (4,3) (0,10) (1,6): two lengths a word.
  const std::vector<std::int32_t> values{3, 9, 9, 4, 4, 4, 0, 0, 0, 0, 0,
                                         0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  EXPECT_THAT(encoded_column<Rle>(values, "chunk=128"),
              ElementsAreArray(Words{128, 0, 5, 3, 9, 4, 0, 1, 0x20001, 0xa0003, 6}));
}

TEST(RleGolden, RunsEndWithTheirChunk) {
  EXPECT_THAT(encoded_column<Rle>(std::vector<std::int8_t>(300, -2), "chunk=128"),
              ElementsAreArray(Words{128, 0, 1, 2, 3, 0xfefefe, 0x800080, 44}));
  EXPECT_THAT(encoded_column<Rle>(std::vector<std::uint64_t>(2, 5ull << 32 | 7), ""),
              ElementsAreArray(Words{2048, 0, 1, 7, 5, 2}));
  EXPECT_THAT(encoded_column<Rle>(std::vector<std::uint16_t>{}, ""),
              ElementsAreArray(Words{2048, 0}));
}

TEST(RleParameters, WrongOnesAreRefused) {
  const std::vector<std::int32_t> values{1, 2, 3};
  for (const char* text : {"chunk=64", "chunk=200", "chunk=8192", "rles=1"}) {
    EXPECT_THROW(encoded_column<Rle>(values, text), UsageError) << text;
  }
}

TYPED_TEST(RleTypes, RoundTrips) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    for (const std::uint32_t count :
         {0u, 1u, 2u, 3u, 4u, 5u, 127u, 128u, 129u, 2047u, 2048u, 2049u, 9000u}) {
      const std::vector<TypeParam> values = distribution.make(count);
      for (const char* parameters : {"", "chunk=128", "chunk=4096"}) {
        SCOPED_TRACE(distribution.name + ", " + parameters + ", length " + std::to_string(count));
        expect_column_roundtrip<Rle>(values, parameters);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TEST(RleMessages, NameTheChunkAndTheFault) {
  const Words good = encoded_column<Rle>(std::vector<std::int32_t>(300, 5), "chunk=128");
  const auto refusal = [&](std::size_t at, std::uint32_t word) {
    Words words = good;
    words[at] = word;
    return column_refusal<Rle, std::int32_t>(words, 300);
  };
  EXPECT_EQ(refusal(0, 128), "accepted");
  EXPECT_THAT(refusal(0, 100), HasSubstr("rle: chunks cannot have so many values"));
  EXPECT_THAT(refusal(1, 1), HasSubstr("first run"));
  EXPECT_THAT(refusal(3, 0), HasSubstr("block 1: its runs end before they start"));
  EXPECT_THAT(refusal(3, 9), HasSubstr("block 1: its runs end before they start"));
  EXPECT_THAT(refusal(4, 4), HasSubstr("its runs take"));
  EXPECT_THAT(refusal(8, 0x800000), HasSubstr("block 0: it has a run without values"));
  EXPECT_THAT(refusal(8, 0x810080),
              HasSubstr("block 1: its runs have not as many values as it has"));
}

TEST(PlainGolden, TheValuesAsTheyAre) {
  const std::vector<std::int64_t> values{-1, 5};
  const Words words = encoded_column<RawChunks>(values, "");
  EXPECT_THAT(words, ElementsAreArray(Words{~0u, ~0u, 5, 0}));
  EXPECT_THROW(encoded_column<RawChunks>(values, "chunk=1"), UsageError);
  EXPECT_TRUE((column_accepted<RawChunks, std::int64_t>(words, 2)));
  EXPECT_FALSE((column_accepted<RawChunks, std::int64_t>(words, 1)));
  EXPECT_FALSE((column_accepted<RawChunks, std::int64_t>(words, 3)));
  EXPECT_FALSE((column_accepted<RawChunks, std::int64_t>(words, codecs::kMaxListLength + 2)));
}

TEST(PlainGolden, RoundTrips) {
  for (const std::uint32_t count : {0u, 1u, 4095u, 4096u, 4097u, 10000u}) {
    expect_column_roundtrip<RawChunks>(random_runs<std::uint64_t>(count, 1, 64), "");
    expect_column_roundtrip<RawChunks>(random_runs<std::int64_t>(count, 3, 64), "");
  }
}

}  // namespace
}  // namespace gannet::test
