// Streams with damage: every form takes what zlib takes and refuses what zlib refuses, and stays
// between the fences.
#include <gtest/gtest.h>

#include "tests/support/codecs/byte_values.hpp"
#include "tests/support/codecs/deflate_forms.hpp"
#include "tests/support/codecs/deflate_streams.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

constexpr std::uint32_t kMax = 20000;

/// What zlib makes of the words, every byte of them.
ZlibResult zlib_takes(const Words& words) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
  return zlib_inflate({bytes, 4 * words.size()}, kMax);
}

/// All forms agree with zlib. Returns whether zlib takes the stream.
bool expect_as_zlib(const Words& words, const std::string& what) {
  const ZlibResult zlib = zlib_takes(words);
  if (zlib.good) {
    expect_inflates(words, zlib.bytes, what);
  } else {
    for (const InflateForm& form : kInflateForms) {
      EXPECT_FALSE(inflate_fenced(form, words, kMax).good) << what << ": " << form.name;
      EXPECT_FALSE(inflate_fenced(form, words, 17).good) << what << ": " << form.name;
    }
  }
  return zlib.good;
}

std::vector<StreamCase> small_cases() {
  std::vector<StreamCase> cases;
  for (const Bytes& bytes : {text_bytes(600), random_bytes(300, 4), run_bytes(1500, 400)}) {
    for (const ZlibWay& way : {ZlibWay{}, ZlibWay{.level = 0}, ZlibWay{.strategy = Z_FIXED},
                               ZlibWay{.flush = Z_FULL_FLUSH, .piece = 200}}) {
      cases.push_back({std::to_string(cases.size()), zlib_deflate(bytes, way), bytes});
    }
  }
  return cases;
}

TEST(DeflateHostile, TruncatedAtEveryByte) {
  for (const StreamCase& one : small_cases()) {
    for (std::size_t size = 0; size + 4 < one.stream.size(); ++size) {
      const Bytes cut(one.stream.begin(), one.stream.begin() + static_cast<std::ptrdiff_t>(size));
      expect_as_zlib(words_of(cut), one.name + " cut to " + std::to_string(size));
    }
  }
}

TEST(DeflateHostile, EveryBitOfTheHeadFlippedSlow) {
  std::uint32_t taken = 0;
  std::uint32_t refused = 0;
  for (const StreamCase& one : small_cases()) {
    for (std::uint32_t bit = 0; bit < 8 * std::min<std::size_t>(one.stream.size(), 90); ++bit) {
      Bytes bad = one.stream;
      bad[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
      const bool good = expect_as_zlib(words_of(bad), one.name + " bit " + std::to_string(bit));
      ++(good ? taken : refused);
    }
  }
  EXPECT_GT(taken, 100u);
  EXPECT_GT(refused, 100u);
}

TEST(DeflateHostile, DamagedAnywhere) {
  Random random(3);
  const auto cases = small_cases();
  for (std::uint32_t round = 0; round < 1500; ++round) {
    const StreamCase& one = cases[random() % cases.size()];
    Bytes bad = one.stream;
    for (std::uint32_t i = 0; i < 1 + round % 4; ++i) {
      bad[random() % bad.size()] = static_cast<std::uint8_t>(random());
    }
    expect_as_zlib(words_of(bad), one.name + " round " + std::to_string(round));
  }
}

TEST(DeflateHostile, RandomBytes) {
  Random random(4);
  for (std::uint32_t round = 0; round < 3000; ++round) {
    Bytes bytes = random_bytes(random() % 200, 1 + random() % 256, round);
    if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>((bytes[0] & 0xf8) | random() % 8);
    expect_as_zlib(words_of(bytes), "round " + std::to_string(round));
  }
}

TEST(DeflateHostile, OtherSizesThanTheStreamHas) {
  for (const StreamCase& one : small_cases()) {
    const auto size = static_cast<std::uint32_t>(one.bytes.size());
    for (const InflateForm& form : kInflateForms) {
      for (const std::uint32_t other : {0u, 1u, size - 1, size + 1, 2 * size}) {
        EXPECT_FALSE(inflate_fenced(form, words_of(one.stream), other).good) << form.name;
      }
    }
  }
}

/// Every stream that ends is followed to its last bit.
TEST(DeflateHostile, BitsTakenAreThoseOfZlib) {
  for (const StreamCase& one : stream_cases()) {
    const Words words = words_of(one.stream);
    const auto tables = std::make_unique<codecs::deflate::Tables>();
    const auto space = std::make_unique<codecs::deflate::HeadSpace>();
    codecs::deflate::NoOutput output;
    const std::uint32_t bits = codecs::deflate::inflate_words(
        words.data(), static_cast<std::uint32_t>(words.size()),
        static_cast<std::uint32_t>(one.bytes.size()), *tables, *space, output);
    EXPECT_EQ((bits + 7) / 8, one.stream.size()) << one.name;
    EXPECT_EQ(output.position(), one.bytes.size()) << one.name;
  }
}

}  // namespace
}  // namespace gannet::test
