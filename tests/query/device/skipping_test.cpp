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

constexpr std::uint32_t kDocuments = 1u << 17;
/// Several windows of the scoring kernel.
constexpr std::uint32_t kStretch = 8192;
/// So many that an item, which one warp runs, goes through several stretches.
constexpr std::size_t kQueries = 4096;

/// Every document has both terms, but only the first 64 of a stretch have them often: the k best
/// are among these, wherever an item begins, and no bound of another tile reaches them.
test::Collection few_are_good() {
  test::Collection collection;
  collection.lengths.assign(kDocuments, 100);
  for (const std::string term : {"left", "right"}) {
    std::vector<std::uint32_t> list(kDocuments, 1);
    for (std::uint32_t d = 0; d < kDocuments; ++d) list[d] = d % kStretch < 64 ? 50 : 1;
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

}  // namespace
}  // namespace gannet::query
