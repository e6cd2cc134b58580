// Lists of docids: from the first possible docid to the last, whole and tile by tile.
#include "codecs/docids.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "codecs/encoded_lists.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::kBeforeFirst;
using codecs::kTile;
using codecs::ListView;
using codecs::SerialLanes;
using codecs::tile_count;
using codecs::tile_size;

template <class C>
class Docids : public ::testing::Test {};
TYPED_TEST_SUITE(Docids, CodecTypes, CodecNames);

/// Lists that begin at docid 0, lie anywhere, or end at the largest docid, 2^32 - 2.
std::vector<Words> docid_lists(std::uint32_t count) {
  std::vector<Words> lists{ascending(count, 1), ascending(count, 3), ascending(count, 5000, 17)};
  Words last = ascending(count, 40);
  const std::uint32_t shift = count == 0 ? 0 : 0xfffffffeu - last.back();
  for (auto& docid : last) docid += shift;
  lists.push_back(last);
  Words both = ascending(count, 2);
  if (count > 1) both.back() = 0xfffffffeu;
  lists.push_back(both);
  return lists;
}

template <class C>
void expect_docids(const Words& docids) {
  const codecs::ListCodec& codec = codecs::list_codec_with(C::id);
  const auto count = static_cast<std::uint32_t>(docids.size());
  const FencedWords words(encoded_docids<C>(docids), kBehind);
  ASSERT_NO_THROW(C::validate(words.span(), count));
  const FencedWords out(count, kBehind);
  codec.decode_docids({words.data(), count}, out.data());
  ASSERT_EQ(out.copy(), docids);
}

TYPED_TEST(Docids, EveryLength) {
  for (const std::uint32_t count : boundary_lengths()) {
    for (const Words& docids : docid_lists(count)) {
      expect_docids<TypeParam>(docids);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(Docids, ALongList) { expect_docids<TypeParam>(ascending(500001, 700)); }

/// Tiles in any order, each given the last docid of the tile before it, as skip data has it.
TYPED_TEST(Docids, TilesInAnyOrder) {
  const codecs::ListCodec& codec = codecs::list_codec_with(TypeParam::id);
  Random random(5);
  for (const std::uint32_t count : {1u, 129u, 640u, 1025u, 5000u}) {
    for (const Words& docids : docid_lists(count)) {
      const FencedWords words(encoded_docids<TypeParam>(docids), kBehind);
      std::vector<std::uint32_t> order(tile_count(count));
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      for (const std::uint32_t tile : order) {
        const std::uint32_t previous = tile == 0 ? kBeforeFirst : docids[tile * kTile - 1];
        const FencedWords out(kTile, kBehind);
        codec.decode_docid_tile({words.data(), count}, tile, previous, out.data());
        for (std::uint32_t i = 0; i < tile_size(count, tile); ++i) {
          ASSERT_EQ(out.data()[i], docids[tile * kTile + i]) << "tile " << tile << " of " << count;
        }
      }
    }
  }
}

TYPED_TEST(Docids, ContinuedCursorsEqualFreshOnes) {
  using Tiles = codecs::DocidTiles<TypeParam>;
  const SerialLanes lanes;
  const Words docids = ascending(4097, 20, 3);
  const Words words = encoded_docids<TypeParam>(docids);
  const ListView list{words.data(), 4097};
  for (std::uint32_t from = 0; from < tile_count(4097); from += 5) {
    const std::uint32_t previous = from == 0 ? kBeforeFirst : docids[from * kTile - 1];
    auto cursor = Tiles::seek(lanes, list, from, previous);
    SerialLanes::Var<codecs::Quad> quads;
    for (std::uint32_t tile = from; tile < tile_count(4097); ++tile) {
      Tiles::next(lanes, list, {words.data(), 0}, tile, cursor, quads);
      for (std::uint32_t i = 0; i < tile_size(4097, tile); ++i) {
        ASSERT_EQ(quads[i / 4].value[i % 4], docids[tile * kTile + i]) << tile << " from " << from;
      }
    }
  }
}

TEST(Gaps, FirstGapIsTheFirstDocid) {
  EXPECT_EQ(codecs::gaps_of(Words{0}), Words{0});
  EXPECT_EQ(codecs::gaps_of(Words{9, 10, 12, 20}), (Words{9, 0, 1, 7}));
  EXPECT_EQ(codecs::gaps_of(Words{}), Words{});
}

TYPED_TEST(Docids, BatchesKeepListsSkipsAndSizes) {
  codecs::EncodedLists lists(codecs::list_codec_with(TypeParam::id), codecs::Content::kDocids);
  const std::vector<Words> all{ascending(300, 4), {}, {7}, ascending(256, 2)};
  for (const Words& docids : all) lists.add(docids);
  EXPECT_EQ(lists.values(), 300 + 0 + 1 + 256);
  EXPECT_EQ(lists.skips,
            (Words{all[0][127], all[0][255], all[0][299], 7, all[3][127], all[3][255]}));
  EXPECT_DOUBLE_EQ(lists.bits_per_value(), 32.0 * static_cast<double>(lists.words.size()) / 557);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Words out(all[i].size());
    lists.codec->decode_docids(lists.view(i), out.data());
    EXPECT_EQ(out, all[i]);
  }
}

}  // namespace
}  // namespace gannet::test
