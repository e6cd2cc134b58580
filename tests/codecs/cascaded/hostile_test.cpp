// Codec `cascaded`: bytes that no encoder wrote are refused, or decoding them stays inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/cascaded/cascaded.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/column_values.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Cascaded;
using ::testing::HasSubstr;

template <class T>
class CascadedHostile : public ::testing::Test {};
TYPED_TEST_SUITE(CascadedHostile, AllValueTypes);

TYPED_TEST(CascadedHostile, RandomWordsAreRefusedOrSafe) {
  Random random(7);
  for (std::uint32_t round = 0; round < 2000; ++round) {
    Words words = uniform(3 + random() % 64, 1 + random() % 32, round);
    words[0] = random() % 3 | random() % 3 << 8 | 1u << 16;
    words[1] = 128;
    const std::uint32_t count = random() % 300;
    if (random() % 2 == 0) words[2] = 3 + (count + 127) / 128;
    const FencedWords list(words, kBehind);
    if (column_accepted<Cascaded, TypeParam>(list.span(), count)) {
      decoded_column<Cascaded, TypeParam>(words, count);
    }
  }
}

TEST(CascadedMessages, NameTheChunkAndTheFault) {
  const auto values = random_runs<std::int32_t>(600, 5, 12);
  const Words good = encoded_column<Cascaded>(values, "rles=1,deltas=1,chunk=256");
  const std::uint32_t second = good[3];
  const auto refusal = [&](std::size_t at, std::uint32_t word) {
    Words words = good;
    words[at] = word;
    return column_refusal<Cascaded, std::int32_t>(words, 600);
  };
  EXPECT_EQ(refusal(0, good[0]), "accepted");
  EXPECT_THAT(refusal(0, good[0] | 8), HasSubstr("cascaded: it has too many run-length layers"));
  EXPECT_THAT(refusal(0, good[0] | 8 << 8), HasSubstr("too many delta layers"));
  EXPECT_THAT(refusal(0, good[0] | 2 << 16), HasSubstr("neither on nor off"));
  EXPECT_THAT(refusal(1, 100), HasSubstr("multiple of 128"));
  EXPECT_THAT(refusal(1, 0), HasSubstr("multiple of 128"));
  EXPECT_THAT(refusal(1, 4096), HasSubstr("too many"));
  EXPECT_THAT(refusal(3, second + 1), HasSubstr("block 0: something follows"));
  EXPECT_THAT(refusal(5, good[5] + 1), HasSubstr("its chunks take"));
  EXPECT_THAT(refusal(second, good[second] | 127u << 25), HasSubstr("block 1: its values are too"));
  EXPECT_THAT(refusal(second, good[second] | 15u << 12), HasSubstr("block 1: its run lengths are"));
  EXPECT_THAT(refusal(second, good[second] + (1u << 16)), HasSubstr("block 1: its runs have"));
  EXPECT_THAT(refusal(second + 3, ~good[second + 3]), HasSubstr("block 1: its runs have"));
}

}  // namespace
}  // namespace gannet::test
