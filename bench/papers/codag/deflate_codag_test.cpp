// CODAG's forms of inflating, as the host's lanes run them: they take what zlib takes, refuse what
// zlib refuses, and stay between the fences.
#include "bench/papers/codag/deflate_codag.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "tests/support/codecs/byte_values.hpp"
#include "tests/support/codecs/deflate_forms.hpp"
#include "tests/support/codecs/deflate_streams.hpp"

namespace gannet::test {
namespace {

using codecs::papers::Buffer;
using codecs::papers::DecodeBy;

template <DecodeBy by, Buffer buffer>
bool inflate_as_codag(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                      std::uint32_t size) {
  const auto space = std::make_unique<codecs::papers::CodagSpace>();
  return codecs::papers::codag_inflate<by, buffer>(codecs::SerialLanes{}, words, count, out, size,
                                                   *space);
}

constexpr std::array<InflateForm, 3> kCodagForms{{
    {"all lanes, shared", inflate_as_codag<DecodeBy::kAllLanes, Buffer::kShared>},
    {"all lanes, registers", inflate_as_codag<DecodeBy::kAllLanes, Buffer::kRegisters>},
    {"lane 0", inflate_as_codag<DecodeBy::kLane0, Buffer::kShared>},
}};

TEST(CodagDeflate, GivesBackWhatZlibEncoded) {
  for (const StreamCase& one : stream_cases()) {
    const auto size = static_cast<std::uint32_t>(one.bytes.size());
    for (const InflateForm& form : kCodagForms) {
      const Inflated inflated = inflate_fenced(form, words_of(one.stream), size);
      EXPECT_TRUE(inflated.good) << one.name << ": " << form.name;
      ASSERT_EQ(inflated.bytes, one.bytes) << one.name << ": " << form.name;
      EXPECT_FALSE(inflate_fenced(form, words_of(one.stream), size + 1).good) << one.name;
    }
  }
}

TEST(CodagDeflate, DamagedStreamsAreTakenAsZlibTakesThem) {
  constexpr std::uint32_t kMax = 20000;
  std::mt19937 random(9);
  std::uint32_t refused = 0;
  std::uint32_t taken = 0;
  for (const Bytes& bytes : {text_bytes(600), random_bytes(300, 4), run_bytes(1500, 400)}) {
    for (const ZlibWay& way : {ZlibWay{}, ZlibWay{.level = 0}, ZlibWay{.strategy = Z_FIXED},
                               ZlibWay{.flush = Z_FULL_FLUSH, .piece = 200}}) {
      const Bytes stream = zlib_deflate(bytes, way);
      for (int round = 0; round < 200; ++round) {
        Bytes bad = stream;
        const std::size_t reach = std::min<std::size_t>(bad.size(), round % 2 == 0 ? 90 : 1 << 20);
        bad[random() % reach] ^= static_cast<std::uint8_t>(1u << random() % 8);
        const Words words = words_of(bad);
        const auto* all = reinterpret_cast<const std::uint8_t*>(words.data());
        const ZlibResult zlib = zlib_inflate({all, 4 * words.size()}, kMax);
        ++(zlib.good ? taken : refused);
        const auto size = zlib.good ? static_cast<std::uint32_t>(zlib.bytes.size()) : kMax;
        for (const InflateForm& form : kCodagForms) {
          const Inflated inflated = inflate_fenced(form, words, size);
          ASSERT_EQ(inflated.good, zlib.good) << form.name;
          if (zlib.good) {
            ASSERT_EQ(inflated.bytes, zlib.bytes) << form.name;
          }
        }
      }
    }
  }
  EXPECT_GT(refused, 200u);
  EXPECT_GT(taken, 200u);
}

}  // namespace
}  // namespace gannet::test
