// rle-v1 and rle-v2 as columns: round trips in every type and every way of decoding, and bytes that
// no encoder wrote.
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
Words coded_in_orc(const std::vector<T>& values, const std::string& parameters = "") {
  Words words;
  Codec::template encode<T>(values, Parameters(parameters), words);
  return words;
}

template <class Codec, class T>
void check_round_trip(const std::vector<T>& values, const std::string& parameters) {
  using U = std::make_unsigned_t<T>;
  const FencedWords words(coded_in_orc<Codec>(values, parameters), kBehind);
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
    EXPECT_THROW(coded_in_orc<TypeParam>(values, wrong), UsageError) << wrong;
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
        coded_in_orc<TypeParam>(values_of<std::uint64_t>(numbers_in(structure, 3000)));
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
  const Words words =
      coded_in_orc<TypeParam>(values_of<std::uint32_t>(numbers_in("literals", 5000)), "chunk=4096");
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

}  // namespace
}  // namespace gannet::test
