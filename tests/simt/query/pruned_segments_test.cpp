// The kernels of the pruned search in several segments at a time: one threshold, and the best
// superblocks of all of them first.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/simt/pruned/pruned_kernels.hpp"

namespace gannet::query::cuda {
namespace {

using test::kTerms;
using PrunedSegments = PrunedKernels;

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

const std::vector<std::uint32_t> kEnds{1, 2500, 2564, 6100, 7000};

TEST_F(PrunedSegments, AreSearchedTogether) {
  open_cut(test::random_collection(7000, kTerms, 5), kEnds);
  for (const std::uint32_t least_count : {0u, 300u, 0xffffffffu}) {
    SCOPED_TRACE(least_count);
    const auto plans = test::Queries(least_count + 31).plans(*searcher_, 8, {1, 10, 100});
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, least_count, 0);
    EXPECT_GT(counters.documents, 0u);
    expect_exact<Any, UsualScorers>(std::span(plans).first(5), least_count, 1);
    expect_exact<Packed, UsualScorers>(plans, least_count, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedSegments, LaterPagesOfAll) {
  open_cut(test::random_collection(7000, kTerms, 5), kEnds);
  const auto plans =
      test::pages_of(*searcher_, test::Queries(43).plans(*searcher_, 8, {1, 10, 100}), 43);
  expect_exact<Packed, UsualScorers>(plans, 300, 0);
  expect_exact<Packed, UsualScorers>(plans, 300, 0, PrunedPath::kWindows);
}

TEST_F(PrunedSegments, OfWhatPasses) {
  open_cut(test::random_collection(7000, kTerms, 6), kEnds);
  const auto plans = test::Queries(33).plans(*searcher_, 8, {1, 10, 100});
  for (const auto& [of, run] : {std::pair{4u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    for (const bool of_what_passes : {false, true}) {
      bounds_of_what_passes_ = of_what_passes;
      expect_exact<Packed, UsualScorers>(plans, 300, 2);
      expect_exact<Packed, UsualScorers>(plans, 300, 0, PrunedPath::kWindows);
    }
  }
}

TEST_F(PrunedSegments, WithFiltersOnCandidates) {
  open_cut(test::random_collection(7000, kTerms, 6), kEnds);
  const auto plans = test::Queries(33).plans(*searcher_, 8, {1, 10, 100});
  by_steps_ = true;
  for (const auto& [of, run] : {std::pair{4u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    expect_exact<Packed, UsualScorers>(plans, 300, 2);
  }
}

TEST_F(PrunedSegments, AsManySegmentsAsThereMayBe) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= kMaxBatchSegments; ++s) ends.push_back(s * 300);
  open_cut(test::random_collection(kMaxBatchSegments * 300, kTerms, 9), ends);
  const auto plans = test::Queries(35).plans(*searcher_, 20, {1, 10, 100});
  expect_exact<Packed, UsualScorers>(plans, 20, 0);
  SegmentViews full;
  for (const auto& copy : copies_) full.add(copy->view, 0);
  EXPECT_FALSE(full.takes(copy().view));
}

/// The best documents of each segment do not pass. Lists without bounds of what passes know the
/// largest contribution of all documents: that is not reached.
TEST_F(PrunedSegments, WhatDoesNotPassIsNotReached) {
  open_cut(test::collection_of(2000, 60,
                               [](std::uint32_t t, std::uint32_t d) -> std::uint32_t {
                                 if (d % 1000 == 5) return 50;
                                 return d % 7 == t ? 1 : 0;
                               }),
           {1000, 2000});
  for (const auto& copy : copies_) {
    DocumentBitmap& filter = filters_.emplace_back(copy->view.documents);
    for (std::uint32_t d = 0; d < filter.documents; d += 2) filter.add(d);
    filter_ranges_.push_back(filter_ranges(filter));
  }
  Query query;
  query.text = "t1 t2";
  query.k = 1;
  query.scorer = bm25(0.9f, 0.4f);
  const std::vector<Plan> plans{searcher_->plan(query)};
  for (const bool of_what_passes : {false, true}) {
    bounds_of_what_passes_ = of_what_passes;
    for (const std::uint32_t least_count : {0u, 0xffffffffu}) {
      expect_exact<Packed, UsualScorers>(plans, least_count, 0);
      expect_exact<Packed, UsualScorers>(plans, least_count, 0, PrunedPath::kWindows);
    }
  }
}

/// Each segment has 32 terms of its own: bounds take as many of all segments together.
TEST_F(PrunedSegments, PathsAreThoseOfAllTerms) {
  std::vector<std::uint32_t> ends;
  const test::Collection collection = test::terms_of_their_own(3, ends);
  open_cut(collection, ends);
  const auto path_of = [&](std::uint32_t terms, const char* sign) {
    Query query;
    query.text = "t0";
    for (std::uint32_t t = 1; t < terms; ++t) query.text += sign + std::to_string(t);
    const Plan plan = searcher_->plan(query);
    std::vector<std::span<const index::TermId>> ids;
    for (std::size_t s = 0; s < 3; ++s) ids.push_back(plan.binding().ids(s));
    return pruned_path(plan, ids);
  };
  EXPECT_EQ(path_of(32, " t"), PrunedPath::kBounds);
  EXPECT_EQ(path_of(33, " t"), PrunedPath::kWindows) << "though no segment has more than 32";
  EXPECT_EQ(path_of(96, " t"), PrunedPath::kWindows);
  EXPECT_EQ(path_of(32, " +t"), PrunedPath::kBounds);
  EXPECT_EQ(path_of(33, " +t"), std::nullopt);
}

/// Blocks that begin in the middle of a segment, and go on in the next one.
TEST_F(PrunedSegments, WindowsOfSeveral) {
  constexpr std::uint32_t kEnd = 5 * kWindowDocuments;
  open_cut(test::collection_of(kEnd, 20,
                               [](std::uint32_t t, std::uint32_t d) {
                                 return (d * 2654435761u >> 8) % (20 + 60 * t) == 0
                                            ? 1 + (d + t) % 4
                                            : 0;
                               }),
           {2 * kWindowDocuments + 3000, 2 * kWindowDocuments + 3001, kEnd});
  const auto plans = test::Queries(17).plans(*searcher_, 40, {1, 10, 1000});
  expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 0, PrunedPath::kWindows);
}

}  // namespace
}  // namespace gannet::query::cuda
