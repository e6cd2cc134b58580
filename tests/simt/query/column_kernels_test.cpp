// The kernels of columns and bitmaps, thread for thread on the host, against loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "codecs/encoded_lists.hpp"
#include "codecs/registry.hpp"
#include "query/gpu/device/kernels/columns/bitmaps.cuh"
#include "query/gpu/device/kernels/columns/first_codes.cuh"
#include "query/gpu/device/kernels/columns/mark_list.cuh"
#include "query/gpu/plan/pack_codes.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::query::cuda {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kPoison = 0xabababababababab;

bool has(const Words& words, std::uint64_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// A column of random codes, in the memory of the kernels.
struct Column {
  Column(std::uint32_t count, std::uint32_t limit, std::uint64_t seed) : random(seed) {
    // Stretches around a value: widths differ from block to block.
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t width =
          i / index::kFieldBlock % 2 == 0 ? limit : std::max(1u, limit / 50);
      const std::uint32_t base = i / 700 * 13 % (limit - width + 1);
      codes.push_back(base + static_cast<std::uint32_t>(random() % width));
    }
    pack();
  }
  Column(std::vector<std::uint32_t> made, std::uint64_t seed)
      : random(seed), codes(std::move(made)) {
    pack();
  }

  void pack() {
    const auto count = static_cast<std::uint32_t>(codes.size());
    for (std::uint32_t first = 0; first < count; first += index::kFieldBlock) {
      const std::span block = std::span(codes).subspan(first).first(
          std::min<std::size_t>(index::kFieldBlock, count - first));
      const auto [least, greatest] = std::ranges::minmax(block);
      const auto size = static_cast<std::uint32_t>(block.size());
      CodeBlock made = code_block({first, size, least, greatest});
      made.first_byte = used;
      bytes.resize((used + packed_bytes(size, made)) / 16 + 1);
      pack_codes(block, made, reinterpret_cast<std::uint8_t*>(bytes.data()) + used);
      used += packed_bytes(size, made);
      blocks.push_back(made);
    }
    view = {reinterpret_cast<const std::uint8_t*>(bytes.data()), blocks.data(), count};
  }

  std::uint32_t count() const { return view.count; }
  unsigned grid(unsigned most) const {
    return std::min(most,
                    codecs::ceil_div(static_cast<std::uint32_t>(groups_of(count())), kColumnWarps));
  }
  /// Documents, about `share` of 16.
  Words some(std::uint32_t share) {
    Words made(bitmap_room(count()));
    for (std::uint32_t i = 0; i < count(); ++i) {
      if (random() % 16 < share) made[i / 64] |= std::uint64_t{1} << i % 64;
    }
    return made;
  }

  std::mt19937_64 random;
  std::vector<std::uint32_t> codes;
  std::vector<uint4> bytes;
  std::uint64_t used = 0;
  std::vector<CodeBlock> blocks;
  CodesView view{};
};

const std::uint32_t kCounts[] = {1, 3, 127, 128, 129, 511, 512, 513, 4097, 20011};

TEST(ColumnKernels, FirstCodesInEitherOrder) {
  for (const std::uint32_t count : kCounts) {
    Column column(count, 400, count + 2);
    const Words matches = column.some(9);
    for (const bool descending : {false, true}) {
      std::vector<std::uint64_t> all;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!has(matches, i)) continue;
        const std::uint32_t place = descending ? column.codes[i] : ~column.codes[i];
        all.push_back(std::uint64_t{place} << 32 | ~i);
      }
      std::ranges::sort(all, std::greater<>());
      for (const std::uint32_t k : {1u, 10u, 100u}) {
        if (k > all.size()) continue;
        // With the best a half of them has, as a threshold.
        std::vector<std::uint64_t> sample;
        for (std::size_t i = 0; i < all.size(); i += 2) sample.push_back(all[i]);
        const auto known = static_cast<std::uint32_t>(std::min<std::size_t>(k, sample.size()));
        const CodeOrder order{descending, k, sample.data(), &known};
        std::vector<std::uint64_t> keys(all.size() + 1, kPoison);
        std::uint32_t found = 0;
        const KeyList list{keys.data(), &found, static_cast<std::uint32_t>(all.size())};
        simt::launch({.grid = {2, 1, 1}, .block = {kColumnThreads, 1, 1}}, first_codes_kernel,
                     column.view, matches.data(), static_cast<const std::uint64_t*>(nullptr), 1u,
                     order, list);
        ASSERT_GE(found, k);
        ASSERT_LE(found, all.size());
        keys.resize(found);
        std::ranges::sort(keys, std::greater<>());
        EXPECT_TRUE(std::equal(keys.begin(), keys.begin() + k, all.begin())) << count << " " << k;
        if (known == k) {
          EXPECT_GE(keys.back(), sample[k - 1]) << "what does not reach it is left out";
        }
        EXPECT_EQ(document_of_key(keys[0]), ~static_cast<std::uint32_t>(all[0]));
        EXPECT_EQ(code_of_key(keys[0], descending), column.codes[document_of_key(keys[0])]);
      }
    }
  }
}

TEST(ColumnKernels, FirstCodesOfASampleWithoutRoomForAll) {
  Column column(20011, 400, 9);
  const Words matches = column.some(16);
  std::vector<std::uint64_t> keys(101, kPoison);
  std::uint32_t found = 0;
  simt::launch({.grid = {1, 1, 1}, .block = {kColumnThreads, 1, 1}}, first_codes_kernel,
               column.view, matches.data(), static_cast<const std::uint64_t*>(nullptr), 3u,
               CodeOrder{false, 5, nullptr, nullptr}, KeyList{keys.data(), &found, 100});
  // Groups 0, 3, ... 39 of 40, the last of which has 20011 - 39 * 512 codes.
  EXPECT_EQ(found, 13 * kGroupCodes + (20011 - 39 * kGroupCodes));
  EXPECT_EQ(keys[100], kPoison);
}

TEST(BitmapKernels, CombineAndCount) {
  std::mt19937_64 random(3);
  for (const std::uint32_t documents : {1u, 63u, 64u, 65u, 1000u, 8192u, 8193u, 30000u}) {
    Words a(bitmap_room(documents)), b(a.size());
    for (std::uint32_t i = 0; i < documents; ++i) {
      if (random() % 90 == 0) a[i / 64] |= std::uint64_t{1} << i % 64;
      if (random() % 3 == 0) b[i / 64] |= std::uint64_t{1} << i % 64;
    }
    const auto blocks = static_cast<unsigned>((a.size() + kBitmapThreads - 1) / kBitmapThreads);
    const auto combined = [&](BitmapOperation operation) {
      Words to = a;
      simt::launch({.grid = {blocks, 1, 1}, .block = {kBitmapThreads, 1, 1}}, combine_kernel,
                   operation, to.data(), b.data(), to.size(), documents);
      return to;
    };
    const Words both = combined(BitmapOperation::kAnd);
    const Words any = combined(BitmapOperation::kOr);
    const Words others = combined(BitmapOperation::kNot);
    const Words all = combined(BitmapOperation::kFill);
    for (std::uint64_t i = 0; i < a.size() * 64; ++i) {
      ASSERT_EQ(has(both, i), has(a, i) && has(b, i));
      ASSERT_EQ(has(any, i), has(a, i) || has(b, i));
      ASSERT_EQ(has(others, i), i < documents && !has(a, i));
      ASSERT_EQ(has(all, i), i < documents);
    }
    const std::uint32_t superblocks = padded_superblocks(documents);
    std::vector<std::uint16_t> ranges(superblocks, 0xabab);
    unsigned long long count = 5;
    simt::launch({.grid = {2, 1, 1}, .block = {kBitmapThreads, 1, 1}}, count_bits_kernel, a.data(),
                 std::size_t{codecs::ceil_div(documents, 64u)}, superblocks, ranges.data(), &count);
    unsigned long long expected = 5;
    for (const std::uint64_t word : a) expected += static_cast<unsigned>(std::popcount(word));
    EXPECT_EQ(count, expected);
    for (std::size_t r = 0; r < superblocks * 16; ++r) {
      ASSERT_EQ(ranges[r / 16] >> r % 16 & 1, r < a.size() && a[r] != 0 ? 1 : 0);
    }
  }
}

TEST(BitmapKernels, MarkListsOfAnyCodec) {
  std::mt19937_64 random(5);
  constexpr std::uint32_t kDocuments = 40000;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    SCOPED_TRACE(codec.name);
    codecs::EncodedLists lists(codec, codecs::Content::kDocids);
    std::vector<std::uint32_t> docids;
    for (std::uint32_t d = 0; d < kDocuments; d += 1 + static_cast<std::uint32_t>(random() % 30)) {
      docids.push_back(d);
    }
    lists.add(docids);
    lists.words.resize(lists.words.size() + 8);
    Words words(bitmap_room(kDocuments));
    words[3] = 1;  // what is there stays
    Words expected = words;
    for (const std::uint32_t d : docids) expected[d / 64] |= std::uint64_t{1} << d % 64;
    const MarkedList marked{codec.id, lists.view(0), lists.skips.data()};
    const auto tiles = codecs::tile_count(marked.list.count);
    simt::launch(
        {.grid = {codecs::ceil_div(tiles, kColumnWarps), 1, 1}, .block = {kColumnThreads, 1, 1}},
        mark_list_kernel<codecs::TileCodecs>, marked,
        reinterpret_cast<unsigned long long*>(words.data()));
    EXPECT_EQ(words, expected);
  }
}

}  // namespace
}  // namespace gannet::query::cuda
