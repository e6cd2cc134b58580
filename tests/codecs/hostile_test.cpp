// Bytes that no encoder wrote: validate() either refuses them, or decoding them stays inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::kTile;
using codecs::tile_count;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class C>
class Hostile : public ::testing::Test {};
TYPED_TEST_SUITE(Hostile, CodecTypes, CodecNames);

/// Whether validate() accepts; anything but FormatError is a failure.
template <class C>
bool accepts(std::span<const std::uint32_t> words, std::uint32_t count) {
  try {
    C::validate(words, count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(C::name)));
    return false;
  }
}

/// Decodes in every way that there is; the fences catch whoever leaves the list.
template <class C>
void decode_all(const FencedWords& words, std::uint32_t count) {
  const codecs::ListCodec& codec = codecs::list_codec_with(C::id);
  const FencedWords out(count, kBehind);
  codec.decode({words.data(), count}, out.data());
  codec.decode_docids({words.data(), count}, out.data());
  const FencedWords tile_out(kTile, kBehind);
  for (std::uint32_t tile = 0; tile < tile_count(count); ++tile) {
    codec.decode_tile({words.data(), count}, tile, tile_out.data());
    codec.decode_docid_tile({words.data(), count}, tile, 12345, tile_out.data());
  }
}

TYPED_TEST(Hostile, TruncatedAndExtendedListsAreRefused) {
  for (const std::uint32_t count : {0u, 1u, 128u, 129u, 300u, 1024u, 1025u, 3000u}) {
    const Words words = encoded<TypeParam>(uniform(count, 11));
    for (std::size_t size = 0; size < words.size(); ++size) {
      const FencedWords cut(std::span<const std::uint32_t>(words).first(size), kBehind);
      ASSERT_FALSE(accepts<TypeParam>(cut.span(), count)) << size << " of " << words.size();
    }
    Words longer = words;
    longer.push_back(0);
    EXPECT_FALSE(accepts<TypeParam>(longer, count));
  }
}

TYPED_TEST(Hostile, AnotherCountIsRefusedOrSafe) {
  const Words words = encoded<TypeParam>(uniform(1500, 9));
  for (std::uint32_t count = 0; count < 3000; count += 7) {
    const FencedWords list(words, kBehind);
    if (accepts<TypeParam>(list.span(), count)) decode_all<TypeParam>(list, count);
  }
}

TYPED_TEST(Hostile, CountsBeyondTheLongestListAreRefused) {
  const Words words(64, 0);
  EXPECT_FALSE(accepts<TypeParam>(words, codecs::kMaxListLength + 1));
  EXPECT_FALSE(accepts<TypeParam>(words, 0xffffffffu));
}

/// Overwrites some words with random, small, large or bit-flipped ones.
void damage(Words& words, Random& random) {
  const std::uint32_t places = 1 + random() % 3;
  for (std::uint32_t i = 0; i < places; ++i) {
    // The front of a list holds what is worth an attack: headers, endpoints, selectors.
    const std::size_t reach =
        random() % 2 == 0 ? std::min<std::size_t>(words.size(), 24) : words.size();
    std::uint32_t& word = words[random() % reach];
    switch (random() % 5) {
      case 0:
        word = random();
        break;
      case 1:
        word ^= 1u << random() % 32;
        break;
      case 2:
        word += 4 * (random() % 9) - 16;
        break;
      case 3:
        word = random() % 200;
        break;
      default:
        word = 0xffffffffu - random() % 4;
        break;
    }
  }
}

TYPED_TEST(Hostile, DamagedListsAreRefusedOrSafe) {
  Random random(6);
  std::uint32_t refused = 0;
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const std::uint32_t count = 1 + random() % 2600;
    Words words = encoded<TypeParam>(round % 3 == 0 ? runs(count, 1 + random() % 40, 9, round)
                                                    : uniform(count, random() % 33, round));
    damage(words, random);
    const FencedWords list(words, round % 2 == 0 ? kBehind : kBefore);
    if (accepts<TypeParam>(list.span(), count)) {
      decode_all<TypeParam>(list, count);
    } else {
      ++refused;
    }
  }
  // Every word of none is a value, and all but a few words of some others.
  const bool terse = TypeParam::id == codecs::Nsf::id;
  if (TypeParam::id != codecs::RawTiles::id) {
    EXPECT_GT(refused, terse ? 100u : 500u);
  }
}

TYPED_TEST(Hostile, RandomWordsAreRefusedOrSafe) {
  Random random(7);
  for (std::uint32_t round = 0; round < 2000; ++round) {
    const FencedWords list(uniform(random() % 64, 1 + random() % 32, round), kBehind);
    const std::uint32_t count = random() % 300;
    if (accepts<TypeParam>(list.span(), count)) decode_all<TypeParam>(list, count);
  }
}

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
  const Words good = encoded<C>(uniform(500, 6));
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
  const Words good = encoded<C>(uniform(500, 12));
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
  const Words good = encoded<C>(uniform(700, 12));
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
  const Words good = encoded<C>(uniform(700, 12));
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
  const Words good = encoded<C>(runs(1500, 5, 9));
  const std::uint32_t values = good[4 + 2];                               // block 2
  const std::uint32_t lengths = good[4 + 3] + good[good[4 + 3] + 4 + 2];  // its run lengths
  const auto changed = [&](std::size_t word, std::uint32_t to) {
    Words words = good;
    words[word] = to;
    return refusal<C>(words, 1500);
  };
  EXPECT_THAT(changed(4 + 2, values + 1), HasSubstr("gpu-rfor: block 2: it does not start"));
  EXPECT_THAT(changed(values + 1, 0x09090908u), HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(values + 1, 0x21212121u), HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(values + 2, 0), HasSubstr("block 2: it cannot have so many"));
  EXPECT_THAT(changed(values + 2, 477), HasSubstr("block 2: it cannot have so many"));
  EXPECT_THAT(changed(lengths + 1, 0x0a0a0a0au), HasSubstr("block 2: its values or run lengths cannot"));
  EXPECT_THAT(changed(lengths, 0), HasSubstr("block 2: it has impossible run lengths"));
  EXPECT_THAT(changed(lengths, 0xffffffffu), HasSubstr("impossible run lengths"));
  EXPECT_THAT(changed(lengths, good[lengths] + 1), HasSubstr("block 2: its runs have"));
  EXPECT_THAT(changed(lengths + 3, good[lengths + 3] ^ 1), HasSubstr("not as many values"));
  EXPECT_THAT(changed(2, 1499), HasSubstr("another number of values"));
}

TEST(HostileMessages, GpuRforCountsTheRunsOfBothStreams) {
  using C = codecs::GpuRfor;
  // Blocks of one value each in one stream, and of two in the other: each by itself is sound.
  Words words = encoded<C>(Words{3, 3});
  const Words two = encoded<C>(Words{3, 4});
  ASSERT_EQ(words[4 + 1], 9u);
  words.erase(words.begin(), words.begin() + 9);
  words.insert(words.begin(), two.begin(), two.begin() + two[5]);
  EXPECT_THAT(refusal<C>(words, 2), HasSubstr("block 0: it has more values than run lengths"));
}

TEST(HostileMessages, NsfAndNsv) {
  Words words = encoded<codecs::Nsf>(uniform(100, 8));
  words[0] = 3;
  EXPECT_THAT(refusal<codecs::Nsf>(words, 100), HasSubstr("nsf: values cannot have so many bytes"));
  words = encoded<codecs::Nsv>(uniform(1100, 12));
  words[1] += 1;
  EXPECT_THAT(refusal<codecs::Nsv>(words, 1100), HasSubstr("nsv: block 0: its size"));
  words = encoded<codecs::Nsv>(uniform(1100, 12));
  words[4 + 40] ^= 1;
  EXPECT_THAT(refusal<codecs::Nsv>(words, 1100), HasSubstr("nsv: block 1: its size"));
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
