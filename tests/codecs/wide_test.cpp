// The wide forms of the tile codecs, run on the host's lanes, give what the shared decoders give.
#include "codecs/core/wide.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

using codecs::kGroupTiles;
using codecs::kTile;
using codecs::kWideTiles;
using codecs::ListView;
using codecs::Payload;
using codecs::SerialLanes;
using codecs::WidthClass;

template <WidthClass kClass>
void expect_unpacks(const Words& words, std::uint32_t least, std::uint32_t most) {
  for (std::uint32_t width = least; width <= most; ++width) {
    for (std::uint32_t q = 0; q < 32; ++q) {
      const codecs::Quad quad = codecs::unpack_quad<kClass>(words.data(), q, width);
      for (std::uint32_t i = 0; i < 4; ++i) {
        ASSERT_EQ(quad.value[i], codecs::extract(words.data(), (4 * q + i) * width, width))
            << "width " << width << " value " << 4 * q + i;
      }
    }
  }
}

TEST(Wide, UnpackQuadIsExtract) {
  const Words words = uniform(128 + codecs::kOverread, 32);
  expect_unpacks<WidthClass::kUpTo8>(words, 0, 8);
  expect_unpacks<WidthClass::kUpTo16>(words, 0, 16);
  expect_unpacks<WidthClass::kUpTo32>(words, 0, 32);
}

TEST(Wide, ClassesOfWidths) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    const WidthClass expected = codecs::width_class(width);
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      for (std::uint32_t mini = 0; mini < 4; ++mini) {
        std::uint32_t widths[kWideTiles] = {0, 0, 0, 0};
        widths[t] = width << 8 * mini;
        EXPECT_EQ(codecs::width_class_of(widths), expected) << width;
      }
    }
  }
}

TEST(Wide, MinisStartBehindThoseBefore) {
  EXPECT_EQ(codecs::mini_start(0x20202020u, 0), 0u);
  EXPECT_EQ(codecs::mini_start(0x20202020u, 3), 96u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 1), 1u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 2), 3u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 3), 6u);
}

TEST(Wide, ScansOfSmallNumbersAreScans) {
  for (const bool small : {false, true}) {
    SerialLanes::Var<std::uint32_t> x[kWideTiles];
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) x[t][lane] = (lane + 7 * t) % 2048;
    }
    std::uint32_t totals[kWideTiles];
    codecs::scan_wide(SerialLanes{}, small, x, totals);
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      std::uint32_t sum = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(x[t][lane], sum);
        sum += lane + 7 * t;
      }
      EXPECT_EQ(totals[t], sum);
    }
  }
}

TEST(Wide, PackedSumsAreSums) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    for (const Words& words :
         {uniform(32 + codecs::kOverread, 32, width), Words(36, 0xffffffffu)}) {
      std::uint64_t expected = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        expected += codecs::extract(words.data(), i * width, width);
      }
      for (std::uint32_t turn = 0; turn < 32; ++turn) {
        codecs::with_width(width, [&]<std::uint32_t kWidth>() {
          EXPECT_EQ((codecs::sum_packed<kWidth, 32>(words.data(), turn)), expected) << width;
          EXPECT_EQ((codecs::sum_packed<kWidth, 2>(words.data(), turn % 2)), expected) << width;
        });
      }
    }
  }
}

template <class C>
class WideForms : public testing::Test {};
TYPED_TEST_SUITE(WideForms, CodecTypes, CodecNames);

TYPED_TEST(WideForms, BoundariesGiveTheExtentsOfGroups) {
  if constexpr (codecs::BoundaryTileCodec<TypeParam>) {
    for (const auto& [name, make] : distributions()) {
      const Words words = encoded<TypeParam>(make(5 * 1024));
      const ListView list{words.data(), 5 * 1024};
      for (std::uint32_t first = 0; first < 5 * kGroupTiles; first += kGroupTiles) {
        const auto expected = TypeParam::extent(list, first, first + kGroupTiles);
        const auto extent =
            TypeParam::extent_between(list, first, TypeParam::boundary(list, first),
                                      TypeParam::boundary(list, first + kGroupTiles));
        EXPECT_EQ(extent.begin, expected.begin) << name;
        EXPECT_EQ(extent.end, expected.end) << name;
      }
    }
  } else {
    GTEST_SKIP() << TypeParam::name << " has no boundaries";
  }
}

template <class C>
void expect_wide_decodes(const Words& values, const std::string& what) {
  Words words = encoded<C>(values);
  const ListView list{words.data(), static_cast<std::uint32_t>(values.size())};
  const auto size = words.size();
  words.insert(words.end(), codecs::kOverread, 0xdeadbeefu);
  const ListView padded{words.data(), list.count};
  for (std::uint32_t first = 0; first + kGroupTiles <= values.size() / kTile;
       first += kGroupTiles) {
    std::uint32_t boundaries[kGroupTiles + 1];
    for (std::uint32_t i = 0; i <= kGroupTiles; ++i) {
      boundaries[i] = C::boundary(padded, first + i);
    }
    // The payload alone, as it is staged, and behind it whatever was there before.
    const auto extent = C::extent(padded, first, first + kGroupTiles);
    ASSERT_LE(extent.end, size);
    Words staged(words.begin() + extent.begin, words.begin() + extent.end);
    staged.insert(staged.end(), codecs::kOverread, 0xdeadbeefu);
    WideScratch<C> scratch;
    codecs::StagedTiles tiles{
        padded, {staged.data(), extent.begin}, {}, boundaries, scratch.words()};
    Words lengths;
    if constexpr (codecs::LengthsTileCodec<C>) {
      const auto second = C::lengths_extent(padded, first, first + kGroupTiles);
      lengths.assign(words.begin() + second.begin, words.begin() + second.end);
      lengths.insert(lengths.end(), codecs::kOverread, 0xdeadbeefu);
      tiles.lengths = {lengths.data(), second.begin};
    }
    for (std::uint32_t t = 0; t < kGroupTiles; t += kWideTiles) {
      SerialLanes::Var<codecs::WideQuads> out;
      C::next_wide(SerialLanes{}, tiles, first + t, out);
      tiles.boundaries += kWideTiles;
      for (std::uint32_t i = 0; i < kWideTiles * kTile; ++i) {
        const auto value = out[i % kTile / 4].tile[i / kTile].value[i % 4];
        ASSERT_EQ(value, values[(first + t) * kTile + i]) << what << ", value " << i;
      }
    }
  }
}

TYPED_TEST(WideForms, DecodeWhatTheSharedDecoderDecodes) {
  if constexpr (codecs::WideTileCodec<TypeParam>) {
    for (const auto& [name, make] : distributions()) {
      expect_wide_decodes<TypeParam>(make(3 * 1024), name);
      expect_wide_decodes<TypeParam>(make(2 * 1024 + 77), name);
    }
    for (std::uint32_t bits = 0; bits <= 32; ++bits) {
      expect_wide_decodes<TypeParam>(uniform(2048, bits, bits), "bits " + std::to_string(bits));
    }
  } else {
    GTEST_SKIP() << TypeParam::name << " has no wide form";
  }
}

template <class C>
void expect_sums(const Words& values, bool is_signed, const std::string& what) {
  Words words = encoded<C>(values);
  words.insert(words.end(), codecs::kOverread, 0xdeadbeefu);
  const ListView list{words.data(), static_cast<std::uint32_t>(values.size())};
  const auto groups = static_cast<std::uint32_t>(values.size() / kTile / kGroupTiles);
  Words boundaries;
  for (std::uint32_t i = 0; i <= groups * kGroupTiles; ++i) {
    boundaries.push_back(C::boundary(list, i));
  }
  WideScratch<C> scratch;
  const Payload all{list.words, 0};
  const auto check = [&](std::uint32_t first, std::uint32_t size) {
    SerialLanes::Var<std::uint64_t> sums{};
    C::sum_groups(SerialLanes{},
                  codecs::StagedTiles{list, all, all, boundaries.data() + first * kGroupTiles,
                                      scratch.words()},
                  size, is_signed, sums);
    std::uint64_t sum = 0;
    std::uint64_t expected = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) sum += sums[lane];
    constexpr std::uint32_t kSize = kGroupTiles * kTile;
    for (std::uint32_t i = first * kSize; i < (first + size) * kSize; ++i) {
      expected +=
          is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(values[i])) : values[i];
    }
    ASSERT_EQ(sum, expected) << what << ", " << size << " groups from " << first;
  };
  for (std::uint32_t first = 0; first < groups; ++first) check(first, 1);
  check(0, groups);
}

TYPED_TEST(WideForms, SumsOfGroups) {
  if constexpr (codecs::SummingTileCodec<TypeParam>) {
    for (const bool is_signed : {false, true}) {
      for (const auto& [name, make] : distributions()) {
        expect_sums<TypeParam>(make(3 * 1024), is_signed, name);
      }
      Words mixed;  // groups of the same width and of others
      for (const std::uint32_t bits : {3u, 3u, 9u, 9u, 9u, 0u, 32u, 32u, 7u, 7u, 1u}) {
        const Words group = uniform(1024, bits, bits + 1);
        mixed.insert(mixed.end(), group.begin(), group.end());
      }
      expect_sums<TypeParam>(mixed, is_signed, "groups of several widths");
      for (std::uint32_t bits = 0; bits <= 32; ++bits) {
        Words values = uniform(2048, bits, bits);
        expect_sums<TypeParam>(values, is_signed, "bits " + std::to_string(bits));
        for (auto& value : values) value += 0x7fffff00u;  // around the largest signed value
        expect_sums<TypeParam>(values, is_signed, "around 2^31, bits " + std::to_string(bits));
        for (auto& value : values) value += 0x80000000u;  // around 0 as signed values
        expect_sums<TypeParam>(values, is_signed, "around 2^32, bits " + std::to_string(bits));
      }
    }
  } else {
    GTEST_SKIP() << TypeParam::name << " is summed up value by value";
  }
}

}  // namespace
}  // namespace gannet::test
