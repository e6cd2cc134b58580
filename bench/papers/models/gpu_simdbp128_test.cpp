// gpu-simdbp128: bytes computed by hand, every list comes back from any tile on, and bytes that no
// encoder wrote are refused or decoded inside of their bounds.
#include "bench/papers/models/gpu_simdbp128.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/core/host_tile.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::kTile;
using codecs::ListView;
using codecs::Quad;
using codecs::SerialLanes;
using codecs::tile_count;
using codecs::tile_size;
using codecs::papers::GpuSimdBp128;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

void append_block(Words& words, const Words& more, int times = 1) {
  for (int i = 0; i < times; ++i) words.insert(words.end(), more.begin(), more.end());
}

/// By the form for full tiles, from the first tile to the last.
Words decoded(const FencedWords& words, std::uint32_t count, FencedWords::Fence fence) {
  const FencedWords out(count, fence);
  const ListView list{words.data(), count};
  if (count == 0) return {};
  auto cursor = GpuSimdBp128::seek(SerialLanes{}, list, 0);
  for (std::uint32_t tile = 0; tile < tile_count(count); ++tile) {
    codecs::next_tile_on_host<GpuSimdBp128>(list, tile, cursor, out.data() + tile * kTile);
  }
  return out.copy();
}

/// By the shared decoder, each group of eight tiles sought anew and from its extent alone.
Words decoded_by_groups(const Words& words, std::uint32_t count) {
  constexpr std::uint32_t kGroup = codecs::kGroupTiles;
  const ListView list{words.data(), count};
  Words values;
  for (std::uint32_t first = 0; first < tile_count(count); first += kGroup) {
    const std::uint32_t last = std::min(first + kGroup, tile_count(count));
    const codecs::Extent extent = GpuSimdBp128::extent(list, first, last);
    EXPECT_LE(extent.end - extent.begin, kGroup * GpuSimdBp128::tile_words);
    EXPECT_LE(extent.end, words.size());
    const FencedWords staged(
        std::span<const std::uint32_t>(words).subspan(extent.begin, extent.end - extent.begin),
        kBehind);
    auto cursor = GpuSimdBp128::seek(SerialLanes{}, list, first);
    SerialLanes::Var<Quad> quads;
    for (std::uint32_t tile = first; tile < last; ++tile) {
      GpuSimdBp128::next(SerialLanes{}, list, {staged.data(), extent.begin}, tile, cursor, quads);
      for (std::uint32_t i = 0; i < tile_size(count, tile); ++i) {
        values.push_back(quads[i / 4].value[i % 4]);
      }
      for (std::uint32_t i = tile_size(count, tile); i < kTile; ++i) {
        EXPECT_EQ(quads[i / 4].value[i % 4], 0u);
      }
    }
  }
  return values;
}

void expect_roundtrip(const Words& values) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const Words words = encoded<GpuSimdBp128>(values);
  ASSERT_NO_THROW(GpuSimdBp128::validate(words, count));
  for (const auto fence : {kBehind, kBefore}) {
    ASSERT_EQ(decoded(FencedWords(words, fence), count, fence), values);
  }
  ASSERT_EQ(decoded_by_groups(words, count), values);
}

void expect_bytes(const Words& values, const Words& expected) {
  EXPECT_THAT(encoded<GpuSimdBp128>(values), ElementsAreArray(expected));
  expect_roundtrip(values);
}

TEST(SimdBp128Golden, EmptyAndShortLists) {
  expect_bytes({}, {4, 0, 0, 0});
  // starts, width 3, padding, one row of two lanes.
  expect_bytes({5, 2}, {4, 6, 3, 0, 5, 2});
}

TEST(SimdBp128Golden, IsVertical) {
  // Value i is i / 128 modulo 4: every lane has 0 1 2 3 over and over, in two rows.
  Words values;
  for (std::uint32_t i = 0; i < 4096; ++i) values.push_back(i / 128 % 4);
  Words expected{4, 4 + 256, 2, 0};
  append_block(expected, {0xe4e4e4e4u}, 256);
  expect_bytes(values, expected);
}

TEST(SimdBp128Golden, LastBlockHasTheRowsThatItNeeds) {
  // 4096 zeros take nothing. Then 128 ones and a three, of lane 0: 1 + 4 * 3.
  Words values(4096, 0);
  append_block(values, Words(128, 1));
  values.push_back(3);
  Words expected{4, 4, 4 + 128, 0x0200, 13};
  append_block(expected, {1}, 127);
  expect_bytes(values, expected);
}

TEST(SimdBp128, EveryLengthOfEveryDistribution) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : boundary_lengths()) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_roundtrip(distribution.make(count));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SimdBp128, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 300u, 4096u, 9000u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, length " + std::to_string(count));
      expect_roundtrip(uniform(count, bits, bits + 10));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SimdBp128, AddsAHundredthOfABit) {
  const Words words = encoded<GpuSimdBp128>(uniform(1 << 20, 12));
  EXPECT_NEAR(32.0 * static_cast<double>(words.size()) / (1 << 20), 12.01, 0.001);
}

std::string refusal(const Words& words, std::uint32_t count) {
  try {
    GpuSimdBp128::validate(words, count);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(SimdBp128Hostile, MessagesNameTheBlock) {
  Words words = encoded<GpuSimdBp128>(uniform(5000, 12));
  words[3] = 0x210c;
  EXPECT_THAT(refusal(words, 5000),
              HasSubstr("gpu-simdbp128: block 1: its values have more than 32 bits"));
  words[3] = 0x0c0b;
  EXPECT_THAT(refusal(words, 5000), HasSubstr("block 1: it does not start"));
  EXPECT_THAT(refusal(Words(64, 0), codecs::kMaxListLength + 1), HasSubstr("gpu-simdbp128"));
}

TEST(SimdBp128Hostile, TruncatedAndExtendedListsAreRefused) {
  for (const std::uint32_t count : {0u, 1u, 129u, 1025u, 5000u}) {
    Words words = encoded<GpuSimdBp128>(uniform(count, 11));
    for (std::size_t size = 0; size < words.size(); ++size) {
      const Words cut(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_NE(refusal(cut, count), "") << size << " of " << words.size();
    }
    words.push_back(0);
    EXPECT_NE(refusal(words, count), "");
  }
}

TEST(SimdBp128Hostile, DamagedListsAreRefusedOrSafe) {
  Random random(6);
  std::uint32_t refused = 0;
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const std::uint32_t count = 1 + random() % 9000;
    Words words = encoded<GpuSimdBp128>(uniform(count, random() % 33, round));
    std::uint32_t& word = words[random() % std::min<std::size_t>(words.size(), 8)];
    word = random() % 2 == 0 ? random() % 300 : word ^ 1u << random() % 32;
    const FencedWords list(words, kBehind);
    if (refusal(words, count).empty()) {
      decoded(list, count, kBehind);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500u);
}

}  // namespace
}  // namespace gannet::test
