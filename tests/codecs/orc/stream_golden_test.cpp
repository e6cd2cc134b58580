// rle-v1 and rle-v2: bytes of the specification and of ORC's library, and streams that do not
// conform.
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/orc_streams.hpp"

namespace gannet::test {
namespace {

using codecs::RleV1;
using codecs::RleV2;

template <class Codec>
void expect_decodes(std::string_view hex, const Numbers& values, bool is_signed) {
  const Bytes bytes = bytes_of(hex);
  const char* wrong = Codec::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                                         static_cast<std::uint32_t>(values.size()));
  ASSERT_EQ(wrong, nullptr) << wrong;
  EXPECT_EQ(decoded_stream<Codec>(bytes, values.size(), is_signed), values) << hex;
}

template <class Codec>
void expect_encodes(const Numbers& values, bool is_signed, std::string_view hex) {
  Bytes bytes;
  Codec::encode_strip(values, is_signed, bytes);
  EXPECT_EQ(bytes, bytes_of(hex));
}

template <class Codec>
void expect_both(std::string_view hex, const Numbers& values, bool is_signed) {
  expect_decodes<Codec>(hex, values, is_signed);
  expect_encodes<Codec>(values, is_signed, hex);
}

/// The specification's second example of version 1 and its examples of version 2.
TEST(OrcSpecification, ItsExamplesAreDecoded) {
  expect_both<RleV1>("610007", Numbers(100, 7), false);
  Numbers descending(100);
  for (int i = 0; i < 100; ++i) descending[i] = 100 - i;
  expect_both<RleV1>("61ff64", descending, false);
  // 2, 3, 4 would be written as a run.
  expect_decodes<RleV1>("fb020304070b", {2, 3, 4, 7, 11}, false);

  expect_both<RleV2>("0a2710", {10000, 10000, 10000, 10000, 10000}, false);
  expect_both<RleV2>("5e035ca1ab1edeadbeef", {23713, 43806, 57005, 48879}, false);
  expect_both<RleV2>("8e132b2107d01e00147028323c46505a646e78828c96a0aab4befce8",
                     {2030, 2000, 2020, 1000000, 2040, 2050, 2060, 2070, 2080, 2090,
                      2100, 2110, 2120, 2130,    2140, 2150, 2160, 2170, 2180, 2190},
                     false);
  // The specification packs these deltas in four bits; three suffice.
  expect_decodes<RleV2>("c609020222424246", {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}, false);
}

/// Streams that ORC's C++ library (in pyarrow 26.0.1) wrote for int64 columns with its strategy
/// "compression": `bench/papers/codag/orc_reference.py --golden`.
TEST(OrcLibrary, ItsStreamsAreReadAndWritten) {
  const Numbers direct{1, -2, 300, -40000, 5, 6};
  const Numbers falling{100, 99, 97, 94, 90, 85, 79, 72};
  const Numbers patched{
      3, 5, 1, std::int64_t{1} << 40, 7, -2, 4, 6, 1, 0, 2, 5, 3, 4, 1, 6, 7, 2, 3, 5, 1, 4};
  const Numbers extremes{INT64_MIN, INT64_MAX, 0, -1, 1};
  Numbers step;
  for (int i = 10; i < 70; i += 3) step.push_back(i);

  expect_both<RleV1>("0400d704", Numbers(7, -300), true);
  expect_both<RleV1>("7f000a7f000a7f000a7f000a4d000a", Numbers(600, 5), true);
  expect_both<RleV1>("110314", step, true);
  expect_both<RleV1>("f8c801c601c201bc01b401aa019e019001", falling, true);
  expect_both<RleV1>("fa0203d804fff0040a0c", direct, true);
  expect_both<RleV1>("ea060a028080808080400e03080c0200040a0608020c0e04060a0208", patched, true);
  expect_both<RleV1>("fbffffffffffffffffff01feffffffffffffffff01000102", extremes, true);

  expect_both<RleV2>("0c0257", Numbers(7, -300), true);
  expect_both<RleV2>("c1ff0a00c0570a00", Numbers(600, 5), true);
  expect_both<RleV2>("c0131406", step, true);
  expect_both<RleV2>("c407c801014e5dc0", falling, true);
  expect_both<RleV2>("600500010000c04b1387f000500030", direct, true);
  expect_both<RleV2>("86151d2182573290683247563894573603001000000000", patched, true);
  expect_both<RleV2>(
      "7e04fffffffffffffffffffffffffffffffe000000000000000000000000000000010000000000000002",
      extremes, true);
  // The same with the strategy "speed", which widens fields to whole bytes or halves of them.
  expect_decodes<RleV2>("c607c80101234567", falling, true);
  expect_decodes<RleV2>("6e0500000200000300025801387f00000a00000c", direct, true);

  // A gap of 400 takes two entries of the patch list.
  Numbers far(420);
  std::string packed;
  for (int i = 0; i < 420; ++i) far[i] = i == 400 ? 1 << 30 : i * 7 % 4;
  for (int i = 0; i < 420 / 4; ++i) packed += "39";
  expect_both<RleV2>("83a31ae200" + packed + "3fc00000002450000000", far, true);
}

TEST(RleV2Widths, CodesAndWidthsBelongTogether) {
  const std::vector<std::uint32_t> widths{1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                          12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                          23, 24, 26, 28, 30, 32, 40, 48, 56, 64};
  for (std::uint32_t code = 0; code < 32; ++code)
    EXPECT_EQ(codecs::orc::width_of(code), widths[code]);
  for (std::uint32_t bits = 0; bits <= 64; ++bits) {
    EXPECT_EQ(codecs::orc::closest_width(bits),
              *std::lower_bound(widths.begin(), widths.end(), bits));
  }
}

const char* wrong_v1(std::string_view hex, std::uint32_t values) {
  const auto bytes = bytes_of(hex);
  return RleV1::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()), values);
}
const char* wrong_v2(std::string_view hex, std::uint32_t values) {
  const auto bytes = bytes_of(hex);
  return RleV2::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()), values);
}

TEST(OrcStreams, WhatDoesNotConformIsNamed) {
  EXPECT_EQ(wrong_v1("000005", 3), nullptr);
  EXPECT_STREQ(wrong_v1("", 3), "it ends too early");
  EXPECT_STREQ(wrong_v1("00", 3), "it ends too early");
  EXPECT_STREQ(wrong_v1("0000", 3), "a varint is too long or has no end");
  EXPECT_STREQ(wrong_v1("000080", 3), "a varint is too long or has no end");
  EXPECT_STREQ(wrong_v1("ff8080808080808080808001", 1), "a varint is too long or has no end");
  EXPECT_STREQ(wrong_v1("000005", 2), "it has too many values");
  EXPECT_STREQ(wrong_v1("000005", 4), "it ends too early");
  EXPECT_STREQ(wrong_v1("00000500", 3), "it has bytes to spare");

  EXPECT_EQ(wrong_v2("0a2710", 5), nullptr);
  EXPECT_STREQ(wrong_v2("", 5), "it ends too early");
  EXPECT_STREQ(wrong_v2("0a27", 5), "it ends too early");
  EXPECT_STREQ(wrong_v2("5e", 4), "it ends too early");
  EXPECT_STREQ(wrong_v2("5e035ca1ab1edeadbe", 4), "it ends too early");
  EXPECT_STREQ(wrong_v2("5e035ca1ab1edeadbeef", 3), "it has too many values");
  EXPECT_STREQ(wrong_v2("5e035ca1ab1edeadbeef00", 4), "it has bytes to spare");
  EXPECT_STREQ(wrong_v2("8e13", 20), "it ends too early");
  EXPECT_STREQ(wrong_v2("8e132b20", 20), "a group to be patched has no patches");
  EXPECT_STREQ(wrong_v2("8e133f21", 20), "patches have more than 64 bits");
  EXPECT_STREQ(wrong_v2("c60902", 10), "a varint is too long or has no end");
  EXPECT_STREQ(wrong_v2("c6000202", 1), "a group of deltas has a single value");
  EXPECT_EQ(wrong_v2("c0000202", 1), nullptr);
}

}  // namespace
}  // namespace gannet::test
