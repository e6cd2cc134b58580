// The kernels that decode lists give the values that were encoded: a batch of lists, and one list
// at a time, by groups and by tiles.
#include "codecs/device/detail/list_kernels.cuh"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "codecs/codec_set.hpp"
#include "codecs/docids.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::test {
namespace {

using codecs::Content;
using codecs::kGroupTiles;
using codecs::kTile;
using codecs::ListView;

constexpr std::uint32_t kPoison = 0xa5a5a5a5u;
constexpr std::uint32_t kWarps = 2;

/// An encoded list with what a device has of it besides.
struct DocidList {
  Words docids;
  Words words;
  Words skips;
  ListView view() const { return {words.data(), static_cast<std::uint32_t>(docids.size())}; }
};

template <class C>
DocidList docid_list(std::uint32_t count, std::uint32_t gap) {
  DocidList list{ascending(count, gap), {}, {}};
  C::encode(C::traits.gaps ? codecs::gaps_of(list.docids) : list.docids, list.words);
  list.words.resize(list.words.size() + codecs::kOverread, 0xdeadbeefu);
  for (std::size_t end = kTile; end < count + kTile; end += kTile) {
    list.skips.push_back(list.docids[std::min<std::size_t>(end, count) - 1]);
  }
  return list;
}

template <class C>
std::vector<DocidList> lists() {
  std::vector<DocidList> lists;
  for (const std::uint32_t count : {1u, 1024u, 130u, 2048u, 512u, 3333u}) {
    for (const std::uint32_t gap : {1u, 200u, 70'000u}) lists.push_back(docid_list<C>(count, gap));
  }
  return lists;
}

Words with_poison(const Words& values) {
  Words padded = values;
  padded.resize((values.size() + 3) / 4 * 4 + 4, kPoison);
  return padded;
}

using ListCodecTypes = TypesOf<codecs::PostingCodecs>::type;

template <class C>
class ListKernels : public testing::Test {
 protected:
  static constexpr auto kLayout =
      codecs::cuda::largest_layout<C>(kGroupTiles, codecs::cuda::Copy::kByWarp);
  static constexpr std::uint32_t kBytes =
      kWarps * codecs::cuda::stage_units<C>(kLayout, 1) * sizeof(uint4);

  template <class Source>
  static void launch_groups(const Source& source, std::uint64_t seed, Words& out) {
    simt::launch({.grid = codecs::ceil_div(source.groups, kWarps),
                  .block = kWarps * 32,
                  .shared_bytes = kBytes,
                  .seed = seed},
                 codecs::cuda::lists_kernel<C, Content::kDocids, Source>, source, kLayout,
                 out.data());
  }
};
TYPED_TEST_SUITE(ListKernels, ListCodecTypes, CodecNames);

TYPED_TEST(ListKernels, ShortListsByTiles) {
  for (const DocidList& list : lists<TypeParam>()) {
    Words out(with_poison(list.docids).size(), kPoison);
    constexpr std::uint32_t kBlock = codecs::cuda::kShortPolicy.warps;
    simt::launch({.grid = codecs::ceil_div(codecs::tile_count(list.view().count), kBlock),
                  .block = kBlock * 32,
                  .seed = list.docids.size()},
                 codecs::cuda::short_list_kernel<TypeParam, Content::kDocids>, list.view(),
                 list.skips.data(), out.data());
    EXPECT_EQ(out, with_poison(list.docids)) << list.docids.size();
  }
}

TYPED_TEST(ListKernels, OneListByGroups) {
  constexpr bool kGaps = TypeParam::traits.gaps;
  for (const DocidList& list : lists<TypeParam>()) {
    Words out(with_poison(list.docids).size(), kPoison);
    const std::uint32_t groups =
        codecs::ceil_div(codecs::tile_count(list.view().count), kGroupTiles);
    this->launch_groups(
        codecs::cuda::ListSource<kGroupTiles, kGaps>{list.view(), list.skips.data(), groups},
        list.docids.size(), out);
    EXPECT_EQ(out, with_poison(list.docids)) << list.docids.size();
  }
}

TYPED_TEST(ListKernels, BatchesByTheirTable) {
  const std::vector<DocidList> batch = lists<TypeParam>();
  std::vector<codecs::cuda::GroupRow> rows;
  Words expected;
  for (const DocidList& list : batch) {
    const std::uint32_t tiles = codecs::tile_count(list.view().count);
    for (std::uint32_t first = 0; first < tiles; first += kGroupTiles) {
      const std::uint32_t last = std::min(first + kGroupTiles, tiles);
      rows.push_back({list.words.data(), list.view().count, first,
                      TypeParam::extent(list.view(), first, last),
                      first > 0 ? list.skips[first - 1] : codecs::kBeforeFirst,
                      static_cast<std::uint32_t>(expected.size() / 4)});
    }
    const Words padded = with_poison(list.docids);
    expected.insert(expected.end(), padded.begin(), padded.end());
  }
  for (const std::uint64_t seed : {0, 1, 2}) {
    Words out(expected.size(), kPoison);
    this->launch_groups(
        codecs::cuda::BatchSource<kGroupTiles>{rows.data(),
                                               static_cast<std::uint32_t>(rows.size())},
        seed, out);
    EXPECT_EQ(out, expected) << seed;
  }
}

}  // namespace
}  // namespace gannet::test
