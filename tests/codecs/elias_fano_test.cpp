// elias-fano: bytes computed by hand, what is refused, and how small it is.
#include "codecs/lists/elias_fano.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "codecs/registry.hpp"

namespace gannet::test {
namespace {

using codecs::EliasFano;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

Words encoded(const Words& values) {
  Words words;
  EliasFano::encode(values, words);
  return words;
}

void expect_bytes(const Words& values, const Words& expected) {
  EXPECT_THAT(encoded(values), ElementsAreArray(expected));
  EliasFano::validate(expected, static_cast<std::uint32_t>(values.size()));
  Words decoded(values.size());
  codecs::list_codec_with(EliasFano::id)
      .decode({expected.data(), static_cast<std::uint32_t>(values.size())}, decoded.data());
  EXPECT_EQ(decoded, values);
}

/// 5, 106, 207, 305, 406, ...: less the reference 5, at most 3101, log2(3101 / 32) = 6.6: 6 low
/// bits.
Words hundreds() {
  Words values(32);
  for (std::uint32_t i = 0; i < 32; ++i) values[i] = 5 + 100 * i + i % 3;
  return values;
}

TEST(EliasFanoGolden, LowBitsThenHighBits) {
  expect_bytes(hundreds(), {0, 11,                                  // endpoints
                            5, 6 | 3 << 8,                          // reference, form
                            0x91b0a940u, 0x9122f58du, 0x73a5703au,  // 32 times 6 low bits
                            0x12b48981u, 0xa160f99du, 0x7785b132u, 0x529294a5u, 0x25294a4au,
                            0x94a5u});  // 1.5 high bits a value, unary
}

TEST(EliasFanoGolden, NothingIsOneEndpoint) { expect_bytes({}, {0}); }

TEST(EliasFanoGolden, EqualValuesTakeTheirReference) {
  expect_bytes(Words(130, 77), {0, 2, 4, 77, 0, 77, 0});
}

TEST(EliasFanoGolden, WhatDoesNotAscendIsPacked) {
  expect_bytes({9, 8, 11}, {0, 3, 8, 2, 1 | 0 << 2 | 3 << 4});
  expect_bytes({0, 0xffffffffu}, {0, 4, 0, 32, 0, 0xffffffffu});
}

TEST(EliasFano, TakesTwoBitsAndTheLogarithmOfTheGap) {
  for (const std::uint32_t gap : {16u, 1000u, 60'000u}) {
    Words docids(65'536);
    std::uint32_t docid = 0;
    for (std::uint32_t i = 0; i < docids.size(); ++i) {
      docids[i] = docid += 1 + i * 2'654'435'761u % (2 * gap);
    }
    const double bits = 32.0 * static_cast<double>(encoded(docids).size()) / 65'536;
    // Up to 2 bits for the high part, and three words a tile.
    EXPECT_LT(bits, std::log2(gap) + 2.3 + 3 * 32 / 128.0) << gap;
    EXPECT_GT(bits, std::log2(gap)) << gap;
  }
}

/// The message of the FormatError that validate() throws.
std::string how_it_ends(const Words& words, std::uint32_t count) {
  try {
    EliasFano::validate(words, count);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EliasFanoMessages, NameTheTile) {
  const Words good = encoded(hundreds());
  ASSERT_EQ(how_it_ends(good, 32), "accepted");
  const auto changed = [&](std::size_t word, std::uint32_t to) {
    Words words = good;
    words[word] = to;
    return how_it_ends(words, 32);
  };
  EXPECT_THAT(changed(0, 1), HasSubstr("elias-fano: the first endpoint is not 0"));
  EXPECT_THAT(changed(1, good[1] - 1), HasSubstr("block 0: it has not as many words"));
  EXPECT_THAT(changed(1, good[1] + 1), HasSubstr("block 0: it is cut off"));
  EXPECT_THAT(changed(3, good[3] + 1), HasSubstr("block 0: it has not as many words"));
  EXPECT_THAT(changed(3, 33), HasSubstr("block 0: its values have more than 32 bits"));
  EXPECT_THAT(changed(3, 32 | 1 << 8), HasSubstr("block 0: it has high bits beyond the 32nd"));
  EXPECT_THAT(changed(12, 0), HasSubstr("block 0: its high bits are not"));
  EXPECT_THAT(changed(11, good[11] ^ 1), HasSubstr("block 0: its high bits are not"));
}

}  // namespace
}  // namespace gannet::test
