// The kernels of the pruned search, thread for thread on the host: what they find out of lists is
// what the host finds out, and what they find for queries is what exhaustive searches find.
#include "tests/support/simt/pruned/pruned_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "query/bounds/list_bounds.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"

namespace gannet::query::cuda {
namespace {

using test::kTerms;

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

TEST_F(PrunedKernels, ComputeWhatTheHostComputes) {
  open(test::random_collection(9000, kTerms, 3));
  const auto all = units(bm25(0.9f, 0.4f));
  const KernelListStats<Packed, UsualScorers> computed(copy(), all, 0);
  for (std::uint32_t id = 0; id < all.size(); ++id) {
    const index::PostingList list = segment().list(id);
    if (list.is_short()) continue;
    const ListBounds bounds = make_list_bounds(segment(), list, all[id], {});
    const ListStats& stats = computed.stats[id];
    EXPECT_EQ(stats.largest, bounds.largest);
    // The host knows more ranks.
    for (std::size_t r = 0; r < kKnownRankCount; ++r) {
      const auto rank = std::ranges::find(kListRanks, kKnownRanks[r]);
      ASSERT_NE(rank, kListRanks.end()) << kKnownRanks[r];
      EXPECT_EQ(stats.at_rank[r],
                bounds.at_rank[static_cast<std::size_t>(rank - kListRanks.begin())]);
    }
    const std::uint32_t ranges = codecs::ceil_div(copy().view.documents, kRange);
    EXPECT_TRUE(std::equal(stats.room.codes, stats.room.codes + ranges, bounds.codes.begin()));
    for (std::uint32_t s = 0; s * kSuperblock < copy().view.documents; ++s) {
      const std::uint32_t group = stats.room.bases[s / kPointerGroup] + stats.room.steps[s];
      EXPECT_EQ(group / kGroupsPerTile, bounds.pointers.first_tile(s)) << id << ' ' << s;
    }
  }
}

TEST_F(PrunedKernels, ComputeWhatIsTrueOfWhatPasses) {
  open(test::random_collection(9000, kTerms, 3));
  filter(1, 30, 2);
  const auto all_units = units(bm25(0.9f, 0.4f));
  const KernelListStats<Packed, UsualScorers> all(copy(), all_units, 200);
  const KernelListStats<Packed, UsualScorers> passing(copy(), all_units, all,
                                                      filters_.front().words);
  for (std::uint32_t id = 0; id < all_units.size(); ++id) {
    std::vector<float> largest(padded_superblocks(copy().view.documents) * kRangesPerSuperblock);
    std::vector<float> contributions;
    const index::PostingList list = segment().list(id);
    std::vector<std::uint32_t> docids(list.count), frequencies(list.count);
    list.decode_docids(docids.data());
    list.decode_frequencies(frequencies.data());
    for (std::size_t i = 0; i < docids.size(); ++i) {
      if (!filters_.front().has(docids[i])) continue;
      const std::uint32_t length = segment().document_lengths()[docids[i]];
      contributions.push_back(all_units[id](frequencies[i], length));
      float& in_range = largest[docids[i] / kRange];
      in_range = std::max(in_range, contributions.back());
    }
    std::ranges::sort(contributions, std::greater<>());
    const ListStats& stats = passing.stats[id];
    for (std::size_t r = 0; r < kKnownRankCount; ++r) {
      const bool there = kKnownRanks[r] <= contributions.size();
      EXPECT_LE(stats.at_rank[r], there ? contributions[kKnownRanks[r] - 1] : 0);
      EXPECT_EQ(stats.at_rank[r] > 0, there) << id;
    }
    if (stats.room.codes == nullptr || contributions.empty()) continue;
    EXPECT_EQ(stats.largest, contributions.front());
    EXPECT_EQ(stats.room.steps, all.stats[id].room.steps) << "pointers are those of all documents";
    const float per_unit = codes_per_unit(stats.largest);
    for (std::size_t r = 0; r < largest.size(); ++r) {
      EXPECT_EQ(stats.room.codes[r], code_of(largest[r], per_unit)) << id << ' ' << r;
    }
  }
}

TEST_F(PrunedKernels, FindWhatExhaustiveSearchesFind) {
  open(test::random_collection(7000, kTerms, 5));
  for (const std::uint32_t least_count : {0u, 1000u, 0xffffffffu}) {
    SCOPED_TRACE(least_count);
    const auto plans = test::Queries(least_count + 1).plans(*searcher_, 40, {1, 10, 100});
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, least_count, 0);
    EXPECT_GT(counters.ranges, 0u);
    EXPECT_GT(counters.documents, 0u);
  }
}

TEST_F(PrunedKernels, FindLaterPages) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans =
      test::pages_of(*searcher_, test::Queries(41).plans(*searcher_, 40, {1, 10, 100}), 41);
  expect_exact<Packed, UsualScorers>(plans, 300, 0);
  expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  expect_exact<Any, UsualScorers>(std::span(plans).first(5), 300, 1);
  filter(21, 20, 1);
  expect_exact<Packed, UsualScorers>(plans, 1000, 0);
  expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
}

/// Hundreds of documents have the score of the cursor.
TEST_F(PrunedKernels, FindLaterPagesOfEqualScores) {
  open(test::hard_collections().front().collection);
  const auto plans =
      test::pages_of(*searcher_, test::Queries(42).plans(*searcher_, 20, {3, 50}), 42);
  expect_exact<Packed, UsualScorers>(plans, 300, 0);
  expect_exact<Packed, UsualScorers>(plans, 300, 0, PrunedPath::kWindows);
}

TEST_F(PrunedKernels, OfDocumentsThatPassAFilter) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(11).plans(*searcher_, 30, {1, 10, 100});
  std::uint64_t before = ~std::uint64_t{0};
  for (const auto& [of, run] : {std::pair{2u, 1u}, {20u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 1000, 0);
    EXPECT_LT(counters.documents, before) << "the fewer pass, the fewer are scored";
    before = counters.documents;
    expect_exact<Any, UsualScorers>(std::span(plans).first(5), 300, 1);
    expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, EvaluateAFilterOnCandidates) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(11).plans(*searcher_, 30, {1, 10, 100});
  by_steps_ = true;
  std::uint64_t before = ~std::uint64_t{0};
  for (const auto& [of, run] : {std::pair{2u, 1u}, {20u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 1000, 0);
    EXPECT_LT(counters.documents, before) << "the fewer pass, the fewer are scored";
    before = counters.documents;
    expect_exact<Any, UsualScorers>(std::span(plans).first(5), 300, 1);
  }
}

TEST_F(PrunedKernels, ByBoundsOfWhatPasses) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(12).plans(*searcher_, 7, {1, 10, 100});
  for (const auto& [of, run] : {std::pair{4u, 1u}, {100u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    bounds_of_what_passes_ = false;
    const PrunedCounters before = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    bounds_of_what_passes_ = true;
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    EXPECT_LT(counters.ranges, before.ranges);
    EXPECT_LE(counters.documents, before.documents);
    expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 1);
    expect_exact<Any, UsualScorers>(std::span(plans).first(5), 300, 1);
    expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, DeletedDocumentsHaveNoRanks) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(13).plans(*searcher_, 30, {1, 10, 100});
  for (const auto& [of, run] : {std::pair{1000u, 1u}, {1000u, 300u}, {10u, 1u}, {3u, 9u}}) {
    SCOPED_TRACE(of);
    filter(of, of, run, true);
    filters_are_deletions_ = false;
    const PrunedCounters before = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    filters_are_deletions_ = true;
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    EXPECT_LE(counters.ranges, before.ranges) << "searches begin with a score that is reached";
    EXPECT_LE(counters.documents, before.documents);
    expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, InAnyOrderOfThreads) {
  open(test::random_collection(3000, kTerms, 6));
  for (const std::uint64_t seed : {1u, 2u}) {
    const auto plans = test::Queries(7).plans(*searcher_, 10, {3, 30});
    expect_exact<Packed, UsualScorers>(plans, 300, seed);
  }
}

TEST_F(PrunedKernels, ForOtherCodecs) {
  index::WriteOptions options;
  options.docid_codec = &codecs::list_codec_named("gpu-vbyte128");
  options.freq_codec = &codecs::list_codec_named("gpu-dfor");
  open(test::random_collection(3000, kTerms, 8), options);
  const auto plans = test::Queries(9).plans(*searcher_, 20, {1, 10, 100});
  expect_exact<Any, UsualScorers>(plans, 200, 0);
}

TEST_F(PrunedKernels, OfListsElsewhere) {
  for (const char* codec : {"gpu-bp128", "gpu-vbyte128"}) {
    SCOPED_TRACE(codec);
    index::WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(codec);
    open(test::random_collection(4000, kTerms, 5), options);
    const auto plans = test::Queries(21).plans(*searcher_, 30, {1, 10, 100});
    copy().split(copy().words.size() / 3);
    const auto exact = [&](PrunedPath path, std::uint32_t least_count) {
      const unsigned long long before = copy().host_bytes_read;
      if (options.docid_codec->id == PackedTiles::Codec::id) {
        expect_exact<Packed, UsualScorers>(plans, least_count, 0, path);
      } else {
        expect_exact<Any, UsualScorers>(plans, least_count, 0, path);
      }
      EXPECT_GT(copy().host_bytes_read, before);
    };
    exact(PrunedPath::kBounds, 300);
    exact(PrunedPath::kBounds, 0xffffffff);
    exact(PrunedPath::kWindows, 0xffffffff);
  }
}

/// Two chunks of documents, short lists that cross from one to the other.
TEST_F(PrunedKernels, AcrossChunks) {
  open(test::collection_of(kChunkDocuments + 2000, 70, [](std::uint32_t t, std::uint32_t d) {
    return (d * 2654435761u >> 8) % (500 + 3000 * t) == 0 || d / 300 == kChunkDocuments / 300
               ? 1 + d % 3
               : 0;
  }));
  const auto plans = test::Queries(10).plans(*searcher_, 10, {1, 10});
  expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 0);
}

/// Three windows of documents, by two blocks; every posting of the plans' lists is scored.
TEST_F(PrunedKernels, WindowsWithoutBounds) {
  open(test::collection_of(2 * kWindowDocuments + 3000, 30, [](std::uint32_t t, std::uint32_t d) {
    return (d * 2654435761u >> 8) % (20 + 60 * t) == 0 || d / 200 == kWindowDocuments / 200
               ? 1 + (d + t) % 4
               : 0;
  }));
  const auto plans = test::Queries(11).plans(*searcher_, 20, {1, 10, 100, 50000});
  const PrunedCounters counters =
      expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 0, PrunedPath::kWindows);
  EXPECT_GT(counters.tiles, 0u);
  EXPECT_GT(counters.documents, 0u);
}

TEST_F(PrunedKernels, WindowsInAnyOrderOfThreads) {
  index::WriteOptions options;
  options.docid_codec = &codecs::list_codec_named("gpu-dfor");
  open(test::random_collection(4000, kTerms, 12), options);
  const auto plans = test::Queries(13).plans(*searcher_, 10, {3, 30});
  expect_exact<Any, UsualScorers>(plans, 300, 3, PrunedPath::kWindows);
}

}  // namespace
}  // namespace gannet::query::cuda
