// Binning: hand-computed bins, ties, k-means against its definition, all integer types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_bins.hpp"
#include "codecs/base/error.hpp"

namespace gannet::wah {
namespace {

using ::testing::ElementsAre;
using Keys = std::vector<BinKey>;

Keys smallest_of(const Bins& bins) {
  Keys result;
  for (std::uint32_t i = 0; i < bins.size(); ++i) result.push_back(bins[i].smallest);
  return result;
}

Keys largest_of(const Bins& bins) {
  Keys result;
  for (std::uint32_t i = 0; i < bins.size(); ++i) result.push_back(bins[i].largest);
  return result;
}

TEST(BitmapBins, KeysKeepTheOrderAndTheDifferences) {
  EXPECT_EQ(bin_key<std::int8_t>(-128), 0u);
  EXPECT_EQ(bin_key<std::int8_t>(127), 255u);
  EXPECT_EQ(bin_key<std::uint16_t>(65535), 65535u);
  EXPECT_EQ(bin_key<std::int64_t>(std::numeric_limits<std::int64_t>::min()), 0u);
  EXPECT_EQ(bin_key<std::int64_t>(-1) + 1, bin_key<std::int64_t>(0));
  EXPECT_EQ(bin_key<std::int64_t>(std::numeric_limits<std::int64_t>::max()), ~BinKey{0});
  EXPECT_EQ(bin_key<std::uint64_t>(~std::uint64_t{0}), ~BinKey{0});
}

TEST(BitmapBins, EqualWidthByHand) {
  // 10 .. 29 in four parts of 5: [10, 15), [15, 20), [20, 25), [25, 30). Nothing is in the third.
  const Bins bins = make_bins(Keys{10, 29, 14, 15, 19, 25, 12}, Binning::kEqualWidth, 4);
  EXPECT_THAT(smallest_of(bins), ElementsAre(10, 15, 25));
  EXPECT_THAT(largest_of(bins), ElementsAre(14, 19, 29));
  EXPECT_EQ(bins.bin_of(0), 0u);
  EXPECT_EQ(bins.bin_of(14), 0u);
  EXPECT_EQ(bins.bin_of(15), 1u);
  EXPECT_EQ(bins.bin_of(24), 1u);
  EXPECT_EQ(bins.bin_of(25), 2u);
  EXPECT_EQ(bins.bin_of(~BinKey{0}), 2u);
}

TEST(BitmapBins, EqualWidthOverTheWholeRange) {
  const Keys ends{0, ~BinKey{0}, ~BinKey{0} / 2, ~BinKey{0} / 2 + 1};
  const Bins bins = make_bins(ends, Binning::kEqualWidth, 2);
  EXPECT_THAT(smallest_of(bins), ElementsAre(0, ~BinKey{0} / 2 + 1));
  EXPECT_EQ(make_bins(ends, Binning::kEqualWidth, 1).size(), 1u);
}

TEST(BitmapBins, EqualDepthByHand) {
  const Bins bins = make_bins(Keys{9, 1, 8, 2, 7, 3, 6, 4, 5}, Binning::kEqualDepth, 3);
  EXPECT_THAT(smallest_of(bins), ElementsAre(1, 4, 7));
}

TEST(BitmapBins, EqualDepthKeepsEqualValuesTogether) {
  // Twelve rows in four parts of three; the 5s, eight of them, begin in the first part.
  const Keys keys{1, 5, 5, 5, 5, 5, 5, 5, 5, 7, 8, 9};
  const Bins bins = make_bins(keys, Binning::kEqualDepth, 4);
  EXPECT_THAT(smallest_of(bins), ElementsAre(1, 7));
  EXPECT_THAT(largest_of(bins), ElementsAre(5, 9));
  EXPECT_EQ(make_bins(Keys(100, 3), Binning::kEqualDepth, 10).size(), 1u);
}

TEST(BitmapBins, EqualDepthIsEvenWithoutTies) {
  Keys keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = (i * 7919) % 100'003;
  const Bins bins = make_bins(keys, Binning::kEqualDepth, 7);
  std::vector<std::uint32_t> rows(bins.size());
  for (const std::uint32_t bin : bins.assign(keys)) ++rows[bin];
  ASSERT_EQ(rows.size(), 7u);
  for (const std::uint32_t count : rows) EXPECT_NEAR(count, 1000 / 7.0, 1);
}

TEST(BitmapBins, KMeansFindsSeparateClusters) {
  Keys keys;
  for (const BinKey centre : {1000, 5000, 5400, 90'000}) {
    for (BinKey i = 0; i < 50; ++i) keys.push_back(centre + i);
  }
  const Bins bins = make_bins(keys, Binning::kKMeans, 4);
  EXPECT_THAT(smallest_of(bins), ElementsAre(1000, 5000, 5400, 90'000));
}

/// Every value is in a bin whose mean is (one of) the nearest to it: what Lloyd's algorithm ends
/// with.
void expect_fixed_point(const Keys& keys, const Bins& bins) {
  std::vector<long double> sums(bins.size());
  std::vector<long double> rows(bins.size());
  const std::vector<std::uint32_t> assigned = bins.assign(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sums[assigned[i]] += static_cast<long double>(keys[i]);
    rows[assigned[i]] += 1;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto distance = [&](std::size_t bin) {
      return std::fabs(static_cast<long double>(keys[i]) - sums[bin] / rows[bin]);
    };
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      ASSERT_LE(distance(assigned[i]), distance(bin) + 1e-5L) << keys[i];
    }
  }
}

TEST(BitmapBins, KMeansConvergesAndIsDeterministic) {
  std::mt19937_64 random(11);
  for (const std::uint32_t count : {1u, 2u, 5u, 25u, 60u}) {
    Keys keys(5000);
    for (auto& key : keys) {
      key = static_cast<BinKey>(std::exp2(static_cast<double>(random() % 2000) / 100.0));
    }
    const Bins bins = make_bins(keys, Binning::kKMeans, count);
    EXPECT_LE(bins.size(), count);
    expect_fixed_point(keys, bins);
    std::shuffle(keys.begin(), keys.end(), random);
    const Bins again = make_bins(keys, Binning::kKMeans, count);
    EXPECT_EQ(smallest_of(again), smallest_of(bins));
    EXPECT_EQ(largest_of(again), largest_of(bins));
  }
}

TEST(BitmapBins, KMeansLowersTheSquaredErrorOfItsStart) {
  std::mt19937_64 random(12);
  Keys keys(4000);
  for (auto& key : keys) key = (random() % 100) * (random() % 100) * (random() % 100);
  const auto error = [&](const Bins& bins) {
    std::vector<double> sums(bins.size());
    std::vector<double> rows(bins.size());
    const auto assigned = bins.assign(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      sums[assigned[i]] += static_cast<double>(keys[i]);
      rows[assigned[i]] += 1;
    }
    double total = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const double away = static_cast<double>(keys[i]) - sums[assigned[i]] / rows[assigned[i]];
      total += away * away;
    }
    return total;
  };
  const double start = error(make_bins(keys, Binning::kEqualDepth, 12));
  const double one = error(make_bins(keys, Binning::kKMeans, 12, 1));
  const double end = error(make_bins(keys, Binning::kKMeans, 12));
  EXPECT_EQ(error(make_bins(keys, Binning::kKMeans, 12, 0)), start);
  EXPECT_LT(one, start);
  EXPECT_LT(end, one);
}

TEST(BitmapBins, KMeansWithHugeKeys) {
  const Keys keys{0, 1, ~BinKey{0}, ~BinKey{0} - 1, ~BinKey{0} / 2};
  const Bins bins = make_bins(keys, Binning::kKMeans, 3);
  EXPECT_THAT(smallest_of(bins), ElementsAre(0, ~BinKey{0} / 2, ~BinKey{0} - 1));
}

TEST(BitmapBins, ABinAValue) {
  const Bins bins = distinct_bins(Keys{7, 3, 7, 9, 3});
  EXPECT_THAT(smallest_of(bins), ElementsAre(3, 7, 9));
  EXPECT_EQ(smallest_of(bins), largest_of(bins));
  EXPECT_THAT(bins.assign(Keys{9, 3, 7}), ElementsAre(2, 0, 1));
}

TEST(BitmapBins, WidenedForOtherColumns) {
  const Bins bins = make_bins(Keys{10, 20, 30}, Binning::kEqualWidth, 3);
  const Keys other{5, 19, 25, 99};
  const Bins wide = bins.widened(other, bins.assign(other));
  // A bin begins with its smallest value: 19 still belongs to the first.
  EXPECT_THAT(smallest_of(wide), ElementsAre(5, 20, 30));
  EXPECT_THAT(largest_of(wide), ElementsAre(19, 25, 99));
}

TEST(BitmapBins, WrongUse) {
  EXPECT_THROW(make_bins(Keys{}, Binning::kEqualWidth, 3), UsageError);
  EXPECT_THROW(make_bins(Keys{1}, Binning::kEqualWidth, 0), UsageError);
  EXPECT_THROW(make_bins(Keys{1}, Binning::kKMeans, (1u << 20) + 1), UsageError);
  EXPECT_THROW(distinct_bins(Keys{}), UsageError);
  EXPECT_THROW(Bins({}), UsageError);
  EXPECT_THROW(Bins({{1, 1, 2}}), UsageError);
  EXPECT_THROW(Bins({{0, 0, 5}, {5, 5, 6}}), UsageError);
  EXPECT_THROW(Bins({{0, 3, 2}}), UsageError);
  EXPECT_NO_THROW(Bins({{0, 0, 5}, {6, 6, 6}}));
}

}  // namespace
}  // namespace gannet::wah
