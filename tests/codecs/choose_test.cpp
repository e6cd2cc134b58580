// auto takes the smallest: of all candidates, of those that were named, of a sample's finalists.
#include "codecs/choose.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

using codecs::Candidates;
using codecs::Codec;
using codecs::Content;
using codecs::ValueType;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::span<const std::byte> bytes_of(const Words& values) {
  return std::as_bytes(std::span(values));
}

std::size_t size_with(const Codec& codec, const Words& values) {
  Words words;
  codec.encode(ValueType::kU32, bytes_of(values), codecs::Parameters(), words);
  return words.size();
}

/// That of all candidates none is smaller, and that the words are the chosen codec's.
void expect_smallest(const Words& values) {
  const Candidates candidates = codecs::auto_candidates(ValueType::kU32);
  const auto chosen = codecs::encode_smallest(ValueType::kU32, bytes_of(values), candidates);
  for (const Codec* codec : candidates) {
    EXPECT_LE(chosen.words.size(), size_with(*codec, values)) << codec->name;
  }
  const auto count = static_cast<std::uint32_t>(values.size());
  chosen.codec->validate(ValueType::kU32, chosen.words, count);
  Words decoded(count);
  chosen.codec->decode(ValueType::kU32, chosen.words, count, 0, count,
                       reinterpret_cast<std::byte*>(decoded.data()));
  EXPECT_EQ(decoded, values);
}

TEST(Choose, NoCandidateIsSmaller) {
  for (const Distribution& distribution : distributions()) {
    SCOPED_TRACE(distribution.name);
    for (const std::uint32_t count : {0u, 1u, 1000u, 20000u})
      expect_smallest(distribution.make(count));
  }
}

TEST(Choose, CandidatesHaveADeviceDecoderAndTakeTheType) {
  for (const auto& [type, name] : codecs::kValueTypes) {
    for (const Codec* codec : codecs::auto_candidates(type)) {
      EXPECT_TRUE(codec->takes(type));
    }
  }
  EXPECT_FALSE(codecs::auto_candidates(ValueType::kI32).empty());
}

TEST(Choose, AmongThoseThatAreNamed) {
  const Words values = uniform(5000, 7);
  const std::vector<std::string> names{"none", "gpu-vbyte128", "gpu-bp128"};
  const Candidates named = codecs::candidates_named(names, ValueType::kU32);
  EXPECT_EQ(codecs::encode_smallest(ValueType::kU32, bytes_of(values), named).codec->name,
            "gpu-bp128");
  const std::vector<std::string> unknown{"none", "gpu-zip"};
  EXPECT_THAT([&] { codecs::candidates_named(unknown, ValueType::kU32); },
              ThrowsMessage<UsageError>(HasSubstr("'gpu-zip'")));
}

TEST(Choose, OfEqualsTheFirst) {
  const Words values(300, 0);
  const Codec* codec = &codecs::codec_named("gpu-bp128", ValueType::kU32);
  const Codec* other = &codecs::codec_named("gpu-bp256", ValueType::kU32);
  const Codec* none = &codecs::codec_named("none", ValueType::kU32);
  EXPECT_EQ(
      codecs::encode_smallest(ValueType::kU32, bytes_of(values), Candidates{none, other, codec})
          .codec,
      other);
  EXPECT_EQ(codecs::encode_smallest(ValueType::kU32, {}, Candidates{none, none}).codec, none);
}

TEST(Choose, WithoutCandidatesItSaysSo) {
  EXPECT_THAT([] { codecs::encode_smallest(ValueType::kI64, {}, Candidates{}); },
              ThrowsMessage<UsageError>(HasSubstr("i64")));
}

/// A long column is sampled, and its sample speaks for it: flat at the sampled places or not, the
/// result is never worse than an eighth over the best.
TEST(Choose, LongColumnsAreSampledFairlySlow) {
  const std::uint32_t count = 2 * codecs::kAutoExact + 12345;
  for (const Words& values : {ascending(count, 50), uniform(count, 9), zipf(count)}) {
    const Candidates candidates = codecs::auto_candidates(ValueType::kU32);
    const auto chosen = codecs::encode_smallest(ValueType::kU32, bytes_of(values), candidates);
    std::size_t best = chosen.words.size();
    for (const Codec* codec : candidates) best = std::min(best, size_with(*codec, values));
    EXPECT_LE(chosen.words.size(), best + best / 8);
  }
}

TEST(Choose, ListsOfTheRegistry) {
  for (const Words& list : {ascending(3000, 3), ascending(3000, 900), ascending(40, 20), Words{}}) {
    const codecs::ListCodec& chosen = codecs::smallest_list_codec(Content::kDocids, list);
    Words smallest;
    chosen.encode_docids(list, smallest);
    for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
      Words words;
      codec.encode_docids(list, words);
      EXPECT_LE(smallest.size(), words.size()) << codec.name;
    }
  }
}

}  // namespace
}  // namespace gannet::test
