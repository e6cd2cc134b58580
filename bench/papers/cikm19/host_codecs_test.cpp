// The codecs that exist on the host alone: every list comes back, and bytes that no encoder wrote
// are refused or decoded inside of their bounds.
#include "bench/papers/cikm19/host_codecs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

template <class C>
class HostCodec : public ::testing::Test {};
using HostCodecTypes = TypesOf<codecs::papers::HostCodecs>::type;
TYPED_TEST_SUITE(HostCodec, HostCodecTypes, CodecNames);

/// Decodes between fences, which catch whoever leaves the list or the output.
template <class C>
Words decoded(const Words& words, std::uint32_t count, FencedWords::Fence fence) {
  const FencedWords list(words, fence);
  const FencedWords out(count, fence);
  C::decode(list.span(), count, out.data());
  return out.copy();
}

template <class C>
void expect_roundtrip(const Words& values) {
  const Words words = encoded<C>(values);
  const auto count = static_cast<std::uint32_t>(values.size());
  ASSERT_NO_THROW(C::validate(words, count));
  for (const auto fence : {kBehind, kBefore}) {
    ASSERT_EQ(decoded<C>(words, count, fence), values);
  }
}

TYPED_TEST(HostCodec, EveryLengthOfEveryDistribution) {
  std::vector<std::uint32_t> lengths = boundary_lengths();
  for (std::uint32_t count = 0; count < 70; ++count) lengths.push_back(count);
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : lengths) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_roundtrip<TypeParam>(distribution.make(count));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(HostCodec, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 31u, 32u, 33u, 127u, 128u, 129u, 300u, 2049u, 4500u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, length " + std::to_string(count));
      expect_roundtrip<TypeParam>(uniform(count, bits, bits + 10));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(HostCodec, ALongListWithChangingWidths) {
  Random random(4);
  Words values;
  while (values.size() < 300000) {
    const Words part = uniform(random() % 700, random() % 33, random());
    values.insert(values.end(), part.begin(), part.end());
  }
  expect_roundtrip<TypeParam>(values);
}

TYPED_TEST(HostCodec, EncodingAppends) {
  Words words{1, 2, 3};
  const Words values = uniform(777, 13);
  TypeParam::encode(values, words);
  EXPECT_EQ(Words(words.begin(), words.begin() + 3), (Words{1, 2, 3}));
  EXPECT_EQ(Words(words.begin() + 3, words.end()), encoded<TypeParam>(values));
}

/// Whether validate() accepts; anything but FormatError is a failure.
template <class C>
bool accepts(const Words& words, std::uint32_t count) {
  const FencedWords list(words, kBehind);
  try {
    C::validate(list.span(), count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(C::name)));
    return false;
  }
}

TYPED_TEST(HostCodec, TruncatedAndExtendedListsAreRefused) {
  for (const std::uint32_t count : {0u, 1u, 4u, 5u, 32u, 128u, 129u, 300u, 2048u, 2049u}) {
    Words words = encoded<TypeParam>(uniform(count, 11));
    for (std::size_t size = 0; size < words.size(); ++size) {
      ASSERT_FALSE(
          accepts<TypeParam>(Words(words.begin(), words.begin() + std::ptrdiff_t(size)), count))
          << size << " of " << words.size();
    }
    words.push_back(0);
    EXPECT_FALSE(accepts<TypeParam>(words, count));
  }
}

TYPED_TEST(HostCodec, DamagedListsAreRefusedOrSafe) {
  Random random(6);
  std::uint32_t refused = 0;
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const std::uint32_t count = 1 + random() % 2600;
    Words words = encoded<TypeParam>(uniform(count, random() % 33, round));
    for (std::uint32_t i = 0; i <= random() % 3 && !words.empty(); ++i) {
      // The front of a list holds more of what decoding is steered by.
      const std::size_t reach =
          random() % 2 == 0 ? std::min<std::size_t>(words.size(), 8) : words.size();
      std::uint32_t& word = words[random() % reach];
      word = random() % 2 == 0 ? random() : word ^ 1u << random() % 32;
    }
    if (accepts<TypeParam>(words, count)) {
      decoded<TypeParam>(words, count, round % 2 == 0 ? kBehind : kBefore);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500u);
}

TYPED_TEST(HostCodec, RandomWordsAreRefusedOrSafe) {
  Random random(7);
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const Words words = uniform(random() % 64, 1 + random() % 32, round);
    const std::uint32_t count = random() % 300;
    if (accepts<TypeParam>(words, count)) decoded<TypeParam>(words, count, kBehind);
  }
}

TYPED_TEST(HostCodec, AnotherCountIsRefusedOrSafe) {
  const Words words = encoded<TypeParam>(uniform(1500, 9));
  for (std::uint32_t count = 0; count < 3000; ++count) {
    if (accepts<TypeParam>(words, count)) decoded<TypeParam>(words, count, kBehind);
  }
  EXPECT_FALSE(accepts<TypeParam>(words, codecs::kMaxListLength + 1));
  EXPECT_FALSE(accepts<TypeParam>(words, 0xffffffffu));
}

}  // namespace
}  // namespace gannet::test
