// Bytes of the host's codecs, computed by hand from the publications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs_data.hpp"

namespace gannet::test {
namespace {

using codecs::Bp32;
using codecs::SimdBp128;
using codecs::StreamVbyte;
using codecs::VarintGb;
using ::testing::ElementsAreArray;

void append(Words& words, const Words& more, int times = 1) {
  for (int i = 0; i < times; ++i) words.insert(words.end(), more.begin(), more.end());
}

template <class C>
void expect_bytes(const Words& values, const Words& expected) {
  const auto count = static_cast<std::uint32_t>(values.size());
  EXPECT_THAT(encoded<C>(values), ElementsAreArray(expected));
  C::validate(expected, count);
  Words decoded(count);
  C::decode(expected, count, decoded.data());
  EXPECT_EQ(decoded, values);
}

TEST(HostGolden, EmptyListsAreEmpty) {
  expect_bytes<Bp32>({}, {});
  expect_bytes<SimdBp128>({}, {});
  expect_bytes<VarintGb>({}, {});
  expect_bytes<StreamVbyte>({}, {});
}

TEST(HostGolden, Bp32FirstSelectorInTheHighestByte) {
  expect_bytes<Bp32>({5, 2}, {0x03000000u, 5 + 8 * 2});
  Words values;
  for (const std::uint32_t value : {0u, 1u, 3u, 15u}) append(values, Words(32, value));
  Words expected{0x00010204u};
  append(expected, {0xffffffffu}, 1 + 2 + 4);
  expect_bytes<Bp32>(values, expected);
  // A second group: a block and a bit.
  append(values, Words(33, 1));
  append(expected, {0x01010000u, 0xffffffffu, 1});
  expect_bytes<Bp32>(values, expected);
}

TEST(HostGolden, SimdBp128IsVertical) {
  // Lanes of ones, twos, threes and zeros, in two bits.
  Words values;
  append(values, {1, 2, 3, 0}, 32);
  Words expected{0x02000000u};
  append(expected, {0x55555555u, 0xaaaaaaaau, 0xffffffffu, 0}, 2);
  expect_bytes<SimdBp128>(values, expected);
  // An incomplete block is horizontal; its selector stands in the same word.
  append(values, {5, 2});
  expected[0] = 0x02030000u;
  append(expected, {5 + 8 * 2});
  expect_bytes<SimdBp128>(values, expected);
}

TEST(HostGolden, SimdBp128GroupsOf16Blocks) {
  Words expected(4, 0x01010101u);
  append(expected, {0xffffffffu}, 16 * 4);
  append(expected, {0x01000000u});
  append(expected, {0xffffffffu}, 4);
  expect_bytes<SimdBp128>(Words(17 * 128, 1), expected);
}

TEST(HostGolden, VarintGbTagsAreInBetween) {
  // e4 | 01 | 02 01 | 03 02 01 | 04 03 02 01 || 00 | 07
  expect_bytes<VarintGb>({0x01, 0x0102, 0x010203, 0x01020304, 7},
                         {0x010201e4u, 0x04010203u, 0x00010203u, 0x07u});
}

TEST(HostGolden, StreamVbyteTagsAreInFront) {
  // e4 00 | 01 | 02 01 | 03 02 01 | 04 03 02 01 | 07
  expect_bytes<StreamVbyte>({0x01, 0x0102, 0x010203, 0x01020304, 7},
                            {0x020100e4u, 0x01020301u, 0x01020304u, 0x07u});
}

}  // namespace
}  // namespace gannet::test
