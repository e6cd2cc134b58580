// On the GPU, the paper's baseline, its ten combinations and all reductions select the rows that a
// look at every row selects.
#include "bench/papers/wah/staged_query.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_data.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"

namespace gannet::wah::papers {
namespace {

template <class Word>
class CudaStagedQuery : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};
using WordTypes = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(CudaStagedQuery, WordTypes);

std::vector<WahPlan> every_plan() {
  std::vector<WahPlan> plans;
  for (const bool together : {false, true}) {
    for (const WahPlan& plan : paper_plans(together)) {
      for (const WahReduction reduction :
           {WahReduction::kHybrid, WahReduction::kRows, WahReduction::kColumns}) {
        plans.push_back(plan);
        plans.back().reduction = reduction;
      }
    }
  }
  return plans;
}

template <class Word>
void expect_agreement(const BinnedRows& data, std::uint32_t queries) {
  const BitmapIndex<Word> index = index_of<Word>(data);
  const cuda::DeviceBitmap<Word> device(index.view());
  const StagedMetadata<Word> metadata(device, BitmapMetadata::all());
  StagedQuery<Word> staged(device, metadata, 2 * device.vectors() + 8, true);
  const std::vector<BitmapQuery> all = some_queries(data, data.rows, queries);
  for (std::size_t q = 0; q < all.size(); ++q) {
    const std::vector<std::uint32_t> rows = expected_rows(data, all[q]);
    const std::vector<Word> groups = groups_of<Word>(rows, data.rows);
    for (const WahPlan& plan : every_plan()) {
      SCOPED_TRACE(name_of(plan) + ", query " + std::to_string(q) + " of " +
                   std::to_string(data.rows) + " rows");
      ASSERT_EQ(staged.count(all[q], plan), rows.size());
      ASSERT_EQ(staged.groups(), groups);
      if (plan.reduction == WahReduction::kHybrid && all[q].vectors() > 0) {
        const std::size_t times = plan.together ? 1 : all[q].vectors();
        EXPECT_EQ(staged.memory_calls(), memory_calls(plan) * times);
      }
    }
  }
}

TYPED_TEST(CudaStagedQuery, TailsAndTileBoundaries) {
  constexpr std::uint32_t kRows = 8 * sizeof(TypeParam) - 1;
  for (const std::uint32_t rows : {1u, 2u, kRows - 1, kRows, kRows + 1, 32 * kRows - 1, 32 * kRows,
                                   32 * kRows + 1, 256 * kRows, 256 * kRows + 1, 10000u}) {
    expect_agreement<TypeParam>(random_attributes(rows, {3, 5, 2}, rows), 3);
  }
}

TYPED_TEST(CudaStagedQuery, NoiseAndLongRuns) {
  expect_agreement<TypeParam>(random_attributes(300'000, {10, 3, 25, 2, 64, 7, 12, 30, 5}, 3), 6);
}

TYPED_TEST(CudaStagedQuery, ManyBins) {
  expect_agreement<TypeParam>(random_attributes(60'000, {900, 700, 40}, 4), 4);
}

TYPED_TEST(CudaStagedQuery, UsageErrors) {
  const BinnedRows data = random_attributes(500, {4, 4}, 7);
  const BitmapIndex<TypeParam> index = index_of<TypeParam>(data);
  const cuda::DeviceBitmap<TypeParam> bare(index.view());
  const StagedMetadata<TypeParam> none(bare);
  StagedQuery<TypeParam> staged(bare, none, 4, false);
  const BitmapQuery query{{{0, 1}}};
  EXPECT_NO_THROW(staged.count(query, {}));
  for (const WahPlan plan : {WahPlan{.reuse = true, .metadata = WahMetadata::kStage2As32},
                             WahPlan{.reuse = true, .metadata = WahMetadata::kStage4As32},
                             WahPlan{.reuse = true, .pool = true}, WahPlan{.pool = true}}) {
    EXPECT_THROW(staged.count(query, plan), UsageError) << name_of(plan);
  }
  EXPECT_THROW(staged.count({{{8}}}, {}), UsageError);
  EXPECT_THROW(staged.count({{{0, 1, 2, 3, 4}}}, {}), UsageError);
}

}  // namespace
}  // namespace gannet::wah::papers
