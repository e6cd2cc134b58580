// Bounds are bounds, and pointers point to tiles.
#include "query/bounds/list_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "codecs/base/error.hpp"
#include "query/bounds/bounds_cache.hpp"
#include "query/bounds/dense_lists.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

/// A plan with one term, which has the parameters.
Plan plan_of(const index::Index& index, const std::string& term, std::uint64_t df, float k1,
             float b) {
  Plan::Parts parts;
  parts.scorer = bm25(k1, b);
  parts.collection = {index.statistics().documents, index.statistics().tokens};
  parts.terms = {{term, df, 1}};
  parts.expression = {{Node::Kind::kTerm, 0}};
  return Plan(parts);
}

class ListBoundsTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kTerms = 8;

  ListBoundsTest()
      : collection_(test::random_collection(70001, kTerms, 3)),
        index_(test::write_index(directory_.path(), collection_)) {}

  const index::Segment& segment() const { return *index_->segments().front(); }

  /// Calls visit(bounds, unit, term) for all lists that are not short.
  template <class Visit>
  void for_each_list(float k1, float b, Visit visit) {
    for (std::uint32_t t = 0; t < kTerms; ++t) {
      const std::string term = "t" + std::to_string(t);
      const auto id = segment().find(term);
      ASSERT_TRUE(id);
      const index::PostingList list = segment().list(*id);
      if (list.is_short()) continue;
      const Plan plan = plan_of(*index_, term, list.count, k1, b);
      const Contribution unit = Contribution::unit(plan, plan.terms()[0]);
      visit(make_list_bounds(segment(), list, unit, {}), unit, term);
    }
  }

  test::TemporaryDirectory directory_;
  test::Collection collection_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(ListBoundsTest, AreAtLeastEveryContribution) {
  for (const auto& [k1, b] : {std::pair(0.9f, 0.4f), std::pair(0.0f, 0.0f), std::pair(1e9f, 1.0f),
                              std::pair(2.0f, 0.75f)}) {
    for_each_list(k1, b,
                  [&](const ListBounds& bounds, const Contribution& unit, const std::string& term) {
                    ASSERT_EQ(bounds.codes.size(), padded_ranges(collection_.documents()));
                    std::vector<double> largest(bounds.codes.size());
                    for (std::uint32_t d = 0; d < collection_.documents(); ++d) {
                      const std::uint32_t frequency = collection_.frequency(term, d);
                      if (frequency == 0) continue;
                      const double score = unit(frequency, collection_.lengths[d]);
                      largest[d / kRange] = std::max(largest[d / kRange], score);
                    }
                    const double step = double{bounds.largest} / kTopCode;
                    for (std::size_t r = 0; r < largest.size(); ++r) {
                      ASSERT_EQ(bounds.codes[r] == 0, largest[r] == 0) << r;
                      ASSERT_GE(bounds.codes[r] * step, largest[r]) << r;
                      // And no larger than they have to be.
                      ASSERT_LE(bounds.codes[r] * step, largest[r] + 1.01 * step) << r;
                    }
                  });
  }
}

TEST_F(ListBoundsTest, RanksAreReached) {
  for_each_list(0.9f, 0.4f,
                [&](const ListBounds& bounds, const Contribution& unit, const std::string& term) {
                  std::vector<float> scores;
                  for (std::uint32_t d = 0; d < collection_.documents(); ++d) {
                    const std::uint32_t frequency = collection_.frequency(term, d);
                    if (frequency > 0) scores.push_back(unit(frequency, collection_.lengths[d]));
                  }
                  std::ranges::sort(scores, std::greater<>());
                  for (const std::uint32_t k : {1u, 10u, 11u, 100u, 1000u, 5000u, 10000u}) {
                    const float reached = bounds.reached_by(k);
                    if (scores.size() < k) {
                      ASSERT_EQ(reached, 0) << term << " " << k;
                    } else {
                      ASSERT_LE(reached, scores[k - 1]) << term << " " << k;
                    }
                    const auto stored = std::ranges::find(kListRanks, k);
                    if (stored != kListRanks.end() && scores.size() >= k) {
                      ASSERT_GT(reached, scores[k - 1] * 0.96) << term << " " << k;
                    }
                  }
                  ASSERT_EQ(bounds.reached_by(100001), 0);
                });
}

TEST_F(ListBoundsTest, PointersFindTheFirstTile) {
  for_each_list(0.9f, 0.4f,
                [&](const ListBounds& bounds, const Contribution&, const std::string& term) {
                  const auto& skips = bounds.list.skips;
                  for (std::uint32_t s = 0; s * kSuperblock < collection_.documents(); ++s) {
                    const auto found = std::ranges::lower_bound(skips, s * kSuperblock);
                    ASSERT_EQ(bounds.pointers.first_tile(s), found - skips.begin()) << term;
                  }
                });
}

TEST_F(ListBoundsTest, TakeNoMoreMemoryThanTheyMay) {
  const double postings = static_cast<double>(segment().statistics().postings);
  std::uint32_t before = 0xffffffffu;
  for (const double bits : {0.0, 0.05, 0.3, 2.5, 1000.0}) {
    const std::uint32_t least = least_dense_count(segment(), bits, {});
    EXPECT_LE(least, before);
    before = least;
    double bytes = 0;
    for_each_list(0.9f, 0.4f,
                  [&](const ListBounds& bounds, const Contribution&, const std::string&) {
                    if (bounds.list.count >= least) bytes += static_cast<double>(bounds.bytes());
                  });
    EXPECT_LE(bytes, postings * bits / 8 * 1.01);
    if (bits == 0) {
      EXPECT_EQ(bytes, 0);
    }
  }
  EXPECT_EQ(before, 128u);  // all that are not short
}

TEST_F(ListBoundsTest, AreKeptForTheLastScorers) {
  BoundsCache cache(index_, 1000);
  const Plan first = plan_of(*index_, "t0", 100, 0.5f, 0.5f);
  const index::TermId id = *segment().find("t0");
  const auto want = [&](const Plan& plan) {
    const auto scorer = cache.of(plan);
    const Contribution unit = Contribution::unit(plan, plan.terms()[0]);
    cache.make({{scorer.get(), 0, id, unit}, {scorer.get(), 0, id, unit}}, {});
    return scorer;
  };
  const auto kept = want(first);
  const ListBounds* const bounds = kept->segment(0).find(id);
  ASSERT_NE(bounds, nullptr);
  EXPECT_EQ(cache.bytes(), bounds->bytes());
  EXPECT_EQ(want(first)->segment(0).find(id), bounds);
  for (std::size_t i = 1; i < BoundsCache::kScorers; ++i) {
    want(plan_of(*index_, "t0", 100, static_cast<float>(i), 0.5f));
  }
  EXPECT_EQ(cache.of(first), kept);
  EXPECT_EQ(cache.bytes(), BoundsCache::kScorers * bounds->bytes());
  // One more: the others have been used longer ago.
  want(plan_of(*index_, "t0", 100, 9.0f, 0.5f));
  EXPECT_EQ(cache.of(first), kept);
  EXPECT_EQ(cache.bytes(), BoundsCache::kScorers * bounds->bytes());
  for (std::size_t i = 0; i < BoundsCache::kScorers; ++i) {
    want(plan_of(*index_, "t0", 100, 20.0f + static_cast<float>(i), 0.5f));
  }
  EXPECT_NE(cache.of(first), kept);
  EXPECT_EQ(kept->segment(0).find(id), bounds);  // searches under way have them still
}

TEST_F(ListBoundsTest, StopRequestsEndTheMaking) {
  std::stop_source source;
  source.request_stop();
  const index::PostingList list = segment().list(*segment().find("t0"));
  EXPECT_THROW(static_cast<void>(make_list_bounds(segment(), list, {}, source.get_token())),
               CancelledError);
  EXPECT_THROW(static_cast<void>(least_dense_count(segment(), 1, source.get_token())),
               CancelledError);
}

}  // namespace
}  // namespace gannet::query
