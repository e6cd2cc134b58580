// The special paths of the host's codecs against their portable forms.
#include "bench/papers/cikm19/host_simd.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::papers::BytePath;

/// Value `i` of a vertical block, lane by lane with extract().
std::uint32_t vertical_value(const Words& rows, std::uint32_t width, std::uint32_t i) {
  Words lane;
  for (std::uint32_t row = 0; row < width; ++row) lane.push_back(rows[4 * row + i % 4]);
  return codecs::extract(lane.data(), i / 4 * width, width);
}

TEST(HostSimd, VerticalBlocksOfEveryWidth) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    const Words rows = uniform(4 * width, 32, width + 1);
    const FencedWords fenced(rows, kBehind);
    const FencedWords out(128, kBehind);
    codecs::papers::unpack_vertical128(fenced.data(), width, out.data());
    for (std::uint32_t i = 0; i < 128; ++i) {
      ASSERT_EQ(out.data()[i], vertical_value(rows, width, i)) << width << " bits, value " << i;
    }
  }
}

/// Random bytes behind `tags` tags: any tags are valid.
struct Groups {
  std::vector<unsigned char> tags, bytes, tagged;
  Words values;
};

Groups groups_of(std::uint32_t count, Random& random) {
  Groups groups;
  for (std::uint32_t i = 0; i < count; i += 4) {
    const std::uint32_t size = std::min(4u, count - i);
    const auto tag = static_cast<unsigned char>(random());
    groups.tags.push_back(tag);
    groups.tagged.push_back(tag);
    for (std::uint32_t k = 0; k < size; ++k) {
      std::uint32_t value = 0;
      for (std::uint32_t b = 0; b <= (tag >> (2 * k) & 3u); ++b) {
        const auto byte = static_cast<unsigned char>(random());
        groups.bytes.push_back(byte);
        groups.tagged.push_back(byte);
        value |= std::uint32_t{byte} << (8 * b);
      }
      groups.values.push_back(value);
    }
  }
  return groups;
}

/// Bytes that end at a fence.
class FencedBytes {
 public:
  explicit FencedBytes(const std::vector<unsigned char>& bytes)
      : words_((bytes.size() + 3) / 4, kBehind), size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), data());
  }
  unsigned char* data() const {
    return reinterpret_cast<unsigned char*>(words_.data()) + (4 - size_ % 4) % 4;
  }

 private:
  FencedWords words_;
  std::size_t size_;
};

TEST(HostSimd, GroupsOfEveryTagAndLength) {
  std::vector<BytePath> paths{BytePath::kPortable};
  if (codecs::papers::fastest_byte_path() != BytePath::kPortable) {
    paths.push_back(codecs::papers::fastest_byte_path());
  }
  Random random(11);
  for (std::uint32_t count = 0; count < 1200; count += count < 80 ? 1 : 37) {
    const Groups groups = groups_of(count, random);
    const FencedBytes tags(groups.tags), bytes(groups.bytes), tagged(groups.tagged);
    for (const BytePath path : paths) {
      const FencedWords apart(count, kBehind), between(count, kBehind);
      codecs::papers::decode_groups(tags.data(), bytes.data(), groups.bytes.size(), count,
                                    apart.data(), path);
      codecs::papers::decode_tagged_groups(tagged.data(), groups.tagged.size(), count,
                                           between.data(), path);
      ASSERT_EQ(apart.copy(), groups.values) << count;
      ASSERT_EQ(between.copy(), groups.values) << count;
    }
  }
}

TEST(HostSimd, GroupBytesAddsUpTheLengths) {
  EXPECT_EQ(codecs::papers::group_bytes(0xe4, 0), 0u);
  EXPECT_EQ(codecs::papers::group_bytes(0xe4, 3), 6u);
  EXPECT_EQ(codecs::papers::group_bytes(0xe4, 4), 10u);
  EXPECT_EQ(codecs::papers::group_bytes(0xff, 4), 16u);
}

}  // namespace
}  // namespace gannet::test
