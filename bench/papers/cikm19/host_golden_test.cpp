// Bytes of the host's codecs, computed by hand from the publications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/papers/cikm19/host_codecs.hpp"
#include "codecs/docids.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::papers::Bp32;
using codecs::papers::SimdBp128;
using codecs::papers::StreamVbyte;
using codecs::papers::VarintGb;
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

/// Gaps - 1 of `count` distinct docids, uniform in [0, universe).
Words uniform_gaps(std::uint32_t count, std::uint32_t universe, Random& random) {
  std::uniform_int_distribution<std::uint32_t> any(0, universe - 1);
  Words docids;
  while (docids.size() < count) {
    for (std::size_t missing = count - docids.size(); missing > 0; --missing) {
      docids.push_back(any(random));
    }
    std::sort(docids.begin(), docids.end());
    docids.erase(std::unique(docids.begin(), docids.end()), docids.end());
  }
  return codecs::gaps_of(docids);
}

template <class C>
double bits_per_value(const std::vector<Words>& lists) {
  std::size_t words = 0, values = 0;
  for (const Words& list : lists) {
    words += encoded<C>(list).size();
    values += list.size();
  }
  return 32 * static_cast<double>(words) / static_cast<double>(values);
}

/// Table 1 of the CIKM'19 paper: 2^16 and 2^25 docids in [0, 2^29). One sparse list is too few: its
/// blocks' widths scatter. The dense list is an eighth of that: only its density matters.
TEST(HostGolden, SizesAreThoseOfThePaper) {
  Random random(8);
  std::vector<Words> sparse(20);
  for (Words& list : sparse) list = uniform_gaps(1u << 16, 1u << 29, random);
  const std::vector<Words> dense{uniform_gaps(1u << 22, 1u << 26, random)};
  EXPECT_NEAR(bits_per_value<Bp32>(sparse), 15.71, 0.03);
  EXPECT_NEAR(bits_per_value<Bp32>(dense), 6.67, 0.03);
  EXPECT_NEAR(bits_per_value<SimdBp128>(sparse), 16.04, 0.03);
  EXPECT_NEAR(bits_per_value<SimdBp128>(dense), 6.99, 0.03);
  EXPECT_NEAR(bits_per_value<VarintGb>(sparse), 17.76, 0.03);
  EXPECT_NEAR(bits_per_value<VarintGb>(dense), 10.00, 0.03);
  EXPECT_NEAR(bits_per_value<StreamVbyte>(sparse), 17.76, 0.03);
  EXPECT_NEAR(bits_per_value<StreamVbyte>(dense), 10.00, 0.03);
}

}  // namespace
}  // namespace gannet::test
