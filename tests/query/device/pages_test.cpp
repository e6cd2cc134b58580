// Pages of hits on the GPU: same documents, same order, same score bits as those of the CPU.
#include "tests/support/query/pages.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::kTerms;
using IndexPointer = std::shared_ptr<const index::Index>;

class CudaPages : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  static Searcher cuda(IndexPointer index, double bits) {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.bounds_bits = bits;
    return Searcher(std::move(index), options);
  }

  static Searcher cpu(IndexPointer index) {
    return Searcher(std::move(index), {.backend = BackendChoice::kCpu});
  }

  /// Pages among first pages, in one batch; pruned and by the exhaustive kernels.
  static void expect_pages(const IndexPointer& index, unsigned seed, std::size_t queries = 160) {
    const Searcher oracle = cpu(index);
    const std::vector<Plan> plans =
        test::pages_of(oracle, test::Queries(seed).plans(oracle, queries, test::kAnyK), seed);
    const Results expected = oracle.search(plans, nullptr, {.stop = {}, .exhaustive = true});
    for (const double bits : {1000.0, 2.5, 0.2}) {
      const Searcher searcher = cuda(index, bits);
      for (const bool exhaustive : {false, true}) {
        SCOPED_TRACE(testing::Message() << bits << " bits, exhaustive: " << exhaustive);
        const Results found =
            searcher.search(plans, nullptr, {.stop = {}, .exhaustive = exhaustive});
        for (std::size_t i = 0; i < plans.size(); ++i) {
          test::expect_same(found[i], expected[i], plans[i]);
          if (HasFatalFailure()) return;
        }
      }
    }
  }

  test::TemporaryDirectory folder_;
};

TEST_F(CudaPages, AreThoseOfTheCpu) {
  expect_pages(test::write_index(folder_.path(), test::random_collection(65'537, kTerms, 3)), 1);
}

TEST_F(CudaPages, OfHardCollections) {
  unsigned seed = 10;
  for (const auto& [name, collection] : test::hard_collections()) {
    SCOPED_TRACE(name);
    const test::TemporaryDirectory folder;
    expect_pages(test::write_index(folder.path(), collection), ++seed, 60);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaPages, OfSeveralSegments) {
  const auto collection = test::random_collection(40'001, kTerms, 7);
  expect_pages(test::write_segments(folder_.path(), collection, {1, 5000, 5064, 30'000, 40'001}),
               2);
}

/// More segments than are searched together.
TEST_F(CudaPages, OfManySegments) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= 40; ++s) ends.push_back(s * 300);
  expect_pages(
      test::write_segments(folder_.path(), test::random_collection(12'000, kTerms, 9), ends), 3,
      60);
}

TEST_F(CudaPages, WithoutDeletedDocuments) {
  const auto index = test::write_segments(
      folder_.path(), test::random_collection(40'001, kTerms, 8), {20'000, 40'001});
  expect_pages(test::with_deleted(*index, test::random_deletions(40'001, 0.2, 4)), 4);
}

/// Every posting is scored, by windows of documents.
TEST_F(CudaPages, OfManyTerms) {
  std::vector<std::uint32_t> ends;
  const auto collection = test::terms_of_their_own(3, ends);
  const auto index = test::write_segments(folder_.path(), collection, ends);
  const Searcher oracle = cpu(index);
  std::vector<Plan> plans;
  for (std::uint32_t terms : {33u, 60u, 96u}) {
    for (const std::uint32_t k : {1u, 10u, 300u}) {
      Query query{.text = "t0", .k = k};
      for (std::uint32_t t = 1; t < terms; ++t) query.text += " t" + std::to_string(t);
      for (int n = 0; n < 4; ++n) plans.push_back(oracle.plan(query));
    }
  }
  plans = test::pages_of(oracle, plans, 5);
  test::expect_exact(cuda(index, 2.5), oracle, plans);
}

/// From the first page to the last, by the GPU alone.
TEST_F(CudaPages, OneAfterTheOtherAreOneSearch) {
  const auto index = test::write_segments(
      folder_.path(), test::random_collection(20'000, kTerms, 5), {7000, 20'000});
  const Searcher searcher = cuda(index, 2.5);
  for (const char* text : {"t3 t7 t9", "+t1 t2 +t4", "t6"}) {
    const Plan plan = searcher.plan({.text = text, .k = 70});
    std::vector<Hit> hits;
    PageStart page;
    for (bool more = true; more;) {
      const Plan next = plan.with_page(page);
      const Results found = searcher.search({&next, 1});
      for (const Hit hit : found[0].hits()) hits.push_back(hit);
      more = found[0].count == plan.k();
      if (more) page = page_after(hits.back(), hits.size());
    }
    EXPECT_EQ(hits, test::all_hits(cpu(index), plan)) << text;
  }
}

}  // namespace
}  // namespace gannet::query
