// Bytes computed by hand from the format descriptions of the papers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"

namespace gannet::test {
namespace {

using codecs::GpuBp;
using codecs::GpuDfor;
using codecs::GpuFor;
using codecs::GpuRfor;
using codecs::GpuVbyte;
using codecs::Nsf;
using codecs::Nsv;
using codecs::RawTiles;
using ::testing::ElementsAreArray;

void append(Words& words, const Words& more, int times = 1) {
  for (int i = 0; i < times; ++i) words.insert(words.end(), more.begin(), more.end());
}

Words cycle(std::uint32_t count, const Words& pattern) {
  Words values(count);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = pattern[i % pattern.size()];
  return values;
}

/// Encoding `values` gives `expected`, which is valid and decodes to `values`.
template <class C>
void expect_bytes(const Words& values, const Words& expected) {
  EXPECT_THAT(test::encoded<C>(values), ElementsAreArray(expected));
  C::validate(expected, static_cast<std::uint32_t>(values.size()));
  Words decoded(values.size());
  codecs::list_codec_with(C::id).decode(
      {expected.data(), static_cast<std::uint32_t>(values.size())}, decoded.data());
  EXPECT_EQ(decoded, values);
}

TEST(Golden, NoneIsTheValues) {
  expect_bytes<RawTiles>({}, {});
  expect_bytes<RawTiles>({5, 0xffffffffu}, {5, 0xffffffffu});
}

TEST(Golden, GpuBpEmptyListIsOneEndpoint) {
  expect_bytes<GpuBp<128>>({}, {0});
  expect_bytes<GpuBp<256>>({}, {0});
}

TEST(Golden, GpuBpEndpointsSpeakOfFullBlocks) {
  // Width 3: 12 words of a full block, but only one word of payload. 5 + 2 * 8 = 21.
  expect_bytes<GpuBp<128>>({5, 2}, {0, 12, 21});
  expect_bytes<GpuBp<256>>({5, 2}, {0, 24, 21});
}

TEST(Golden, GpuBpZerosTakeNoPayload) { expect_bytes<GpuBp<128>>(Words(300, 0), {0, 0, 0, 0}); }

TEST(Golden, GpuBpTwoBitValuesLowBitsFirst) {
  // 3 2 1 0 in two bits each, the last value in the highest bits: 11 10 01 00 = 0xe4.
  Words expected{0, 8};
  append(expected, {0xe4e4e4e4u}, 8);
  expect_bytes<GpuBp<128>>(cycle(128, {0, 1, 2, 3}), expected);
  expected = {0, 16};
  append(expected, {0xe4e4e4e4u}, 16);
  expect_bytes<GpuBp<256>>(cycle(256, {0, 1, 2, 3}), expected);
}

TEST(Golden, GpuBpValuesStraddleWords) {
  // 0..7 in three bits: octal 76543210 = 0xfac688, over and over: 88 c6 fa 88 | c6 fa 88 c6 | ...
  Words expected{0, 12};
  append(expected, {0x88fac688u, 0xc688fac6u, 0xfac688fau}, 4);
  expect_bytes<GpuBp<128>>(cycle(128, {0, 1, 2, 3, 4, 5, 6, 7}), expected);
}

TEST(Golden, GpuBpBlocksHaveTheirOwnWidths) {
  // 128 ones in one bit: four words; then a block of width 8 with two values, in one word.
  Words values(128, 1);
  append(values, {200, 3});
  expect_bytes<GpuBp<128>>(
      values, {0, 4, 4 + 32, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0x3c8u});
}

TEST(Golden, GpuBpFullWidth) {
  Words expected{0, 128};
  append(expected, {0xffffffffu, 1}, 64);
  expect_bytes<GpuBp<128>>(cycle(128, {0xffffffffu, 1}), expected);
}

TEST(Golden, GpuVbyteEmptyListIsOneEndpoint) {
  expect_bytes<GpuVbyte<128>>({}, {0});
  expect_bytes<GpuVbyte<1024>>({}, {0});
}

TEST(Golden, GpuVbyteLastBlockIsBitPacked) {
  // Width 9: 300 + 2^9 * 1.
  expect_bytes<GpuVbyte<128>>({300, 1}, {0, 8, 9, 300 + 512});
  Words expected{0, (1 + 8) * 4, 2};
  append(expected, {0xe4e4e4e4u}, 8);
  expect_bytes<GpuVbyte<128>>(cycle(128, {0, 1, 2, 3}), expected);
}

TEST(Golden, GpuVbyteAllLengths) {
  // Lengths 1 2 3 4, so selectors 0 1 2 3 = 0xe4; bytes 01 | 02 01 | 03 02 01 | 04 03 02 01, that
  // is ten bytes, twice five words. 320 bytes end on a word: one word of padding follows.
  Words values = cycle(128, {0x01, 0x0102, 0x010203, 0x01020304});
  values.push_back(7);
  Words expected{0, (8 + 80 + 1) * 4, (8 + 80 + 1 + 2) * 4};
  append(expected, {0xe4e4e4e4u}, 8);
  append(expected, {0x03010201u, 0x03040102u, 0x02010102u, 0x01020301u, 0x01020304u}, 16);
  append(expected, {0, 3, 7});
  expect_bytes<GpuVbyte<128>>(values, expected);
}

TEST(Golden, GpuVbytePadsToAWord) {
  // 127 values of one byte and one of two bytes (the last: selector 1 in the highest bits).
  Words values(127, 9);
  append(values, {0x1234, 0});
  Words expected{0, (8 + 33) * 4, (8 + 33 + 1) * 4};
  append(expected, {0}, 7);
  append(expected, {0x40000000u});
  append(expected, {0x09090909u}, 31);
  append(expected, {0x34090909u, 0x12, 0});
  expect_bytes<GpuVbyte<128>>(values, expected);
}

TEST(Golden, GpuVbyte1024) {
  Words expected{0, (64 + 256 + 1) * 4, (64 + 256 + 1 + 2) * 4};
  append(expected, {0}, 64);
  append(expected, {0x01010101u}, 256);
  append(expected, {0, 1, 1});
  expect_bytes<GpuVbyte<1024>>(Words(1025, 1), expected);
}

TEST(Golden, GpuDforEmptyListAndOneValue) {
  expect_bytes<GpuDfor>({}, {128, 4, 0, 0, 5});
  // header, block start 7, length 9, first value 7, reference 0, widths 0.
  expect_bytes<GpuDfor>({7}, {128, 4, 1, 7, 7, 9, 7, 0, 0});
}

TEST(Golden, GpuDforConstantDeltaNeedsOneBit) {
  // Deltas 0 1 1 1 ...: reference 0, every miniblock one bit wide; the first delta is the 0.
  Words values(128);
  for (std::uint32_t i = 0; i < 128; ++i) values[i] = 100 + i;
  expect_bytes<GpuDfor>(values, {128, 4, 128, 100, 7, 13, 100, 0, 0x01010101u, 0xfffffffeu,
                                 0xffffffffu, 0xffffffffu, 0xffffffffu});
}

TEST(Golden, GpuDforReferenceIsSigned) {
  // 10 8 11: deltas 0 -2 3, then 125 missing ones, 0. Reference -2: 2 0 5 2 2 ..., widths 3 2 2 2.
  // First miniblock: 29 twos after octal 502; 2 = 010, so octal 2222222502 over and over.
  // Three words of 3-bit values, from the highest: octal ...22222222222222 with "502" at the end.
  Words expected{128, 4, 3, 10, 7, 7 + 2 + 3 + 6, 10, 0xfffffffeu, 0x02020203u};
  append(expected, {0x92492542u, 0x24924924u, 0x49249249u});
  append(expected, {0xaaaaaaaau}, 6);
  expect_bytes<GpuDfor>({10, 8, 11}, expected);
}

TEST(Golden, GpuDforMiniblocksHaveTheirOwnWidths) {
  // Deltas: 31 zeros behind the first, then 32 ones, 32 twos, 32 fifteens: widths 0 1 2 4.
  Words values{50};
  for (int i = 1; i < 128; ++i) {
    const std::uint32_t delta = i < 32 ? 0 : i < 64 ? 1 : i < 96 ? 2 : 15;
    values.push_back(values.back() + delta);
  }
  Words expected{128, 4, 128, 50, 7, 16, 50, 0, 0x04020100u};
  append(expected, {0xffffffffu});
  append(expected, {0xaaaaaaaau}, 2);
  append(expected, {0xffffffffu}, 4);
  expect_bytes<GpuDfor>(values, expected);
}

TEST(Golden, GpuDforChainsOfFourBlocks) {
  // 513 equal steps of 2: chains of four blocks and of one. A block that starts a chain has a first
  // delta of 0 and so two bits a value; the others have reference 2 and no bits at all.
  Words values(513);
  for (std::uint32_t i = 0; i < 513; ++i) values[i] = 6 + 2 * i;
  Words expected{128, 4, 513, 6};
  append(expected, {11, 21, 23, 25, 28, 30});
  append(expected, {6, 0, 0x02020202u, 0xaaaaaaa8u});
  append(expected, {0xaaaaaaaau}, 7);
  append(expected, {2, 0}, 3);
  append(expected, {6 + 2 * 512, 0, 0});
  expect_bytes<GpuDfor>(values, expected);
}

TEST(Golden, GpuForEmptyListAndOneValue) {
  expect_bytes<GpuFor>({}, {128, 4, 0, 0, 5});
  // header, block start 6, length 8, reference 7, widths 0.
  expect_bytes<GpuFor>({7}, {128, 4, 1, 7, 6, 8, 7, 0});
}

TEST(Golden, GpuForReferenceIsSigned) {
  // Reference -2: 7 and 0 in three bits, then missing values, 0. The other miniblocks take no bits.
  expect_bytes<GpuFor>({5, 0xfffffffeu}, {128, 4, 2, 5, 6, 11, 0xfffffffeu, 3, 7, 0, 0});
}

TEST(Golden, GpuForLowBitsFirst) {
  Words expected{128, 4, 128, 100, 6, 16, 100, 0x02020202u};
  append(expected, {0xe4e4e4e4u}, 8);
  expect_bytes<GpuFor>(cycle(128, {100, 101, 102, 103}), expected);
}

TEST(Golden, GpuForMiniblocksHaveTheirOwnWidths) {
  // 0, 1, 3 and 15 above the reference: widths 0 1 2 4, all bits set.
  Words values;
  for (const std::uint32_t value : {10u, 11u, 13u, 25u}) append(values, Words(32, value));
  Words expected{128, 4, 128, 10, 6, 15, 10, 0x04020100u};
  append(expected, {0xffffffffu}, 7);
  expect_bytes<GpuFor>(values, expected);
}

TEST(Golden, GpuForBlocksFollowOneAnother) {
  Words values(128, 9);
  values.push_back(3);
  expect_bytes<GpuFor>(values, {128, 4, 129, 9, 7, 9, 11, 9, 0, 3, 0});
}

TEST(Golden, GpuRforEmptyList) { expect_bytes<GpuRfor>({}, {512, 4, 0, 0, 5, 512, 4, 0, 0, 5}); }

TEST(Golden, GpuRforRunsOfThePaper) {
  // Section 6: x x x x y y z z z is x y z and 4 2 3; here 10 20 12. Above their references 10 and
  // 2: 0 10 2 in four bits, from the highest 2 a 0; 2 0 1 in two bits, from the highest 01 00 10.
  expect_bytes<GpuRfor>({10, 10, 10, 10, 20, 20, 12, 12, 12},
                        {512, 4, 9, 10, 6, 10, 10, 0x04040404u, 3, 0x2a0,  //
                         512, 4, 9, 10, 6, 10, 2,  0x02020202u, 3, 0x12});
}

TEST(Golden, GpuRforRunsEndWithTheirBlock) {
  expect_bytes<GpuRfor>(Words(513, 5), {512, 4, 513, 5, 7, 10, 13, 5,   0, 1, 5, 0, 1,  //
                                        512, 4, 513, 5, 7, 10, 13, 512, 0, 1, 1, 0, 1});
}

TEST(Golden, GpuRforWithoutRuns) {
  // 512 times the digits 0 1 2 3; run lengths of 1 take no bits.
  Words expected{512, 4, 512, 0, 6, 9 + 32, 0, 0x02020202u, 512};
  append(expected, {0xe4e4e4e4u}, 32);
  append(expected, {512, 4, 512, 0, 6, 9, 1, 0, 512});
  expect_bytes<GpuRfor>(cycle(512, {0, 1, 2, 3}), expected);
}

TEST(Golden, NsfTakesTheBytesOfTheLargest) {
  expect_bytes<Nsf>({}, {1});
  expect_bytes<Nsf>({5, 0xff, 1, 2, 3}, {1, 0x0201ff05u, 3});
  expect_bytes<Nsf>({0x100, 2, 3}, {2, 0x00020100u, 3});
  expect_bytes<Nsf>({0xffff}, {2, 0xffff});
  expect_bytes<Nsf>({1, 0x10000}, {4, 1, 0x10000});
}

TEST(Golden, NsvAllLengths) {
  expect_bytes<Nsv>({}, {0});
  // Lengths 1 2 3 4 1, so 0 1 2 3 0; bytes 01 | 02 01 | 03 02 01 | 04 03 02 01 | 07.
  expect_bytes<Nsv>({0x01, 0x0102, 0x010203, 0x01020304, 7},
                    {0, 11, 0xe4, 0x03010201u, 0x03040102u, 0x00070102u});
}

TEST(Golden, NsvKnowsWhereBlocksStart) {
  Words expected{0, 512, 514};
  append(expected, {0}, 32);
  append(expected, {1});
  append(expected, {0x09090909u}, 128);
  append(expected, {0x1234});
  Words values(512, 9);
  values.push_back(0x1234);
  expect_bytes<Nsv>(values, expected);
}

TEST(Golden, DocidsAreGapsWhereTheCodecWantsThem) {
  // 0 1 2 10: gaps 0 0 0 7, in three bits.
  EXPECT_THAT(encoded_docids<GpuBp<128>>(Words{0, 1, 2, 10}), ElementsAreArray({0u, 12u, 7u << 9}));
  EXPECT_THAT(encoded_docids<RawTiles>(Words{0, 1, 2, 10}), ElementsAreArray({0u, 1u, 2u, 10u}));
}

}  // namespace
}  // namespace gannet::test
