// The decoders as a warp runs them (WarpLanes) decode what was encoded, as they do over the host's
// lanes (tests/codecs/): every tile codec in all its forms, every chunk codec.
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "codecs/chunk_codecs.hpp"
#include "codecs/tile_codecs.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::test {
namespace {

using codecs::kGroupTiles;
using codecs::kTile;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::SerialLanes;
using codecs::WarpLanes;

constexpr auto kBehind = FencedWords::Fence::kBehind;

std::vector<Words> lists() {
  std::vector<Words> lists{zipf(1500), ascending(1029, 40), descending(300), outlier(640, 3, ~0u)};
  for (const std::uint32_t bits : {0u, 1u, 5u, 13u, 31u, 32u}) {
    for (const std::uint32_t count : {1u, 127u, 129u, 1024u, 2200u}) {
      lists.push_back(uniform(count, bits, bits + 1));
    }
  }
  return lists;
}

/// A warp a tile, from a cursor that was sought: quads as the lanes hold them.
template <class C>
__global__ void tile_kernel(ListView list, Quad* out) {
  const std::uint32_t tile = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (tile >= codecs::tile_count(list.count)) return;
  const WarpLanes lanes;
  auto cursor = C::seek(lanes, list, tile);
  WarpLanes::Var<Quad> quad;
  C::next(lanes, list, {list.words, 0}, tile, cursor, quad);
  out[tile * 32 + WarpLanes::id()] = quad.value;
}

/// One warp, tile after tile.
template <class C>
__global__ void list_kernel(ListView list, Quad* out) {
  const WarpLanes lanes;
  auto cursor = C::seek(lanes, list, 0);
  for (std::uint32_t tile = 0; tile < codecs::tile_count(list.count); ++tile) {
    WarpLanes::Var<Quad> quad;
    C::next(lanes, list, {list.words, 0}, tile, cursor, quad);
    out[tile * 32 + WarpLanes::id()] = quad.value;
  }
}

/// What the host's lanes decode.
template <class C>
Words decoded_by_the_host(ListView list) {
  Words values;
  const SerialLanes lanes;
  auto cursor = C::seek(lanes, list, 0);
  for (std::uint32_t tile = 0; tile < codecs::tile_count(list.count); ++tile) {
    SerialLanes::Var<Quad> quads;
    C::next(lanes, list, {list.words, 0}, tile, cursor, quads);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      values.insert(values.end(), quads[lane].value, quads[lane].value + 4);
    }
  }
  return values;
}

Words words_of(const std::vector<Quad>& quads) {
  Words words;
  for (const Quad& quad : quads) words.insert(words.end(), quad.value, quad.value + 4);
  return words;
}

template <class C>
class WarpTiles : public ::testing::Test {};
TYPED_TEST_SUITE(WarpTiles, CodecTypes, CodecNames);

TYPED_TEST(WarpTiles, DecodeWhatTheHostDecodes) {
  for (const Words& values : lists()) {
    const auto count = static_cast<std::uint32_t>(values.size());
    const FencedWords words(encoded<TypeParam>(values), kBehind);
    const ListView list{words.data(), count};
    const Words expected = decoded_by_the_host<TypeParam>(list);
    ASSERT_EQ(Words(expected.begin(), expected.begin() + count), values);
    const std::uint32_t tiles = codecs::tile_count(count);
    for (const std::uint64_t seed : {0, 1}) {
      std::vector<Quad> each(tiles * 32);
      simt::launch({.grid = (tiles + 1) / 2, .block = 64, .seed = seed}, tile_kernel<TypeParam>,
                   list, each.data());
      ASSERT_EQ(words_of(each), expected) << count;
      std::vector<Quad> all(tiles * 32);
      simt::launch({.grid = 1, .block = 32, .seed = seed}, list_kernel<TypeParam>, list,
                   all.data());
      ASSERT_EQ(words_of(all), expected) << count;
    }
  }
}

/// Groups of full tiles, staged: four at a time in registers, or as sums.
template <class C>
struct Staged {
  codecs::StagedTiles tiles;
  Quad* out;
  std::uint64_t* sum;
};

template <class C>
__global__ void wide_kernel(Staged<C> staged) {
  const WarpLanes lanes;
  __shared__ uint4 scratch[C::traits.scratch_words / 4 + 1];
  staged.tiles.scratch = reinterpret_cast<std::uint32_t*>(scratch);
  if constexpr (codecs::SummingTileCodec<C>) {
    WarpLanes::Var<std::uint64_t> sums{0};
    C::sum_groups(lanes, staged.tiles, 1, false, sums);
    atomicAdd(reinterpret_cast<unsigned long long*>(staged.sum),
              static_cast<unsigned long long>(sums.value));
    __syncwarp();
  }
  if constexpr (codecs::WideTileCodec<C>) {
    for (std::uint32_t t = 0; t < kGroupTiles; t += codecs::kWideTiles) {
      WarpLanes::Var<codecs::WideQuads> quads;
      C::next_wide(lanes, staged.tiles, t, quads);
      staged.tiles.boundaries += codecs::kWideTiles;
      for (std::uint32_t i = 0; i < codecs::kWideTiles; ++i) {
        staged.out[(t + i) * 32 + WarpLanes::id()] = quads.value.tile[i];
      }
      __syncwarp();
    }
  }
}

TYPED_TEST(WarpTiles, WideFormsDecodeAGroup) {
  constexpr bool kWide = codecs::WideTileCodec<TypeParam>;
  constexpr bool kSums = codecs::SummingTileCodec<TypeParam>;
  if constexpr (kWide || kSums) {
    constexpr std::uint32_t kSize = kGroupTiles * kTile;
    for (std::uint32_t bits = 0; bits <= 32; ++bits) {
      const Words values = uniform(kSize, bits, bits);
      Words words = encoded<TypeParam>(values);
      words.insert(words.end(), codecs::kOverread, 0xdeadbeefu);
      const ListView list{words.data(), kSize};
      std::uint32_t boundaries[kGroupTiles + 1];
      for (std::uint32_t i = 0; i <= kGroupTiles; ++i) {
        boundaries[i] = TypeParam::boundary(list, i);
      }
      const Payload all{words.data(), 0};
      std::vector<Quad> quads(kGroupTiles * 32);
      std::uint64_t sum = 0;
      simt::launch({.grid = 1, .block = 32, .seed = bits}, wide_kernel<TypeParam>,
                   Staged<TypeParam>{{list, all, all, boundaries, nullptr}, quads.data(), &sum});
      if (kWide) {
        ASSERT_EQ(words_of(quads), values) << bits;
      }
      std::uint64_t expected = 0;
      for (const std::uint32_t value : values) expected += value;
      if (kSums) {
        ASSERT_EQ(sum, expected) << bits;
      }
    }
  } else {
    GTEST_SKIP() << TypeParam::name << " has no wide forms";
  }
}

template <class C, class T>
__global__ void chunk_kernel(ListView column, std::uint32_t chunk_values, T* out, bool* damaged) {
  constexpr std::uint32_t kWords = C::template scratch_words<T>;
  __shared__ uint4 scratch[kWords / 4 + 1];
  const bool good = C::template decode_chunk<T>(WarpLanes{}, column, blockIdx.x,
                                                reinterpret_cast<std::uint32_t*>(scratch),
                                                out + std::uint64_t{blockIdx.x} * chunk_values);
  if (!good) *damaged = true;
}

template <class C, class T>
void expect_chunks(const Words& source) {
  if constexpr (C::template takes<T>) {
    std::vector<T> values(source.begin(), source.end());
    Words words;
    C::template encode<T>(values, codecs::Parameters(), words);
    words.resize(words.size() + codecs::kOverread, 0xabababab);  // a warp may read them
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t chunk_values = C::template chunk_values<T>(words.data());
    const std::uint32_t chunks = codecs::ceil_div(count, chunk_values);
    for (const std::uint64_t seed : {0, 3}) {
      std::vector<T> decoded(values.size());
      bool damaged = false;
      simt::launch({.grid = chunks, .block = 32, .seed = seed}, chunk_kernel<C, T>,
                   ListView{words.data(), count}, chunk_values, decoded.data(), &damaged);
      ASSERT_FALSE(damaged);
      ASSERT_EQ(decoded, values) << C::name << ", " << sizeof(T) << " bytes, " << count;
    }
  }
}

template <class C>
class WarpChunks : public ::testing::Test {};
TYPED_TEST_SUITE(WarpChunks, TypesOf<codecs::ChunkCodecs>::type, CodecNames);

TYPED_TEST(WarpChunks, DecodeWhatWasEncoded) {
  for (const Words& values : {uniform(3000, 6), uniform(700, 32), runs(5000, 8, 5), zipf(2049),
                              ascending(1500, 7), Words(1, 77), Words(4100, 3)}) {
    expect_chunks<TypeParam, std::uint8_t>(values);
    expect_chunks<TypeParam, std::uint16_t>(values);
    expect_chunks<TypeParam, std::uint32_t>(values);
    expect_chunks<TypeParam, std::uint64_t>(values);
  }
}

}  // namespace
}  // namespace gannet::test
