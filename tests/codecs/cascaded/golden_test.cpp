// Codec `cascaded`: bytes computed by hand from its format and the worked examples of nvCOMP's
// documentation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/cascaded/cascaded.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

using codecs::Cascaded;
using ::testing::ElementsAreArray;

/// The worked examples.
const std::vector<std::int32_t> kRuns{3, 9, 9, 4, 4, 4, 0, 0, 0, 0, 0,
                                      0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
const std::vector<std::int32_t> kSteps{15000, 15001, 15002, 15003, 15004, 15204,
                                       15104, 15103, 15102, 15101, 15100};

template <class T>
void expect_words(const std::vector<T>& values, const std::string& parameters,
                  const Words& expected) {
  EXPECT_THAT(encoded_column<Cascaded>(values, parameters), ElementsAreArray(expected));
  const auto count = static_cast<std::uint32_t>(values.size());
  Cascaded::validate<T>(expected, count);
  EXPECT_EQ((decoded_column<Cascaded, T>(expected, count)), values);
}

/// Packs by hand: `fields` of `width` bits each, the first in the lowest bits.
Words packed(std::uint32_t width, const Words& fields) {
  Words words((fields.size() * width + 31) / 32);
  for (std::size_t i = 0; i < fields.size() * width; ++i) {
    words[i / 32] |= (fields[i / width] >> i % width & 1) << i % 32;
  }
  return words;
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CascadedGolden, BitPackingOfTheDocumentation) {
  // Smallest 15000, offsets 0 1 2 3 4 204 104 103 102 101 100: eight bits each.
  expect_words(kSteps, "rles=0,deltas=0,chunk=128",
               Words{0x10000, 128, 4, 9, 8u << 25, 15000} +
                   packed(8, {0, 1, 2, 3, 4, 204, 104, 103, 102, 101, 100}));
}

TEST(CascadedGolden, DeltaOfTheDocumentation) {
  // 15000, then 1 1 1 1 200 -100 -1 -1 -1 -1: smallest -100, range 300, nine bits.
  expect_words(kSteps, "deltas=1,chunk=128",
               Words{0x10100, 128, 4, 10, 9u << 25, 15000, 0u - 100} +
                   packed(9, {101, 101, 101, 101, 300, 0, 99, 99, 99, 99}));
}

TEST(CascadedGolden, RunsOfTheDocumentation) {
  // (3,1) (9,2) (4,3) (0,10) (1,6): lengths 1 .. 10 in four bits less 1, values 0 .. 9 in four.
  expect_words(kRuns, "rles=1,chunk=128",
               Words{0x10001, 128, 4, 8, 4 | 4u << 12 | 4u << 25, 0} + packed(4, {0, 1, 2, 9, 5}) +
                   packed(4, {3, 9, 4, 0, 1}));
}

TEST(CascadedGolden, RunsWithoutPacking) {
  // Lengths less 1 in 12 bits, values in 32.
  expect_words(kRuns, "rles=1,bitpack=0,chunk=128",
               Words{0x00001, 128, 4, 13, 4 | 12u << 12 | 32u << 25, 0} +
                   packed(12, {0, 1, 2, 9, 5}) + Words{3, 9, 4, 0, 1});
}

TEST(CascadedGolden, TwoRunLengthLayersAndADeltaLayer) {
  // 5 5 6 6 7 7 7 7 17: runs 5 6 7 17 of 2 2 4 1; deltas 1 1 10 behind 5; runs 1 10 of 2 1.
  // First lengths: shortest 1, offsets 1 1 3 0 in two bits: 0 3 1 1 = 0x35. Second: 1 0 in one bit.
  // Values: smallest 1, offsets 0 9 in four bits.
  expect_words<std::uint32_t>(
      {5, 5, 6, 6, 7, 7, 7, 7, 17}, "rles=2,deltas=1,chunk=128",
      {0x10102, 128, 4, 11, 3 | 2u << 12 | 4u << 25, 1 | 1u << 12, 5, 1, 0x35, 0x1, 0x90});
}

TEST(CascadedGolden, TwoDeltaLayers) {
  // 1 4 9 16 25: deltas 3 5 7 9 behind 1, then 2 2 2 behind 3.
  expect_words<std::uint16_t>({1, 4, 9, 16, 25}, "deltas=2,chunk=128",
                              {0x10200, 128, 4, 8, 0, 1, 3, 2});
}

TEST(CascadedGolden, LayersOfAnEmptyRestAreEmpty) {
  // 8 8: run 8 of 2; no delta behind 8; no run of nothing.
  expect_words<std::uint8_t>({8, 8}, "rles=2,deltas=2,chunk=128",
                             {0x10202, 128, 4, 9, 0 | 1u << 16, 0, 8, 0, 0});
}

TEST(CascadedGolden, SignsMatterForTheSmallestValueOnly) {
  expect_words<std::int8_t>({-1, 1, 0, -2}, "rles=0,chunk=128",
                            {0x10000, 128, 4, 7, 2u << 25, 0xfe, 0 << 6 | 2 << 4 | 3 << 2 | 1});
  expect_words<std::uint8_t>({255, 1, 0, 254}, "rles=0,chunk=128",
                             {0x10000, 128, 4, 7, 8u << 25, 0, 0xfe0001ff});
  // A delta has a sign, whatever the type.
  expect_words<std::uint8_t>({7, 6, 6, 5}, "deltas=1,chunk=128",
                             {0x10100, 128, 4, 8, 1u << 25, 7, 0xff, 2});
}

TEST(CascadedGolden, SixtyFourBits) {
  const std::uint64_t big = 0x123456789abcdef0u;
  expect_words<std::uint64_t>({big, big + 1, big + (1ull << 33)}, "rles=0,chunk=128",
                              Words{0x10000, 128, 4, 11, 34u << 25, 0x9abcdef0u, 0x12345678u} +
                                  Words{0, 1u << 2, 0, 1u << (33 + 68 - 96)});
}

TEST(CascadedGolden, ChunksStandBehindOneAnother) {
  std::vector<std::int32_t> values(300, 7);
  for (std::size_t i = 128; i < 256; ++i) values[i] = -3;
  expect_words(values, "rles=1,chunk=128",
               {0x10001, 128, 6, 8, 10, 12, 127u << 16, 7, 127u << 16, 0u - 3, 43u << 16, 7});
}

TEST(CascadedGolden, TheEmptyColumn) {
  expect_words<std::int64_t>({}, "rles=1,chunk=256", {0x10001, 256, 3});
}

}  // namespace
}  // namespace gannet::test
