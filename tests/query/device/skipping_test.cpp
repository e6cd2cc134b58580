// Bounds spare work on the GPU: tiles that cannot give a hit are not decoded. Without that, every
// comparison of results would pass as well.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kSkippedDocuments = 1u << 17;
/// Several windows of the scoring kernel.
constexpr std::uint32_t kStretch = 8192;
/// So many that an item, which one warp runs, goes through several stretches.
constexpr std::size_t kQueries = 4096;

/// Every document has both terms, but only the first 64 of a stretch have them often: the k best
/// are among these, wherever an item begins, and no bound of another tile reaches them.
test::Collection few_are_good() {
  test::Collection collection;
  collection.lengths.assign(kSkippedDocuments, 100);
  for (const std::string term : {"left", "right"}) {
    std::vector<std::uint32_t> list(kSkippedDocuments, 1);
    for (std::uint32_t d = 0; d < kSkippedDocuments; ++d) list[d] = d % kStretch < 64 ? 50 : 1;
    collection.frequencies[term] = std::move(list);
  }
  return collection;
}

class CudaSkipping : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  Report report_of_batch() {
    const test::TemporaryDirectory directory;
    const auto index = test::write_index(directory / "index", few_are_good());
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    Searcher searcher(index, options);
    Query query;
    query.text = GetParam();
    const std::vector<Plan> plans(kQueries, searcher.plan(query));
    Report report;
    const auto results = searcher.search(std::span(plans), &report);
    EXPECT_EQ(results.size(), kQueries);
    return report;
  }
};

TEST_P(CudaSkipping, FewTilesAreDecodedWhereFewDocumentsAreGood) {
  const Report report = report_of_batch();
  EXPECT_GT(report.tiles_decoded, 0u);
  EXPECT_LT(report.tiles_decoded, report.tiles_total / 10 * 6);
}

INSTANTIATE_TEST_SUITE_P(Queries, CudaSkipping, ::testing::Values("left right", "+left right"));

/// A list of 40 tiles that ends in the first tenth of the documents, and one that all have.
test::Collection one_ends_early() {
  test::Collection collection;
  collection.lengths.assign(kSkippedDocuments, 100);
  std::vector<std::uint32_t> early(kSkippedDocuments, 0);
  for (std::uint32_t d = 0; d < 12'800; ++d) early[d] = d % 5 < 2 ? 1 : 0;
  collection.frequencies["early"] = std::move(early);
  collection.frequencies["everywhere"] = std::vector<std::uint32_t>(kSkippedDocuments, 1);
  return collection;
}

/// Items behind the end of a list read nothing of it: no tile is decoded but by the item whose
/// documents it has, or by the two that share it.
TEST(CudaExhaustedList, IsNotReadByItemsBehindItsEnd) {
  std::string why;
  if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  const test::TemporaryDirectory directory;
  SearcherOptions options;
  options.backend = BackendChoice::kCuda;
  options.cuda.pool_bytes = std::uint64_t{64} << 20;
  const Searcher searcher(test::write_index(directory / "index", one_ends_early()), options);
  // Counting decodes every tile that can have a match; a query has at most this many items.
  constexpr std::uint64_t kItems = 32;
  constexpr std::uint64_t kTiles = 40 + kSkippedDocuments / 128;
  Query query;
  query.want = Want::kCount;
  query.text = "early everywhere";
  for (const Mode mode : {Mode::kOr, Mode::kAnd}) {
    query.mode = mode;
    const Plan plan = searcher.plan(query);
    Report report;
    const Results results = searcher.search(std::span(&plan, 1), &report);
    EXPECT_EQ(results[0].count, mode == Mode::kOr ? kSkippedDocuments : 5'120u);
    ASSERT_EQ(report.tiles_total, kTiles);
    EXPECT_LE(report.tiles_decoded, mode == Mode::kOr ? kTiles + 2 * kItems : kTiles / 4);
  }
}

}  // namespace
}  // namespace gannet::query
