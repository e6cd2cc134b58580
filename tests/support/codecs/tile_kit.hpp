// The conformance kit of tile codecs: typed suites that hold a codec to what concepts.hpp says of
// TileCodec and of the refinements that it declares. tests/codecs/tile_kit_test.cpp runs them for
// every codec of tile_codecs.hpp; a codec from elsewhere gets them by
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, TileRoundtrip, testing::Types<MyCodec>);
// and likewise for TileDamage and TileWideForms. For one file of a program.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "codecs/core/concepts.hpp"
#include "codecs/describe.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

using codecs::kGroupTiles;
using codecs::kTile;
using codecs::kWideTiles;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::SerialLanes;
using codecs::tile_count;
using codecs::tile_size;
using ::testing::HasSubstr;

// Round trips.

template <class C>
class TileRoundtrip : public ::testing::Test {};
TYPED_TEST_SUITE_P(TileRoundtrip);

inline std::uint32_t size_of(const Words& values) {
  return static_cast<std::uint32_t>(values.size());
}

/// Words of the tile that the shared decoder's registers hold.
inline Words tile_words(const SerialLanes::Var<Quad>& quads) {
  Words words;
  for (std::uint32_t i = 0; i < kTile; ++i) words.push_back(quads[i / 4].value[i % 4]);
  return words;
}

/// The part of `values` that tile `tile` holds, padded with zeros to 128.
inline Words slice(const Words& values, std::uint32_t tile) {
  const auto begin = values.begin() + std::ptrdiff_t{tile} * kTile;
  Words part(begin, begin + tile_size(size_of(values), tile));
  part.resize(kTile, 0);
  return part;
}

template <class C>
void expect_roundtrip(const Words& values) {
  constexpr codecs::ListCodec codec = codecs::describe_list_codec<C>();
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
  constexpr codecs::ListCodec codec = codecs::describe_list_codec<C>();
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

TYPED_TEST_P(TileRoundtrip, EveryLengthOfEveryDistribution) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : boundary_lengths()) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_roundtrip<TypeParam>(distribution.make(count));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST_P(TileRoundtrip, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 256u, 300u, 1025u, 2200u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, length " + std::to_string(count));
      expect_roundtrip<TypeParam>(uniform(count, bits, bits + 10));
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST_P(TileRoundtrip, ALongListWithChangingWidths) {
  Random random(4);
  Words values;
  while (values.size() < 300000) {
    const Words part = uniform(random() % 700, random() % 33, random());
    values.insert(values.end(), part.begin(), part.end());
  }
  expect_roundtrip<TypeParam>(values);
}

TYPED_TEST_P(TileRoundtrip, EveryTileOnItsOwn) {
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
TYPED_TEST_P(TileRoundtrip, ContinuedCursorsEqualFreshOnes) {
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
TYPED_TEST_P(TileRoundtrip, AGroupDecodesFromItsExtentAlone) {
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
TYPED_TEST_P(TileRoundtrip, ListsBehindOneAnotherAtAnyAlignment) {
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
      codecs::describe_list_codec<TypeParam>().decode({part.data(), size_of(lists[i])},
                                                      decoded.data());
      EXPECT_EQ(decoded[lists[i].size()], 0xabababab);
      decoded.resize(lists[i].size());
      EXPECT_EQ(decoded, lists[i]);
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(TileRoundtrip, EveryLengthOfEveryDistribution, EveryWidth,
                            ALongListWithChangingWidths, EveryTileOnItsOwn,
                            ContinuedCursorsEqualFreshOnes, AGroupDecodesFromItsExtentAlone,
                            ListsBehindOneAnotherAtAnyAlignment);

// Damage: validate() either refuses bytes that no encoder wrote, or decoding them stays inside.

template <class C>
class TileDamage : public ::testing::Test {};
TYPED_TEST_SUITE_P(TileDamage);

/// Whether validate() accepts; anything but FormatError is a failure.
template <class C>
bool accepts(std::span<const std::uint32_t> words, std::uint32_t count) {
  try {
    C::validate(words, count);
    return true;
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(C::name)));
    return false;
  }
}

/// Decodes in every way that there is; the fences catch whoever leaves the list.
template <class C>
void decode_all(const FencedWords& words, std::uint32_t count) {
  constexpr codecs::ListCodec codec = codecs::describe_list_codec<C>();
  const FencedWords out(count, kBehind);
  codec.decode({words.data(), count}, out.data());
  codec.decode_docids({words.data(), count}, out.data());
  const FencedWords tile_out(kTile, kBehind);
  for (std::uint32_t tile = 0; tile < tile_count(count); ++tile) {
    codec.decode_tile({words.data(), count}, tile, tile_out.data());
    codec.decode_docid_tile({words.data(), count}, tile, 12345, tile_out.data());
  }
}

TYPED_TEST_P(TileDamage, TruncatedAndExtendedListsAreRefused) {
  for (const std::uint32_t count : {0u, 1u, 128u, 129u, 300u, 1024u, 1025u, 3000u}) {
    const Words words = encoded<TypeParam>(uniform(count, 11));
    for (std::size_t size = 0; size < words.size(); ++size) {
      const FencedWords cut(std::span<const std::uint32_t>(words).first(size), kBehind);
      ASSERT_FALSE(accepts<TypeParam>(cut.span(), count)) << size << " of " << words.size();
    }
    Words longer = words;
    longer.push_back(0);
    EXPECT_FALSE(accepts<TypeParam>(longer, count));
  }
}

TYPED_TEST_P(TileDamage, AnotherCountIsRefusedOrSafe) {
  const Words words = encoded<TypeParam>(uniform(1500, 9));
  for (std::uint32_t count = 0; count < 3000; count += 7) {
    const FencedWords list(words, kBehind);
    if (accepts<TypeParam>(list.span(), count)) decode_all<TypeParam>(list, count);
  }
}

TYPED_TEST_P(TileDamage, CountsBeyondTheLongestListAreRefused) {
  const Words words(64, 0);
  EXPECT_FALSE(accepts<TypeParam>(words, codecs::kMaxListLength + 1));
  EXPECT_FALSE(accepts<TypeParam>(words, 0xffffffffu));
}

/// Overwrites some words with random, small, large or bit-flipped ones.
inline void damage(Words& words, Random& random) {
  const std::uint32_t places = 1 + random() % 3;
  for (std::uint32_t i = 0; i < places; ++i) {
    // The front of a list holds what is worth an attack: headers, endpoints, selectors.
    const std::size_t reach =
        random() % 2 == 0 ? std::min<std::size_t>(words.size(), 24) : words.size();
    std::uint32_t& word = words[random() % reach];
    switch (random() % 5) {
      case 0:
        word = random();
        break;
      case 1:
        word ^= 1u << random() % 32;
        break;
      case 2:
        word += 4 * (random() % 9) - 16;
        break;
      case 3:
        word = random() % 200;
        break;
      default:
        word = 0xffffffffu - random() % 4;
        break;
    }
  }
}

TYPED_TEST_P(TileDamage, DamagedListsAreRefusedOrSafe) {
  Random random(6);
  std::uint32_t refused = 0;
  for (std::uint32_t round = 0; round < 4000; ++round) {
    const std::uint32_t count = 1 + random() % 2600;
    Words words = encoded<TypeParam>(round % 3 == 0 ? runs(count, 1 + random() % 40, 9, round)
                                                    : uniform(count, random() % 33, round));
    damage(words, random);
    const FencedWords list(words, round % 2 == 0 ? kBehind : kBefore);
    if (accepts<TypeParam>(list.span(), count)) {
      decode_all<TypeParam>(list, count);
    } else {
      ++refused;
    }
  }
  // What stands beside the payload can contradict it: headers, endpoints, lengths.
  const Words words = encoded<TypeParam>(uniform(2600, 9));
  const codecs::Extent payload = TypeParam::extent({words.data(), 2600}, 0, tile_count(2600));
  if (payload.end - payload.begin < words.size()) {
    EXPECT_GT(refused, 100u);
  }
}

TYPED_TEST_P(TileDamage, RandomWordsAreRefusedOrSafe) {
  Random random(7);
  for (std::uint32_t round = 0; round < 2000; ++round) {
    const FencedWords list(uniform(random() % 64, 1 + random() % 32, round), kBehind);
    const std::uint32_t count = random() % 300;
    if (accepts<TypeParam>(list.span(), count)) decode_all<TypeParam>(list, count);
  }
}

REGISTER_TYPED_TEST_SUITE_P(TileDamage, TruncatedAndExtendedListsAreRefused,
                            AnotherCountIsRefusedOrSafe, CountsBeyondTheLongestListAreRefused,
                            DamagedListsAreRefusedOrSafe, RandomWordsAreRefusedOrSafe);

// Wide forms give what the shared decoder gives, and extents are what they promise.

template <class C>
class TileWideForms : public testing::Test {};
TYPED_TEST_SUITE_P(TileWideForms);

TYPED_TEST_P(TileWideForms, BoundariesGiveTheExtentsOfGroups) {
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

TYPED_TEST_P(TileWideForms, DecodeWhatTheSharedDecoderDecodes) {
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

TYPED_TEST_P(TileWideForms, SumsOfGroups) {
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

REGISTER_TYPED_TEST_SUITE_P(TileWideForms, BoundariesGiveTheExtentsOfGroups,
                            DecodeWhatTheSharedDecoderDecodes, SumsOfGroups);

}  // namespace gannet::test
