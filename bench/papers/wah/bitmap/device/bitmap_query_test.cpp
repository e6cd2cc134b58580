// On the GPU, queries select the rows that a look at every row selects.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_data.hpp"
#include "bench/papers/wah/bitmap/bitmap_exact.hpp"
#include "bench/papers/wah/bitmap/device/bitmap_fused.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah {
namespace {

template <class Word>
class CudaBitmap : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};
using WordTypes = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(CudaBitmap, WordTypes);

template <class Word>
void expect_agreement(const BinnedRows& data, std::uint32_t queries) {
  const BitmapIndex<Word> index = index_of<Word>(data);
  const cuda::DeviceBitmap<Word> device(index.view());
  cuda::FusedQuery<Word> fused(device);
  const std::vector<BitmapQuery> all = some_queries(data, data.rows, queries);
  std::vector<std::uint64_t> counts;
  for (std::size_t q = 0; q < all.size(); ++q) {
    const std::vector<std::uint32_t> rows = expected_rows(data, all[q]);
    const std::vector<Word> groups = groups_of<Word>(rows, data.rows);
    SCOPED_TRACE("fused, query " + std::to_string(q) + " of " + std::to_string(data.rows));
    ASSERT_EQ(fused.count(all[q]), rows.size());
    ASSERT_EQ(fused.select(all[q]), rows.size());
    ASSERT_EQ(fused.groups(), groups);
    ASSERT_EQ(fused.rows(), rows);
    counts.push_back(rows.size());
  }
  EXPECT_EQ(fused.counts(all), counts);
}

TYPED_TEST(CudaBitmap, TailsAndTileBoundaries) {
  constexpr std::uint32_t kRows = 8 * sizeof(TypeParam) - 1;
  for (const std::uint32_t rows : {1u, 2u, kRows - 1, kRows, kRows + 1, 32 * kRows - 1, 32 * kRows,
                                   32 * kRows + 1, 256 * kRows, 256 * kRows + 1, 10000u}) {
    expect_agreement<TypeParam>(random_attributes(rows, {3, 5, 2}, rows), 3);
  }
}

TYPED_TEST(CudaBitmap, NoiseAndLongRuns) {
  expect_agreement<TypeParam>(random_attributes(300'000, {10, 3, 25, 2, 64, 7, 12, 30, 5}, 3), 6);
}

TYPED_TEST(CudaBitmap, ManyBins) {
  expect_agreement<TypeParam>(random_attributes(60'000, {900, 700, 40}, 4), 4);
}

TYPED_TEST(CudaBitmap, MoreQueriesThanBlocks) {
  const BinnedRows data = random_attributes(9'000, {4, 9, 17}, 5);
  const BitmapIndex<TypeParam> index = index_of<TypeParam>(data);
  const cuda::DeviceBitmap<TypeParam> device(index.view());
  cuda::FusedQuery<TypeParam> fused(device);
  const auto queries = some_queries(data, 6, 3000);
  std::vector<std::uint64_t> expected;
  for (const BitmapQuery& query : queries) expected.push_back(count_rows(index.view(), query));
  for (int again = 0; again < 3; ++again) EXPECT_EQ(fused.counts(queries), expected);
  EXPECT_EQ(fused.counts(std::span(queries).first(17)),
            (std::vector<std::uint64_t>(expected.begin(), expected.begin() + 17)));
  EXPECT_TRUE(fused.counts({}).empty());
}

TYPED_TEST(CudaBitmap, ExactAnswersByACandidateCheck) {
  std::vector<BinKey> keys(20'000);
  for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = row * 2654435761u % 1'000'003;
  BitmapIndex<TypeParam> index(keys.size());
  index.add(make_bins(keys, Binning::kEqualDepth, 12), keys);
  const cuda::DeviceBitmap<TypeParam> device(index.view());
  cuda::FusedQuery<TypeParam> fused(device);
  const std::vector<KeyColumn> columns{keys};
  for (const ValueRange range : {ValueRange{0, 1000, 500'000}, ValueRange{0, 77'777, 77'999}}) {
    fused.select(index.touching({{range}}));
    const auto exact = check_candidates(fused.rows(), columns, {{range}});
    EXPECT_EQ(exact, exact_rows<TypeParam>(index, columns, {{range}}));
    EXPECT_EQ(exact.size(), std::count_if(keys.begin(), keys.end(), [&](BinKey key) {
                return range.least <= key && key <= range.most;
              }));
  }
}

TYPED_TEST(CudaBitmap, UsageErrors) {
  const BinnedRows data = random_attributes(500, {4, 4}, 7);
  const BitmapIndex<TypeParam> index = index_of<TypeParam>(data);
  const BitmapQuery query{{{0, 1}}};
  const cuda::DeviceBitmap<TypeParam> ranked(index.view());
  cuda::FusedQuery<TypeParam> fused(ranked);
  EXPECT_THROW(fused.count({{{8}}}), UsageError);
  EXPECT_THROW(fused.select({{{8}}}), UsageError);  // and leaves no selection
  EXPECT_THROW(fused.groups(), UsageError);
  EXPECT_THROW(fused.rows(), UsageError);
  EXPECT_THROW(fused.count({std::vector<std::vector<std::uint32_t>>(5000)}), UsageError);
  EXPECT_EQ(fused.count(query), count_rows(index.view(), query));
}

}  // namespace
}  // namespace gannet::wah
