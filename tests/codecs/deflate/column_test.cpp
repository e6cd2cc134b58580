// The codec deflate: columns of every type in chunks, and what its validator refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/deflate/deflate.hpp"
#include "tests/support/codecs/byte_values.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Deflate;
using codecs::ListView;
using codecs::Parameters;
using codecs::SerialLanes;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T>
class DeflateColumns : public ::testing::Test {};
using ValueTypes = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                    std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(DeflateColumns, ValueTypes);

template <class T>
std::vector<T> some_values(std::size_t count, std::uint32_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  T value = 0;
  for (auto& each : values) {
    if (random() % 5 == 0) value = static_cast<T>(random());
    each = value;
  }
  return values;
}

template <class T>
Words encode_values(const std::vector<T>& values, const std::string& parameters) {
  Words words;
  Deflate::encode<T>(values, Parameters(parameters), words);
  return words;
}

template <class T>
std::vector<T> decode_values(const Words& words, std::uint32_t count) {
  const FencedWords fenced(words, kBehind);
  const std::uint32_t chunk_values = Deflate::chunk_values<T>(fenced.data());
  Words scratch(Deflate::scratch_words<T>);
  std::vector<T> values(count);
  for (std::uint32_t i = 0; i < codecs::chunk_count(count, chunk_values); ++i) {
    Deflate::decode_chunk<T>(SerialLanes{}, ListView{fenced.data(), count}, i, scratch.data(),
                             values.data() + std::size_t{i} * chunk_values);
  }
  return values;
}

TYPED_TEST(DeflateColumns, LengthsAroundChunks) {
  using T = TypeParam;
  constexpr std::uint32_t kChunk = 1024 / sizeof(T);
  for (const std::uint32_t count : {0u, 1u, 2u, kChunk - 1, kChunk, kChunk + 1, 2 * kChunk - 1,
                                    2 * kChunk, 5 * kChunk + 3, 40 * kChunk}) {
    const auto values = some_values<T>(count);
    const Words words = encode_values(values, "chunk=1");
    EXPECT_EQ(Deflate::chunk_values<T>(words.data()), kChunk);
    EXPECT_NO_THROW(Deflate::validate<T>(words, count));
    ASSERT_EQ(decode_values<T>(words, count), values) << count;
  }
}

TYPED_TEST(DeflateColumns, LevelsAndChunks) {
  using T = TypeParam;
  const auto values = some_values<T>(150000 / sizeof(T));
  const auto count = static_cast<std::uint32_t>(values.size());
  for (const char* parameters : {"", "level=0", "level=1", "level=6,chunk=3", "chunk=1024"}) {
    const Words words = encode_values(values, parameters);
    EXPECT_NO_THROW(Deflate::validate<T>(words, count)) << parameters;
    ASSERT_EQ(decode_values<T>(words, count), values) << parameters;
  }
}

TEST(DeflateColumn, TheHeaderByHand) {
  const std::vector<std::uint8_t> values{'a'};
  EXPECT_EQ(encode_values(values, ""), (Words{128 << 10, 3, 4, 0x0000044b}));
  EXPECT_EQ(encode_values(std::vector<std::uint8_t>{}, "chunk=2"), (Words{2048, 2}));
}

TEST(DeflateColumn, AppendsBehindWhatIsThere) {
  Words words{7, 8, 9};
  Deflate::encode<std::uint8_t>(text_bytes(3000), Parameters("chunk=1"), words);
  EXPECT_EQ(Words(words.begin() + 3, words.end()), encode_values(text_bytes(3000), "chunk=1"));
}

TEST(DeflateColumn, ChunksDoNotLookBack) {
  const Bytes bytes = repeated_bytes(8192, 1024);
  const Words words = encode_values(bytes, "chunk=1");
  // Noise: every chunk must hold all of it again.
  EXPECT_GT(words.size() * 4, 8192u);
  EXPECT_LT(encode_values(bytes, "chunk=8").size() * 4, 1300u);
}

TEST(DeflateColumn, ParametersThatMakeNoSense) {
  const std::vector<std::uint8_t> values(10);
  for (const char* parameters : {"level=10", "chunk=0", "chunk=1025", "speed=3"}) {
    EXPECT_THROW(encode_values(values, parameters), UsageError) << parameters;
  }
}

std::string refusal(const Words& words, std::uint32_t count) {
  const FencedWords fenced(words, kBehind);
  try {
    Deflate::validate<std::uint8_t>(fenced.span(), count);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DeflateColumn, WhatTheValidatorRefuses) {
  const Words good = encode_values(text_bytes(5000), "chunk=1");
  ASSERT_EQ(refusal(good, 5000), "accepted");
  EXPECT_THAT(refusal({}, 0), HasSubstr("deflate: it is cut off"));
  EXPECT_THAT(refusal({1024}, 0), HasSubstr("cut off"));
  EXPECT_THAT(refusal({1024, 3}, 5000), HasSubstr("cut off"));
  EXPECT_THAT(refusal(good, 4999), HasSubstr("deflate: block 4: it is not"));
  EXPECT_THAT(refusal(good, 5001), HasSubstr("deflate: block 4: it has 904 bytes, not 905"));
  EXPECT_THAT(refusal(good, 9000), HasSubstr("first chunk"));
  EXPECT_THAT(refusal(good, codecs::kMaxListLength + 1), HasSubstr("cannot have"));
  for (const std::uint32_t chunk : {0u, 1u, 1023u, 1025u, 2u << 20}) {
    Words words = good;
    words[0] = chunk;
    EXPECT_THAT(refusal(words, 5000), HasSubstr("chunks cannot have")) << chunk;
  }
  Words words = good;
  words[3] = words[4] + 1;
  EXPECT_THAT(refusal(words, 5000), HasSubstr("block 2: it does not end inside"));
  words = good;
  words[3] = 0x7fffffff;
  EXPECT_THAT(refusal(words, 5000), HasSubstr("block 1: it does not end inside"));
  words = good;
  words.push_back(0);
  EXPECT_THAT(refusal(words, 5000), HasSubstr("its chunks end at"));
  ++words[6];
  EXPECT_THAT(refusal(words, 5000), HasSubstr("block 4: something follows its stream"));
}

TEST(DeflateColumn, PaddingIsZero) {
  bool padded = false;
  for (std::uint32_t count = 1; count < 40; ++count) {
    Words words = encode_values(text_bytes(count), "chunk=1");
    words.back() |= 0x80000000u;
    const std::string verdict = refusal(words, count);
    padded = padded || verdict.find("something follows") != std::string::npos;
  }
  EXPECT_TRUE(padded);
}

}  // namespace
}  // namespace gannet::test
