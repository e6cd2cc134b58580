// What the tile codecs with forms of their own promise beyond a round trip: run lengths staged
// beside the values, sums without decoding, sizes, and blocks of every number of runs.
#include <gtest/gtest.h>

#include "codecs/core/staged_tiles.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::GpuFor;
using codecs::GpuRfor;
using codecs::kGroupTiles;
using codecs::kTile;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::SerialLanes;
using codecs::tile_count;

template <class C>
double bits_per_value(const Words& values) {
  return 32.0 * static_cast<double>(test::encoded<C>(values).size()) /
         static_cast<double>(values.size());
}

Words tile_of(const Words& values, std::uint32_t tile) {
  const auto begin = values.begin() + std::ptrdiff_t{tile} * kTile;
  const auto size = codecs::tile_size(static_cast<std::uint32_t>(values.size()), tile);
  Words part(begin, begin + size);
  part.resize(kTile, 0);
  return part;
}

template <class C>
class StagedLengths : public testing::Test {};
using WithLengths = testing::Types<GpuRfor, codecs::Nsv>;
TYPED_TEST_SUITE(StagedLengths, WithLengths, CodecNames);

/// Both payloads end at fences, and hold no word too many.
TYPED_TEST(StagedLengths, AGroupDecodesFromItsTwoExtentsAlone) {
  const SerialLanes lanes;
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : {1u, 127u, 128u, 513u, 1000u, 1024u, 2049u, 5000u}) {
      const Words values = distribution.make(count);
      const Words words = test::encoded<TypeParam>(values);
      const ListView list{words.data(), count};
      for (std::uint32_t first = 0; first < tile_count(count); first += kGroupTiles) {
        const std::uint32_t last = std::min(first + kGroupTiles, tile_count(count));
        const auto body = TypeParam::extent(list, first, last);
        const auto lengths = TypeParam::lengths_extent(list, first, last);
        ASSERT_LE(lengths.end - lengths.begin, kGroupTiles * TypeParam::traits.lengths_words);
        const std::span<const std::uint32_t> all(words);
        const FencedWords staged(all.subspan(body.begin, body.end - body.begin), kBehind);
        const FencedWords staged_lengths(all.subspan(lengths.begin, lengths.end - lengths.begin),
                                         kBehind);
        auto cursor = TypeParam::seek(lanes, list, first);
        SerialLanes::Var<Quad> quads;
        for (std::uint32_t tile = first; tile < last; ++tile) {
          TypeParam::next(lanes, list, Payload{staged.data(), body.begin},
                          Payload{staged_lengths.data(), lengths.begin}, tile, cursor, quads);
          Words decoded;
          for (std::uint32_t i = 0; i < kTile; ++i) decoded.push_back(quads[i / 4].value[i % 4]);
          ASSERT_EQ(decoded, tile_of(values, tile)) << distribution.name << " tile " << tile;
        }
      }
    }
  }
}

template <class C>
class Sums : public testing::Test {};
using WithSums = testing::Types<GpuFor, GpuRfor>;
TYPED_TEST_SUITE(Sums, WithSums, CodecNames);

TYPED_TEST(Sums, OfGroupsAreThoseOfTheirValues) {
  for (const auto& distribution : distributions()) {
    const std::uint32_t count = 2 * kGroupTiles * kTile;
    const Words values = distribution.make(count);
    Words words = test::encoded<TypeParam>(values);
    words.insert(words.end(), codecs::kOverread, 0xdeadbeefu);
    const ListView list{words.data(), count};
    for (const bool is_signed : {false, true}) {
      for (std::uint32_t first = 0; first < tile_count(count); first += kGroupTiles) {
        Words boundaries;
        for (std::uint32_t i = 0; i <= kGroupTiles; ++i) {
          boundaries.push_back(TypeParam::boundary(list, first + i));
        }
        SerialLanes::Var<std::uint64_t> sums{};
        const Payload all{words.data(), 0};
        WideScratch<TypeParam> scratch;
        TypeParam::sum_groups(
            SerialLanes{}, codecs::StagedTiles{list, all, all, boundaries.data(), scratch.words()},
            1, is_signed, sums);
        std::uint64_t total = 0;
        for (std::uint32_t lane = 0; lane < codecs::kLanes; ++lane) total += sums[lane];
        std::uint64_t expected = 0;
        for (std::uint32_t i = 0; i < kGroupTiles * kTile; ++i) {
          const std::uint32_t value = values[first * kTile + i];
          expected +=
              is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)})
                        : value;
        }
        EXPECT_EQ(total, expected) << distribution.name << (is_signed ? ", signed" : "");
      }
    }
  }
}

/// A block with exactly so many runs, of lengths as different as that allows.
Words block_of_runs(std::uint32_t runs, Random& random) {
  Words ends{512};
  while (ends.size() < runs) {
    const std::uint32_t end = 1 + random() % 511;
    if (std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
  }
  std::sort(ends.begin(), ends.end());
  Words values;
  for (std::uint32_t run = 0; run < runs; ++run) {
    while (values.size() < ends[run]) values.push_back(run % 2 == 0 ? run : 1000 - run);
  }
  return values;
}

/// Decodes blocks of 512 in both ways and compares.
void expect_blocks(const Words& values) {
  const auto count = static_cast<std::uint32_t>(values.size());
  Words words = test::encoded<GpuRfor>(values);
  GpuRfor::validate(words, count);
  words.insert(words.end(), codecs::kOverread, 0xdeadbeefu);
  const ListView list{words.data(), count};
  const Payload all{words.data(), 0};
  for (std::uint32_t tile = 0; tile < tile_count(count); tile += codecs::kWideTiles) {
    Words boundaries;
    for (std::uint32_t i = 0; i <= codecs::kWideTiles; ++i) {
      boundaries.push_back(GpuRfor::boundary(list, tile + i));
    }
    SerialLanes::Var<codecs::WideQuads> wide;
    WideScratch<GpuRfor> scratch;
    GpuRfor::next_wide(SerialLanes{},
                       codecs::StagedTiles{list, all, all, boundaries.data(), scratch.words()},
                       tile, wide);
    for (std::uint32_t t = 0; t < codecs::kWideTiles; ++t) {
      auto cursor = GpuRfor::seek(SerialLanes{}, list, tile + t);
      SerialLanes::Var<Quad> quads;
      GpuRfor::next(SerialLanes{}, list, all, tile + t, cursor, quads);
      for (std::uint32_t i = 0; i < kTile; ++i) {
        const std::uint32_t expected = values[(tile + t) * kTile + i];
        ASSERT_EQ(quads[i / 4].value[i % 4], expected) << "tile " << tile + t << " value " << i;
        ASSERT_EQ(wide[i / 4].tile[t].value[i % 4], expected) << "tile " << tile + t << ", wide";
      }
    }
  }
}

TEST(GpuRfor, BlocksOfEveryNumberOfRuns) {
  Random random(1);
  Words values;
  for (std::uint32_t runs = 1; runs <= 512; ++runs) {
    const Words one = block_of_runs(runs, random);
    values.insert(values.end(), one.begin(), one.end());
  }
  expect_blocks(values);
}

/// Many runs a block, so that most forms for short runs apply, but for a stretch of longer ones at
/// any place: 16 runs of it reach across 32 positions or not, by one.
TEST(GpuRfor, ShortRunsWithAStretchOfLongerOnes) {
  Words values;
  for (const std::uint32_t longer : {2u, 3u, 8u, 16u, 17u}) {
    for (std::uint32_t runs = 1; runs * (longer - 1) < 250; runs += 1 + runs / 8) {
      for (std::uint32_t place = 0; place + runs * longer <= 512; place += 53) {
        for (std::uint32_t i = 0; i < 512; ++i) {
          const bool inside = place <= i && i < place + runs * longer;
          values.push_back(inside ? 1000 + (i - place) / longer : i);
        }
      }
    }
  }
  expect_blocks(values);
}

/// SIGMOD 2022, section 9.2: 0.75 bits over the width of the values.
TEST(Sizes, GpuForTakesThreeQuartersOfABitMoreSlow) {
  for (const std::uint32_t bits : {2u, 8u, 16u, 28u}) {
    const double size = bits_per_value<GpuFor>(uniform(1 << 20, bits));
    EXPECT_LE(size, bits + 0.751) << bits;
    EXPECT_GE(size, bits + 0.6) << bits;
  }
}

/// Section 9.3, the sorted column with 2^20 different ones of 2^28 values: runs of 256 on average.
TEST(Sizes, GpuRforOfRunsOf256Slow) {
  Random random(3);
  std::bernoulli_distribution ends(1 / 256.0);
  Words values(1 << 22);
  std::uint32_t value = 0;
  for (auto& each : values) each = value += ends(random) ? 1 : 0;
  EXPECT_NEAR(bits_per_value<GpuRfor>(values), 0.62, 0.01);
}

/// Less than gpu-for's overhead where no value repeats: blocks are four times as long.
TEST(Sizes, GpuRforWithoutRunsSlow) {
  EXPECT_NEAR(bits_per_value<GpuRfor>(uniform(1 << 20, 28)), 28.5, 0.01);
}

TEST(Sizes, OthersAddLittleSlow) {
  EXPECT_NEAR(bits_per_value<codecs::Nsf>(uniform(1 << 20, 12)), 16, 0.001);
  EXPECT_NEAR(bits_per_value<codecs::Nsv>(uniform(1 << 20, 6)), 8 + 2 + 0.0625, 0.001);
}

}  // namespace
}  // namespace gannet::test
