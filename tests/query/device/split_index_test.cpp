// An index that is larger than its share of device memory: the same answers, lists read over the
// bus.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class CudaSplitIndex : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  static SearcherOptions with(BackendChoice backend, std::uint64_t index_bytes) {
    SearcherOptions options;
    options.backend = backend;
    options.cuda.index_bytes = index_bytes;
    return options;
  }

  /// Skips, bounds of tiles, lengths: what must be on the device.
  static std::uint64_t fixed_bytes(const index::Index& index) {
    std::uint64_t bytes = 0;
    for (const auto& segment : index.segments()) {
      bytes += 3 * (segment->skips().size_bytes() + 4 * segment->statistics().terms + 32) +
               segment->document_lengths().size_bytes() + 64;
    }
    return bytes;
  }

  static void expect_same(const Searcher& one, const Searcher& other, std::span<const Plan> plans,
                          Report& report, const SearchOptions& options = {}) {
    const Results found = one.search(plans, &report, options);
    const Results expected = other.search(plans, nullptr, options);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_F(CudaSplitIndex, AnswersAsTheHostDoes) {
  const auto index =
      test::write_index(directory_ / "index", test::random_collection(60'000, test::kTerms, 3));
  const Searcher host(index, with(BackendChoice::kCpu, 0));
  const std::uint64_t words = index->segments()[0]->words().size_bytes();
  for (const std::uint64_t share : {0u, 10u, 50u}) {
    SCOPED_TRACE(share);
    const Searcher searcher(index,
                            with(BackendChoice::kCuda, fixed_bytes(*index) + words * share / 100));
    const auto plans = test::Queries(static_cast<unsigned>(share)).plans(host, 300, {1, 10, 1000});
    Report report;
    expect_same(searcher, host, plans, report);
    EXPECT_GT(report.host_bytes_read, 0u);
    EXPECT_EQ(report.backend, "cuda");
    Report exhaustive;
    expect_same(searcher, host, plans, exhaustive, {.stop = {}, .exhaustive = true});
    // (Where lists have moved meanwhile, that may be less than before.)
    EXPECT_GT(exhaustive.host_bytes_read, 0u);
    Report docids;
    std::vector<Plan> all;
    for (const Plan& plan : plans) all.push_back(plan.with_want(Want::kDocids));
    expect_same(searcher, host, all, docids);
  }
}

TEST_F(CudaSplitIndex, UsedListsComeToTheDevice) {
  const auto index =
      test::write_index(directory_ / "index", test::random_collection(60'000, test::kTerms, 3));
  const std::uint64_t words = index->segments()[0]->words().size_bytes();
  const Searcher searcher(index, with(BackendChoice::kCuda, fixed_bytes(*index) + words * 7 / 10));
  const auto bytes_read = [&](std::uint32_t term, std::size_t times) {
    Query query;
    query.text = "t" + std::to_string(term);
    const std::vector<Plan> plans(times, searcher.plan(query));
    Report report;
    const Results found =
        searcher.search(std::span(plans), &report, {.stop = {}, .exhaustive = true});
    EXPECT_EQ(found.size(), times);
    return report.host_bytes_read;
  };
  std::uint32_t far = 0;
  while (far < test::kTerms && bytes_read(far, 1) == 0) ++far;
  ASSERT_LT(far, test::kTerms) << "not all lists fit";
  int round = 0;
  while (round < 400 && bytes_read(far, 50) > 0) ++round;
  EXPECT_LT(round, 400) << "it was used more than any other, and should be there";
}

TEST_F(CudaSplitIndex, WhileManySearchIt) {
  const auto index =
      test::write_index(directory_ / "index", test::random_collection(20'000, test::kTerms, 5));
  const Searcher host(index, with(BackendChoice::kCpu, 0));
  const Searcher searcher(index, with(BackendChoice::kCuda, fixed_bytes(*index) + 4096));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned round = 0; round < 30; ++round) {
        Report report;
        expect_same(searcher, host, test::Queries(100 * t + round).plans(host, 40, {10}), report);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CudaSplitIndex, NeedsRoomForWhatRulesOutWork) {
  const auto index =
      test::write_index(directory_ / "index", test::random_collection(20'000, test::kTerms, 7));
  EXPECT_THROW(Searcher(index, with(BackendChoice::kCuda, 1000)), DeviceMemoryError);
}

}  // namespace
}  // namespace gannet::query
