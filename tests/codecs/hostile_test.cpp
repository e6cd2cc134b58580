// What validate() says of bytes that no encoder wrote. (That decoding others stays inside:
// tile_kit.hpp.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The message of the FormatError that validate() throws.
template <class C>
std::string refusal(const Words& words, std::uint32_t count) {
  try {
    C::validate(words, count);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HostileMessages, GpuBpNamesTheBlock) {
  using C = codecs::GpuBp<128>;
  const Words good = test::encoded<C>(uniform(500, 6));
  Words words = good;
  words[2] -= 1;
  EXPECT_THAT(refusal<C>(words, 500), AllOf(HasSubstr("gpu-bp128: block 1"), HasSubstr("bits")));
  words = good;
  std::swap(words[1], words[3]);
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("block 1: it ends before it starts"));
  words = good;
  words[3] += 4 * 30;
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("block 2: its values have more than 32 bits"));
  words = good;
  words[0] = 4;
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("first endpoint"));
}

TEST(HostileMessages, GpuVbyteNamesTheBlock) {
  using C = codecs::GpuVbyte<128>;
  const Words good = test::encoded<C>(uniform(500, 12));
  Words words = good;
  words[5] ^= 1;  // the first selectors of block 0: a value gets longer or shorter
  words[6] ^= 1;
  words[7] ^= 1;
  words[8] ^= 0x55555555u;
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("gpu-vbyte128: block 0: its length"));
  words = good;
  words[2] += 2;
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("block 1: it does not end on a word"));
  words = good;
  words[5 + good[3] / 4] = 33;
  EXPECT_THAT(refusal<C>(words, 500), HasSubstr("block 3: its values have more than 32 bits"));
}

TEST(HostileMessages, GpuDforNamesTheBlock) {
  using C = codecs::GpuDfor;
  const Words good = test::encoded<C>(uniform(700, 12));
  Words words = good;
  words[4 + 3] += 1;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("gpu-dfor: block 3"));
  words = good;
  words[good[4 + 5] + 1] = 0x0c0c0c21u;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("block 5: its values have more than 32 bits"));
  words = good;
  words[2] = 701;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("another number of values"));
}

TEST(HostileMessages, GpuForNamesTheBlock) {
  using C = codecs::GpuFor;
  const Words good = test::encoded<C>(uniform(700, 12));
  Words words = good;
  words[4 + 3] += 1;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("gpu-for: block 3: it does not start"));
  words = good;
  words[good[4 + 5] + 1] = 0x0c0c210cu;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("block 5: its values have more than 32 bits"));
  words = good;
  words[1] = 5;
  EXPECT_THAT(refusal<C>(words, 700), HasSubstr("header"));
}

/// Every way in which the numbers of a block of gpu-rfor can contradict each other.
TEST(HostileMessages, GpuRforNamesTheBlock) {
  using C = codecs::GpuRfor;
  const Words good = test::encoded<C>(runs(1500, 5, 9));
  const std::uint32_t values = good[4 + 2];                               // block 2
  const std::uint32_t lengths = good[4 + 3] + good[good[4 + 3] + 4 + 2];  // its run lengths
  const auto changed = [&](std::size_t word, std::uint32_t to) {
    Words words = good;
    words[word] = to;
    return refusal<C>(words, 1500);
  };
  EXPECT_THAT(changed(4 + 2, values + 1), HasSubstr("gpu-rfor: block 2: it does not start"));
  EXPECT_THAT(changed(values + 1, 0x09090908u),
              HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(values + 1, 0x21212121u),
              HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(values + 2, 0), HasSubstr("block 2: it cannot have so many"));
  EXPECT_THAT(changed(values + 2, 477), HasSubstr("block 2: it cannot have so many"));
  EXPECT_THAT(changed(lengths + 1, 0x0a0a0a0au),
              HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(lengths, 0), HasSubstr("block 2: it has impossible run lengths"));
  EXPECT_THAT(changed(lengths, 0xffffffffu), HasSubstr("impossible run lengths"));
  EXPECT_THAT(changed(lengths, good[lengths] + 1), HasSubstr("block 2: its runs have"));
  EXPECT_THAT(changed(lengths + 3, good[lengths + 3] ^ 1), HasSubstr("not as many values"));
  EXPECT_THAT(changed(2, 1499), HasSubstr("another number of values"));
}

TEST(HostileMessages, GpuRforCountsTheRunsOfBothStreams) {
  using C = codecs::GpuRfor;
  // Blocks of one value each in one stream, and of two in the other: each by itself is sound.
  Words words = test::encoded<C>(Words{3, 3});
  const Words two = test::encoded<C>(Words{3, 4});
  ASSERT_EQ(words[4 + 1], 9u);
  words.erase(words.begin(), words.begin() + 9);
  words.insert(words.begin(), two.begin(), two.begin() + two[5]);
  EXPECT_THAT(refusal<C>(words, 2), HasSubstr("block 0: it has more values than run lengths"));
}

TEST(HostileMessages, NsfAndNsv) {
  Words words = test::encoded<codecs::Nsf>(uniform(100, 8));
  words[0] = 3;
  EXPECT_THAT(refusal<codecs::Nsf>(words, 100), HasSubstr("nsf: values cannot have so many bytes"));
  words = test::encoded<codecs::Nsv>(uniform(1100, 12));
  words[1] += 1;
  EXPECT_THAT(refusal<codecs::Nsv>(words, 1100), HasSubstr("nsv: block 0: its size"));
  words = test::encoded<codecs::Nsv>(uniform(1100, 12));
  words[4 + 40] ^= 1;
  EXPECT_THAT(refusal<codecs::Nsv>(words, 1100), HasSubstr("nsv: block 1: its size"));
}

/// An empty list has no blocks: only frame_fault() can find words behind the index.
template <class C>
void expect_no_words_to_spare() {
  Words words = test::encoded<C>(Words{});
  EXPECT_EQ(refusal<C>(words, 0), "accepted");
  words.push_back(0);
  words[4] = static_cast<std::uint32_t>(words.size());
  EXPECT_THAT(refusal<C>(words, 0), HasSubstr("it has not as many words as its blocks take"));
}

TEST(HostileMessages, EmptyListsOfMiniblocksHaveNoWordsToSpare) {
  expect_no_words_to_spare<codecs::GpuFor>();
  expect_no_words_to_spare<codecs::GpuDfor>();
}

TEST(Limits, TooLongListsAreRefusedBeforeAnythingIsDone) {
  EXPECT_NO_THROW(codecs::check_encodable("codec", codecs::kMaxListLength));
  EXPECT_THROW(codecs::check_encodable("codec", std::size_t{codecs::kMaxListLength} + 1),
               UsageError);
  EXPECT_NO_THROW(codecs::check_count("codec", codecs::kMaxListLength));
  EXPECT_THROW(codecs::check_count("codec", codecs::kMaxListLength + 1), FormatError);
}

}  // namespace
}  // namespace gannet::test
