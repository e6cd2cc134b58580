// rle-v1 and rle-v2: bytes of the specification and of ORC's library, round trips in every type and
// every way of decoding, and bytes that no encoder wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/orc_values.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::ListView;
using codecs::Parameters;
using codecs::RleV1;
using codecs::RleV2;
using codecs::SerialLanes;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int64_t>;

Bytes bytes_of(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Words words_of(const Bytes& bytes) {
  Words words((bytes.size() + 3) / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// Decodes a stream that strip_fault() has accepted.
template <class Codec>
Numbers decoded_stream(const Bytes& bytes, std::size_t count, bool is_signed) {
  const FencedWords words(words_of(bytes), kBehind);
  codecs::MemoryInput<Codec::order> input(
      {words.data(), 0, static_cast<std::uint32_t>(bytes.size())});
  typename Codec::template Decoder<std::uint64_t> decoder(is_signed);
  std::vector<std::uint64_t> values(count);
  codecs::HostOutput<std::uint64_t> output({}, values.data(), static_cast<std::uint32_t>(count));
  codecs::decode_symbols(decoder, input, output);
  EXPECT_EQ(input.byte_position(), bytes.size());
  return {values.begin(), values.end()};
}

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
  for (std::uint32_t code = 0; code < 32; ++code) EXPECT_EQ(RleV2::width_of(code), widths[code]);
  for (std::uint32_t bits = 0; bits <= 64; ++bits) {
    EXPECT_EQ(RleV2::closest_width(bits), *std::lower_bound(widths.begin(), widths.end(), bits));
  }
}

/// An output whose end is watched, aligned to 16 bytes, as wide as a chunk wants it.
template <class T>
class Fenced {
 public:
  explicit Fenced(std::size_t count)
      : words_((count * sizeof(T) + 15) / 16 * 4, kBehind), count_(count) {}
  T* data() const { return reinterpret_cast<T*>(words_.data()); }
  std::vector<T> copy() const { return {data(), data() + count_}; }

 private:
  FencedWords words_;
  std::size_t count_;
};

/// Decodes all chunks by `decode(column, chunk, out)`.
template <class T, class Decode>
std::vector<T> decoded_column(const FencedWords& words, std::size_t count, Decode decode) {
  const Fenced<T> out(count);
  const ListView column{words.data(), static_cast<std::uint32_t>(count)};
  const std::uint32_t chunk_values = words.data()[0];
  for (std::uint32_t i = 0; i < codecs::chunk_count(column.count, chunk_values); ++i) {
    decode(column, i, out.data() + std::size_t{i} * chunk_values);
  }
  return out.copy();
}

/// A strip a lane, from the column or from a copy of the chunk in scratch memory.
template <class Codec, class T, bool staged>
std::vector<T> decoded_by_strips(const FencedWords& exact, std::size_t count) {
  // Chunks that are not staged are followed by a readable word, as on the device.
  Words padded = exact.copy();
  padded.push_back(0xffffffff);
  const FencedWords words(padded, kBehind);
  using Column = typename Codec::Column;
  return decoded_column<T>(words, count, [&](ListView column, std::uint32_t chunk, T* out) {
    const std::uint32_t stage = staged ? Column::strip_words(column, chunk) + 1 : 0;
    const FencedWords scratch((Column::kRowWords + stage + 3) / 4 * 4, kBehind);
    if constexpr (staged) {
      Column::template decode_staged_strips<T>(SerialLanes{}, column, chunk, scratch.data(), out);
    } else {
      Column::template decode_strips<T>(SerialLanes{}, column, chunk, scratch.data(), out);
    }
  });
}

template <class Codec, class T>
std::vector<T> decoded_serially(const FencedWords& words, std::size_t count) {
  return decoded_column<T>(words, count, [&](ListView column, std::uint32_t chunk, T* out) {
    Codec::template decode_chunk<T>(SerialLanes{}, column, chunk, nullptr, out);
  });
}

template <class Codec>
class Orc : public ::testing::Test {};
using OrcCodecs = ::testing::Types<RleV1, RleV2>;
TYPED_TEST_SUITE(Orc, OrcCodecs, CodecNames);

template <class Codec, class T>
Words encoded_column(const std::vector<T>& values, const std::string& parameters = "") {
  Words words;
  Codec::template encode<T>(values, Parameters(parameters), words);
  return words;
}

template <class Codec, class T>
void check_round_trip(const std::vector<T>& values, const std::string& parameters) {
  using U = std::make_unsigned_t<T>;
  const FencedWords words(encoded_column<Codec>(values, parameters), kBehind);
  Codec::template validate<T>(words.span(), static_cast<std::uint32_t>(values.size()));
  const std::vector<U> expected(values.begin(), values.end());
  ASSERT_EQ((decoded_serially<Codec, T>(words, values.size())), values);
  ASSERT_EQ((decoded_serially<Codec, U>(words, values.size())), expected);
  ASSERT_EQ((decoded_by_strips<Codec, U, false>(words, values.size())), expected);
  ASSERT_EQ((decoded_by_strips<Codec, U, true>(words, values.size())), expected);
}

template <class Codec, class T>
void check_type() {
  for (const std::string& structure : kRunStructures) {
    SCOPED_TRACE(structure);
    for (const std::uint32_t count : {0u, 1u, 3u, 129u, 2049u, 9000u}) {
      SCOPED_TRACE(count);
      const auto numbers = numbers_in(structure, count, count);
      check_round_trip<Codec>(values_of<T>(numbers), "");
      if (count == 2049) check_round_trip<Codec>(values_of<T>(numbers), "chunk=2048");
    }
  }
  for (const std::string structure : {"mixed", "long runs", "wide outliers", "any width"}) {
    check_round_trip<Codec>(values_of<T>(numbers_in(structure, 70000)), "chunk=65536");
  }
}

TYPED_TEST(Orc, SignedColumnsComeBackInEveryWay) {
  check_type<TypeParam, std::int8_t>();
  check_type<TypeParam, std::int16_t>();
  check_type<TypeParam, std::int32_t>();
  check_type<TypeParam, std::int64_t>();
}

TYPED_TEST(Orc, UnsignedColumnsComeBackInEveryWay) {
  check_type<TypeParam, std::uint8_t>();
  check_type<TypeParam, std::uint16_t>();
  check_type<TypeParam, std::uint32_t>();
  check_type<TypeParam, std::uint64_t>();
}

/// Every width, with and without values that need more, ascending and not.
TYPED_TEST(Orc, EveryWidthComesBack) {
  Random random(5);
  const auto wide = [&] { return std::uint64_t{random()} << 32 | random(); };
  for (std::uint32_t width = 1; width <= 64; ++width) {
    std::vector<std::uint64_t> plain(600);
    for (auto& value : plain) value = wide() >> (64 - width);
    std::vector<std::uint64_t> ascending = plain;
    for (std::size_t i = 1; i < 600; ++i) ascending[i] = ascending[i - 1] + (plain[i] >> 9);
    std::vector<std::uint64_t> outliers = plain;
    for (std::size_t i = 30; i < 600; i += 1 + random() % 100)
      outliers[i] = wide() >> random() % 64;
    for (const auto& values : {plain, ascending, outliers}) {
      SCOPED_TRACE(width);
      check_round_trip<TypeParam>(values, "");
      check_round_trip<TypeParam>(values_of<std::int64_t>(values), "");
    }
  }
}

TYPED_TEST(Orc, TheLargestChunksComeBack) {
  check_round_trip<TypeParam>(values_of<std::uint64_t>(numbers_in("any width", 140000)),
                              "chunk=131072");
  check_round_trip<TypeParam>(values_of<std::int16_t>(numbers_in("mixed", 140000)), "chunk=131072");
}

TYPED_TEST(Orc, ParametersAreChecked) {
  const std::vector<std::int32_t> values(10);
  for (const std::string wrong : {"chunk=0", "chunk=2047", "chunk=3000", "chunk=133120", "x=1"}) {
    EXPECT_THROW(encoded_column<TypeParam>(values, wrong), UsageError) << wrong;
  }
}

// Bytes that no encoder wrote.

template <class Codec, class T>
bool accepts(std::span<const std::uint32_t> words, std::uint32_t count) {
  try {
    Codec::template validate<T>(words, count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(Codec::name)));
    return false;
  }
}

/// The fences catch whoever leaves the column; all ways must agree.
template <class Codec, class T>
void decode_all(std::span<const std::uint32_t> words, std::uint32_t count) {
  const FencedWords fenced(words, kBehind);
  const auto expected = decoded_serially<Codec, T>(fenced, count);
  ASSERT_EQ((decoded_by_strips<Codec, T, false>(fenced, count)), expected);
  ASSERT_EQ((decoded_by_strips<Codec, T, true>(fenced, count)), expected);
}

TYPED_TEST(Orc, DamagedColumnsAreRefusedOrStayInside) {
  std::size_t accepted = 0;
  for (const std::string& structure : kRunStructures) {
    Random random(9);
    const Words words =
        encoded_column<TypeParam>(values_of<std::uint64_t>(numbers_in(structure, 3000)));
    for (int round = 0; round < 300; ++round) {
      Words damaged = words;
      for (std::uint32_t i = 0; i < 1 + random() % 3; ++i) {
        const std::size_t reach =
            random() % 2 == 0 ? std::min<std::size_t>(words.size(), 40) : words.size();
        std::uint32_t& word = damaged[random() % reach];
        word = random() % 4 == 0 ? random() : word ^ 1u << random() % 32;
      }
      const FencedWords fenced(damaged, kBehind);
      if (!accepts<TypeParam, std::uint64_t>(fenced.span(), 3000)) continue;
      ++accepted;
      decode_all<TypeParam, std::uint64_t>(damaged, 3000);
      decode_all<TypeParam, std::uint8_t>(damaged, 3000);
    }
  }
  EXPECT_GT(accepted, 100u);
}

/// Every place of the index, one by one.
TYPED_TEST(Orc, TheIndexIsChecked) {
  const Words words = encoded_column<TypeParam>(
      values_of<std::uint32_t>(numbers_in("literals", 5000)), "chunk=4096");
  const auto refusal = [&](std::size_t at, std::uint32_t value, const std::string& why) {
    Words damaged = words;
    damaged[at] = value;
    EXPECT_THAT(([&] { TypeParam::template validate<std::uint32_t>(damaged, 5000); }),
                ThrowsMessage<FormatError>(HasSubstr(why)))
        << at;
  };
  refusal(0, 0, "chunks cannot have so many");
  refusal(0, 4097, "chunks cannot have so many");
  refusal(0, 1u << 31, "chunks cannot have");
  refusal(1, 1, "whether values are signed");
  refusal(1, 7, "whether values are signed");
  refusal(2, words[2] + 1, "first chunk does not follow");
  refusal(3, words[3] - 1, "block 0:");
  refusal(4, words[4] + 1, "its chunks take");
  refusal(words[2], 0, "block 0: it ends too early");
  refusal(words[2], words[2] + (1u << 20), "block 0:");
  refusal(words[3], words[words[3]] | 0xffff0000, "block 1: it is cut off");
  refusal(words[3] + 15, 0x00010000, "block 1: a strip beyond its end has bytes");
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

/// A decoder of version 2 that follows the specification's text, number by number.
class PlainRleV2 {
 public:
  PlainRleV2(const Bytes& bytes, bool is_signed) : bytes_(bytes), is_signed_(is_signed) {}

  std::vector<std::uint64_t> all() {
    while (bit_ / 8 < bytes_.size()) group();
    return values_;
  }

 private:
  std::uint64_t bits(std::uint32_t n) {
    std::uint64_t value = 0;
    for (; n > 0; --n, ++bit_) value = value << 1 | (bytes_[bit_ / 8] >> (7 - bit_ % 8) & 1);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (std::uint32_t shift = 0;; shift += 7) {
      const std::uint64_t byte = bits(8);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  static std::uint64_t signed_of(std::uint64_t x) { return x % 2 == 0 ? x / 2 : ~(x / 2); }
  std::uint64_t value_of(std::uint64_t x) const { return is_signed_ ? signed_of(x) : x; }
  static std::uint32_t width_of(std::uint64_t code) {
    constexpr std::uint32_t kWide[] = {26, 28, 30, 32, 40, 48, 56, 64};
    return code < 24 ? static_cast<std::uint32_t>(code) + 1 : kWide[code - 24];
  }
  void align() { bit_ = (bit_ + 7) / 8 * 8; }

  void group() {
    const std::uint64_t kind = bits(2);
    if (kind == 0) {
      const auto size = static_cast<std::uint32_t>(bits(3) + 1);
      const std::uint64_t length = bits(3) + 3;
      const std::uint64_t value = value_of(bits(8 * size));
      values_.insert(values_.end(), length, value);
      return;
    }
    const std::uint64_t code = bits(5);
    const std::uint64_t length = bits(9) + 1;
    if (kind == 1) {
      for (std::uint64_t i = 0; i < length; ++i) values_.push_back(value_of(bits(width_of(code))));
    } else if (kind == 2) {
      patched(width_of(code), length);
    } else {
      deltas(code, length);
    }
    align();
  }

  void deltas(std::uint64_t code, std::uint64_t length) {
    std::uint64_t value = value_of(varint());
    const std::uint64_t first = signed_of(varint());
    values_.push_back(value);
    for (std::uint64_t i = 1; i < length; ++i) {
      const bool falls = static_cast<std::int64_t>(first) < 0;
      std::uint64_t delta = first;
      if (i > 1 && code != 0) {
        delta = bits(width_of(code));
        if (falls) delta = 0 - delta;
      }
      values_.push_back(value += delta);
    }
  }

  void patched(std::uint32_t width, std::uint64_t length) {
    const auto base_bytes = static_cast<std::uint32_t>(bits(3) + 1);
    const std::uint32_t patch_width = width_of(bits(5));
    const auto gap_width = static_cast<std::uint32_t>(bits(3) + 1);
    const std::uint64_t patches = bits(5);
    const bool negative = bits(1) == 1;
    std::uint64_t base = bits(8 * base_bytes - 1);
    if (negative) base = 0 - base;
    std::vector<std::uint64_t> packed(length);
    for (auto& value : packed) value = bits(width);
    align();
    std::uint32_t entry = gap_width + patch_width;
    std::uint64_t code = 0;
    while (width_of(code) < entry) ++code;
    entry = width_of(code);
    std::uint64_t at = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < patches; ++i) {
      bits(entry - gap_width - patch_width);
      const std::uint64_t gap = bits(gap_width);
      const std::uint64_t patch = bits(patch_width);
      at += gap;
      if (gap == 255 && patch == 0) continue;
      // As in ORC's reader, which looks for one place after the other, a patch for the place of the
      // one before is none, and ends them.
      if (at == last) at = length;
      if (at < length && width < 64) packed[at] |= patch << width;
      last = at;
    }
    for (const std::uint64_t value : packed) values_.push_back(base + value);
  }

  const Bytes& bytes_;
  bool is_signed_;
  std::size_t bit_ = 0;
  std::vector<std::uint64_t> values_;
};

/// A random group of a random kind, conforming but nothing that a writer would choose.
void put_random_group(Random& random, Bytes& bytes) {
  const auto put = [&](std::uint32_t byte) { bytes.push_back(static_cast<std::uint8_t>(byte)); };
  const auto put_random = [&](std::size_t count) {
    for (; count > 0; --count) put(random() % 4 == 0 ? 0xff : random() & 0xff);
  };
  const std::uint32_t kind = random() % 4;
  if (kind == 0) {
    const std::uint32_t header = random() % 64;
    put(header);
    put_random(header / 8 + 1);
    return;
  }
  const std::uint32_t code = random() % 32;
  const std::uint32_t width = RleV2::width_of(code);
  std::uint32_t length = random() % 3 == 0 ? 1 + random() % 512 : 1 + random() % 9;
  if (kind == 3 && length < 2) length = 2;
  put(kind << 6 | code << 1 | (length - 1) >> 8);
  put((length - 1) & 0xff);
  if (kind == 1) return put_random((length * width + 7) / 8);
  if (kind == 3) {
    for (int i = 0; i < 2; ++i) {
      for (std::uint32_t more = random() % 9; more > 0; --more) put(128 + random() % 128);
      put(random() % 128);
    }
    return put_random(code == 0 ? 0 : ((length - 2) * width + 7) / 8);
  }
  const std::uint32_t base_bytes = 1 + random() % 8;
  const std::uint32_t gap_width = 1 + random() % 8;
  std::uint32_t patch_code = random() % 32;
  while (RleV2::width_of(patch_code) + gap_width > 64) patch_code = random() % 32;
  const std::uint32_t patches = 1 + random() % 31;
  put((base_bytes - 1) << 5 | patch_code);
  put((gap_width - 1) << 5 | patches);
  put_random(base_bytes + (length * width + 7) / 8);
  put_random((patches * RleV2::closest_width(gap_width + RleV2::width_of(patch_code)) + 7) / 8);
}

TEST(OrcStreams, AnyConformingVersion2StreamIsDecodedAsSpecified) {
  Random random(77);
  for (int round = 0; round < 3000; ++round) {
    Bytes bytes;
    for (std::uint32_t groups = 1 + random() % 4; groups > 0; --groups) {
      put_random_group(random, bytes);
    }
    const bool is_signed = random() % 2 == 0;
    const auto expected = PlainRleV2(bytes, is_signed).all();
    const char* wrong = RleV2::strip_fault(bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                                           static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(wrong, nullptr) << wrong;
    ASSERT_EQ(decoded_stream<RleV2>(bytes, expected.size(), is_signed),
              Numbers(expected.begin(), expected.end()))
        << "round " << round;
  }
}

}  // namespace
}  // namespace gannet::test
