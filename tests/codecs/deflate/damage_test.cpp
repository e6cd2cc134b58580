// Bytes that were damaged after they had been validated: decoding says so instead of giving what it
// has got by then.
#include <gtest/gtest.h>

#include <vector>

#include "codecs/columns.hpp"

namespace gannet::test {
namespace {

TEST(DeflateDamage, ReachesTheCallerWhoDecodes) {
  const auto type = codecs::ValueType::kU32;
  std::vector<std::uint32_t> values(5000);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * i;
  const codecs::Codec& codec = codecs::codec_named("deflate", type);
  std::vector<std::uint32_t> words;
  codec.encode(type, std::as_bytes(std::span(values)), {}, words);
  std::vector<std::uint32_t> out(values.size());
  auto* bytes = reinterpret_cast<std::byte*>(out.data());
  codec.decode(type, words, 5000, 0, 5000, bytes);
  EXPECT_EQ(out, values);
  words[3] = 0xffffffff;  // a block of no type
  EXPECT_THROW(codec.decode(type, words, 5000, 0, 5000, bytes), FormatError);
}

}  // namespace
}  // namespace gannet::test
