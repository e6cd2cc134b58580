// Words in several texts on the GPU: same documents, same order, same score bits as on the CPU, and
// no plan left to the CPU.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/gpu_texts.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"

namespace gannet::query {
namespace {

class CudaTexts : public test::TextsOnGpu {
 protected:
  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer = "bm25") const {
    return test::Queries(seed).plans(cpu(), number, {10, 10, 300}, parse_scorer(scorer, "", {}));
  }

  /// `want` of all plans: on the GPU alone, pruned and not, as the CPU has it.
  void expect_on_the_gpu(std::vector<Plan> plans, Want want) const {
    for (Plan& plan : plans) plan = plan.with_want(want);
    const Results expected = cpu().search(plans, nullptr, {.stop = {}, .exhaustive = true});
    for (const double bits : {1000.0, 2.5}) {
      const Searcher searcher = gpu(bits);
      for (const bool exhaustive : {false, true}) {
        SCOPED_TRACE(testing::Message() << bits << " bits, exhaustive: " << exhaustive);
        Report report;
        const Results found =
            searcher.search(plans, &report, {.stop = {}, .exhaustive = exhaustive});
        EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
        for (std::size_t i = 0; i < plans.size(); ++i) {
          test::expect_same(found[i], expected[i], plans[i]);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
};

TEST_F(CudaTexts, OfAllScorers) {
  open(2, 5, {700, 12'000, 12'064, 30'000});
  for (const char* const scorer :
       {"bm25", "bm25plus", "tfidf", "dirichlet", "jelinek-mercer", "pl2", "dph"}) {
    SCOPED_TRACE(scorer);
    expect_on_the_gpu(plans(7, 60, scorer), Want::kTopK);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaTexts, CountsAndDocids) {
  open(1, 6, {9000, 20'000});
  expect_on_the_gpu(plans(8, 60), Want::kCount);
  expect_on_the_gpu(plans(9, 60), Want::kDocids);
}

TEST_F(CudaTexts, OfDocumentsThatAreNotDeleted) {
  open(1, 7, {20'000, 40'000});
  index_ = test::with_deleted(*index_, test::random_deletions(40'000, 0.1, 4));
  const auto searched = plans(10, 80);
  test::expect_exact(gpu(), cpu(), searched);
  test::expect_exact(gpu(), cpu(), test::pages_of(cpu(), searched, 11));
}

/// Statistics of lists are kept by scorer and collection: those of one text serve no other.
TEST_F(CudaTexts, OneSearcherForTwoCollectionsStatistics) {
  open(2, 8, {20'000});
  const Searcher searcher = gpu();
  const auto searched = plans(12, 40);
  test::expect_exact(searcher, cpu(), searched);
  std::vector<Plan> others;
  for (const Plan& plan : searched) {
    PlanStatistics statistics = plan.statistics();
    for (auto& text : statistics.texts) text.tokens *= 3;
    others.push_back(plan.with_statistics(statistics));
  }
  test::expect_exact(searcher, cpu(), others);
}

}  // namespace
}  // namespace gannet::query
