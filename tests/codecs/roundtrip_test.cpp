// Every codec gives back what it was given: all at once, tile by tile, from any tile on, and
// without touching a word outside of its list.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::kTile;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::SerialLanes;
using codecs::tile_count;
using codecs::tile_size;

template <class C>
class Roundtrip : public ::testing::Test {};
TYPED_TEST_SUITE(Roundtrip, CodecTypes, CodecNames);

std::uint32_t size_of(const Words& values) { return static_cast<std::uint32_t>(values.size()); }

/// Words of the tile that the shared decoder's registers hold.
Words tile_words(const SerialLanes::Var<Quad>& quads) {
  Words words;
  for (std::uint32_t i = 0; i < kTile; ++i) words.push_back(quads[i / 4].value[i % 4]);
  return words;
}

/// The part of `values` that tile `tile` holds, padded with zeros to 128.
Words slice(const Words& values, std::uint32_t tile) {
  const auto begin = values.begin() + std::ptrdiff_t{tile} * kTile;
  Words part(begin, begin + tile_size(size_of(values), tile));
  part.resize(kTile, 0);
  return part;
}

template <class C>
void expect_roundtrip(const Words& values) {
  const codecs::ListCodec& codec = codecs::list_codec_with(C::id);
  const std::uint32_t count = size_of(values);
  const Words words = encoded<C>(values);
  ASSERT_NO_THROW(C::validate(words, count));
  for (const auto fence : {kBehind, kBefore}) {
    const FencedWords list(words, fence);
    const FencedWords out(count, fence);
    codec.decode({list.data(), count}, out.data());
    ASSERT_EQ(out.copy(), values);
  }
}

template <class C>
void expect_tiles(const Words& values) {
  const codecs::ListCodec& codec = codecs::list_codec_with(C::id);
  const std::uint32_t count = size_of(values);
  const FencedWords words(encoded<C>(values), kBehind);
  const ListView list{words.data(), count};
  const FencedWords out(kTile, kBehind);
  for (std::uint32_t tile = tile_count(count); tile-- > 0;) {
    codec.decode_tile(list, tile, out.data());
    Words decoded = out.copy();
    std::fill(decoded.begin() + tile_size(count, tile), decoded.end(), 0);
    ASSERT_EQ(decoded, slice(values, tile)) << "tile " << tile;
  }
}

TYPED_TEST(Roundtrip, EveryLengthOfEveryDistribution) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : boundary_lengths()) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_roundtrip<TypeParam>(distribution.make(count));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(Roundtrip, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 256u, 300u, 1025u, 2200u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, length " + std::to_string(count));
      expect_roundtrip<TypeParam>(uniform(count, bits, bits + 10));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(Roundtrip, ALongListWithChangingWidths) {
  Random random(4);
  Words values;
  while (values.size() < 300000) {
    const Words part = uniform(random() % 700, random() % 33, random());
    values.insert(values.end(), part.begin(), part.end());
  }
  expect_roundtrip<TypeParam>(values);
}

TYPED_TEST(Roundtrip, EveryTileOnItsOwn) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : {1u, 128u, 129u, 257u, 512u, 641u, 1024u, 1025u, 4097u}) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_tiles<TypeParam>(distribution.make(count));
      if (this->HasFatalFailure()) return;
    }
  }
}

/// A cursor that came from tile 0, one that was sought, and one that was sought with the value
/// before its tile, decode the same.
TYPED_TEST(Roundtrip, ContinuedCursorsEqualFreshOnes) {
  const SerialLanes lanes;
  for (const Words& values :
       {uniform(4500, 13), zipf(2049), ascending(3333, 9), descending(1500)}) {
    const std::uint32_t count = size_of(values);
    const Words words = encoded<TypeParam>(values);
    const ListView list{words.data(), count};
    const Payload payload{words.data(), 0};
    SerialLanes::Var<Quad> quads;
    for (std::uint32_t from = 0; from < tile_count(count); from += 3) {
      auto cursor = TypeParam::seek(lanes, list, from);
      for (std::uint32_t tile = from; tile < tile_count(count); ++tile) {
        TypeParam::next(lanes, list, payload, tile, cursor, quads);
        ASSERT_EQ(tile_words(quads), slice(values, tile)) << tile << " from " << from;
        const std::uint32_t previous = tile == 0 ? 0 : values[tile * kTile - 1];
        auto fresh = TypeParam::seek(lanes, list, tile, previous);
        TypeParam::next(lanes, list, payload, tile, fresh, quads);
        ASSERT_EQ(tile_words(quads), slice(values, tile)) << tile << " with a hint";
      }
    }
  }
}

/// What extent() promises to whoever stages a group of tiles: the payload of these tiles, and not
/// more words than tile_words says.
TYPED_TEST(Roundtrip, AGroupDecodesFromItsExtentAlone) {
  constexpr std::uint32_t kGroup = codecs::kGroupTiles;
  const SerialLanes lanes;
  for (const std::uint32_t count : boundary_lengths()) {
    const Words values = uniform(count, count % 33);
    const Words words = encoded<TypeParam>(values);
    const ListView list{words.data(), count};
    for (std::uint32_t first = 0; first < tile_count(count); first += kGroup) {
      const std::uint32_t last = std::min(first + kGroup, tile_count(count));
      const codecs::Extent extent = TypeParam::extent(list, first, last);
      ASSERT_LE(extent.begin, extent.end);
      ASSERT_LE(extent.end, words.size());
      ASSERT_LE(extent.end - extent.begin, kGroup * TypeParam::tile_words) << count;
      const FencedWords staged(
          std::span<const std::uint32_t>(words).subspan(extent.begin, extent.end - extent.begin),
          kBehind);
      auto cursor = TypeParam::seek(lanes, list, first);
      SerialLanes::Var<Quad> quads;
      for (std::uint32_t tile = first; tile < last; ++tile) {
        TypeParam::next(lanes, list, {staged.data(), extent.begin}, tile, cursor, quads);
        ASSERT_EQ(tile_words(quads), slice(values, tile)) << count << " tile " << tile;
      }
    }
  }
}

/// Lists stand behind one another at any word; encoding appends and touches nothing before it.
TYPED_TEST(Roundtrip, ListsBehindOneAnotherAtAnyAlignment) {
  for (std::uint32_t shift = 0; shift < 4; ++shift) {
    Words words(shift, 0xdeadbeefu);
    std::vector<std::size_t> starts;
    std::vector<Words> lists;
    for (const std::uint32_t count : {200u, 0u, 128u, 1u, 1025u, 513u}) {
      lists.push_back(uniform(count, 5 + shift * 9, count));
      starts.push_back(words.size());
      TypeParam::encode(lists.back(), words);
    }
    starts.push_back(words.size());
    EXPECT_EQ(Words(words.begin(), words.begin() + shift), Words(shift, 0xdeadbeefu));
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto part = std::span(words).subspan(starts[i], starts[i + 1] - starts[i]);
      EXPECT_EQ(Words(part.begin(), part.end()), encoded<TypeParam>(lists[i]));
      ASSERT_NO_THROW(TypeParam::validate(part, size_of(lists[i])));
      Words decoded(lists[i].size() + 2, 0xabababab);
      codecs::list_codec_with(TypeParam::id)
          .decode({part.data(), size_of(lists[i])}, decoded.data());
      EXPECT_EQ(decoded[lists[i].size()], 0xabababab);
      decoded.resize(lists[i].size());
      EXPECT_EQ(decoded, lists[i]);
    }
  }
}

}  // namespace
}  // namespace gannet::test
