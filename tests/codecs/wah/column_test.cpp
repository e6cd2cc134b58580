// The chunk codec wah: its bytes, all shapes of columns, and bytes that no encoder wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "codecs/wah/wah_column.hpp"

namespace gannet::codecs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

template <class T>
class WahColumnOf : public ::testing::Test {
 protected:
  using Codec = WahColumn<std::make_unsigned_t<T>>;

  static Words encoded(const std::vector<T>& values) {
    Words words;
    Codec::template encode<T>(values, {}, words);
    return words;
  }

  static std::vector<T> decoded(const Words& words, std::uint32_t count) {
    constexpr std::uint32_t kChunk = Codec::kChunkValues;
    std::vector<T> out(count);
    alignas(16) std::uint32_t scratch[Codec::template scratch_words<T>];
    for (std::uint32_t chunk = 0; chunk < chunk_count(count, kChunk); ++chunk) {
      Codec::decode_chunk(SerialLanes{}, {words.data(), count}, chunk, scratch,
                          out.data() + std::size_t{chunk} * kChunk);
    }
    return out;
  }

  static void expect_round_trip(const std::vector<T>& values) {
    const auto count = static_cast<std::uint32_t>(values.size());
    const Words words = encoded(values);
    ASSERT_NO_THROW(Codec::template validate<T>(words, count));
    ASSERT_EQ(decoded(words, count), values);
  }
};
using Types = ::testing::Types<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(WahColumnOf, Types);

TYPED_TEST(WahColumnOf, RoundTripsOfEveryShape) {
  using T = TypeParam;
  constexpr std::uint32_t kChunk = TestFixture::Codec::kChunkValues;
  std::mt19937_64 random(5);
  for (const std::uint32_t count : {0u, 1u, 2u, 30u, 31u, 32u, 62u, 63u, 64u, kChunk - 1, kChunk,
                                    kChunk + 1, 3 * kChunk, 3 * kChunk + 17}) {
    std::vector<T> values(count);
    this->expect_round_trip(values);
    this->expect_round_trip(std::vector<T>(count, static_cast<T>(-1)));
    for (const std::uint64_t mask : {1u, 3u, 63u, 4095u}) {
      // Words of zeros, of ones and random ones, in runs whose lengths are about `mask`.
      for (std::size_t i = 0; i < count;) {
        const std::uint64_t kind = random() % 4;
        const std::size_t end = std::min<std::size_t>(count, i + 1 + (random() & mask));
        for (; i < end; ++i) {
          values[i] = static_cast<T>(kind == 0 ? 0u : kind == 1 ? ~std::uint64_t{0} : random());
        }
      }
      this->expect_round_trip(values);
    }
    for (auto& value : values) value = static_cast<T>(std::uint64_t{1} << (random() % 64));
    this->expect_round_trip(values);
  }
}

TYPED_TEST(WahColumnOf, SignedColumnsHaveTheBytesOfTheirUnsignedTwins) {
  using U = std::make_unsigned_t<TypeParam>;
  const auto all = static_cast<TypeParam>(-1);
  const std::vector<TypeParam> values{0, all, 5, all, all, 7};
  Words twin;
  const std::vector<U> bits(values.begin(), values.end());
  TestFixture::Codec::template encode<U>(bits, {}, twin);
  EXPECT_EQ(this->encoded(values), twin);
}

TEST(WahColumnBytes, ByHand) {
  // Bits 0..61 are ones (two groups of 31), bit 62 is 0, bit 63 is 1, then zeros to bit 95.
  const std::vector<std::uint32_t> values{0xffffffffu, 0xbfffffffu, 0};
  Words words;
  Wah32::encode<std::uint32_t>(values, {}, words);
  // One chunk of 3 atoms: ones twice; a literal whose second row is set; the last 3 bits.
  EXPECT_THAT(words, ElementsAre(0u, 3u, 0xc0000002u, 0x20000000u, 0x80000001u));
}

TEST(WahColumnBytes, FillsEndWithTheirChunk) {
  const std::vector<std::uint64_t> values(2 * Wah64::kChunkValues + 1, ~std::uint64_t{0});
  Words words;
  Wah64::encode<std::uint64_t>(values, {}, words);
  // 64 bits are left: a group of 63 ones, and a literal with its first row.
  EXPECT_THAT(words, ElementsAre(0u, 1u, 2u, 4u, 1024u, 0xc0000000u, 1024u, 0xc0000000u, 1u,
                                 0xc0000000u, 0u, 0x40000000u));
}

TEST(WahColumnBytes, AppendsBehindWhatIsThere) {
  const std::vector<std::uint32_t> values(2000, 0x12345678);
  Words alone;
  Wah32::encode<std::uint32_t>(values, {}, alone);
  Words behind{7, 8, 9};
  Wah32::encode<std::uint32_t>(values, {}, behind);
  behind.erase(behind.begin(), behind.begin() + 3);
  EXPECT_EQ(behind, alone);
}

TEST(WahColumnBytes, UnknownParametersAreRefused) {
  Words words;
  EXPECT_THROW(Wah32::encode<std::uint32_t>({}, Parameters("bits=3"), words), UsageError);
}

}  // namespace
}  // namespace gannet::codecs
