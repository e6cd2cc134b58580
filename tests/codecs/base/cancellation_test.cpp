// Codecs stop within a column: what is encoded or validated inside of a StopScope asks its token.
#include "codecs/base/cancellation.hpp"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "codecs/columns.hpp"

namespace gannet::codecs {
namespace {

using Words = std::vector<std::uint32_t>;

std::stop_token stopped_token() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

/// More blocks of any codec than a loop goes through between two looks at the token.
constexpr std::size_t kValues = 4'400'000;

/// Small values in runs: every codec is quick with them.
std::vector<std::byte> values_of(ValueType type) {
  std::vector<std::byte> values(kValues * size_of(type));
  for (std::size_t i = 0; i < kValues; ++i) {
    values[i * size_of(type)] = static_cast<std::byte>(i / 100 % 50);
  }
  return values;
}

/// Not a type of 8 or 16 bits: for tile codecs these are widened first, which can be stopped too.
ValueType type_for(const Codec& codec) {
  return codec.takes(ValueType::kU32) ? ValueType::kU32 : ValueType::kU64;
}

class EveryCodec : public ::testing::TestWithParam<const Codec*> {
 protected:
  EveryCodec() : type_(type_for(*GetParam())), values_(values_of(type_)) {}

  Words encoded() const {
    Words words;
    GetParam()->encode(type_, values_, {}, words);
    return words;
  }

  ValueType type_;
  std::vector<std::byte> values_;
};

TEST_P(EveryCodec, StopsWhileItEncodes) {
  const StopScope scope(stopped_token());
  EXPECT_THROW(encoded(), CancelledError);
}

TEST_P(EveryCodec, StopsWhileItValidates) {
  const Words words = encoded();
  GetParam()->validate(type_, words, kValues);
  const StopScope scope(stopped_token());
  EXPECT_THROW(GetParam()->validate(type_, words, kValues), CancelledError);
}

TEST(WidenedColumn, StopsBeforeItIsEncoded) {
  const StopScope scope(stopped_token());
  Words words;
  EXPECT_THROW(codec_named("gpu-bp128", ValueType::kU8)
                   .encode(ValueType::kU8, std::vector<std::byte>(100'000), {}, words),
               CancelledError);
}

std::vector<const Codec*> every_codec() {
  std::vector<const Codec*> codecs;
  for (const Codec& codec : all_codecs()) codecs.push_back(&codec);
  return codecs;
}

std::string name_of_case(const ::testing::TestParamInfo<const Codec*>& info) {
  std::string name(info.param->name);
  std::erase(name, '-');
  return name + (info.param->tiles ? "_tiles" : "_chunks");
}

INSTANTIATE_TEST_SUITE_P(Cancellation, EveryCodec, ::testing::ValuesIn(every_codec()),
                         name_of_case);

TEST(StopScope, EndsWithItsBlockAndIsThatOfOneThread) {
  EXPECT_NO_THROW(throw_if_stopped());
  {
    const StopScope scope(stopped_token());
    EXPECT_THROW(throw_if_stopped(), CancelledError);
    std::thread([] { EXPECT_NO_THROW(throw_if_stopped()); }).join();
  }
  EXPECT_NO_THROW(throw_if_stopped());
}

TEST(StopScope, TheInnermostTokenCountsUnlessNobodyCanStopIt) {
  const StopScope outer(stopped_token());
  {
    const StopScope nobody{std::stop_token()};
    EXPECT_THROW(throw_if_stopped(), CancelledError);
    const std::stop_source source;
    const StopScope inner(source.get_token());
    EXPECT_NO_THROW(throw_if_stopped());
  }
  EXPECT_THROW(throw_if_stopped(), CancelledError);
}

TEST(StopScope, StretchesCoverAllAndAskInBetween) {
  std::stop_source source;
  const StopScope scope(source.get_token());
  std::size_t covered = 0;
  for_each_chunk(200'001, [&](std::size_t first, std::size_t size) {
    ASSERT_EQ(first, covered);
    covered += size;
  });
  EXPECT_EQ(covered, 200'001u);
  std::size_t stretches = 0;
  EXPECT_THROW(for_each_chunk(200'001,
                              [&](std::size_t, std::size_t) {
                                ++stretches;
                                source.request_stop();
                              }),
               CancelledError);
  EXPECT_EQ(stretches, 1u);
}

}  // namespace
}  // namespace gannet::codecs
