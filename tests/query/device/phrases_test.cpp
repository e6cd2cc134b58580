// Phrases and windows on the GPU: same documents, same order, same score bits and counts as on the
// CPU, and no plan left to the CPU.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/query/gpu_texts.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/query/pruned_cases.hpp"

namespace gannet::query {
namespace {

/// Words, signs, phrases, windows and unions.
std::string phrase_query(std::mt19937& random) {
  static constexpr const char* kSigns[] = {"", "", "", "+", "-"};
  const auto word = [&] { return "w" + std::to_string(random() % 22); };
  const auto any = [&] {
    switch (random() % 5) {
      case 0:
        return word();
      case 1:
        return "SYNONYM(" + word() + " " + word() + ")";
      default:
        return test::random_window(random).text();
    }
  };
  std::string text = any();
  for (auto more = random() % 4; more > 0; --more) text += " " + (kSigns[random() % 5] + any());
  return random() % 4 == 0 ? "(" + text + ") AND " + any() : text;
}

class CudaPhrases : public test::TextsOnGpu {
 protected:
  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
    TextsOnGpu::open(fields, seed, ends, 'w');
  }

  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer = "bm25") const {
    std::mt19937 random(seed);
    return mixed_plans([&] { return phrase_query(random); }, number, scorer);
  }
};

TEST_F(CudaPhrases, OfAllScorersInSegmentsOfAnySize) {
  open(1, 5, {70, 12'000, 12'064, 30'000});
  for (const double bits : {1000.0, 2.5}) {
    const Searcher searcher = gpu(bits);
    for (const char* const scorer : {"bm25", "bm25f", "dph", "pl2", "dirichlet"}) {
      SCOPED_TRACE(testing::Message() << scorer << ", " << bits << " bits");
      expect_on_the_gpu(searcher, plans(7, 80, scorer));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaPhrases, OfDocumentsThatAreNotDeletedAndLaterPages) {
  open(0, 6, {9000, 20'000});
  index_ = test::with_deleted(*index_, test::random_deletions(20'000, 0.1, 4));
  const auto searched = plans(8, 60);
  const Searcher searcher = gpu();
  expect_on_the_gpu(searcher, searched);
  expect_on_the_gpu(searcher, test::pages_of(cpu(), searched, 11));
}

TEST_F(CudaPhrases, InCountsDocidsAndExhaustiveSearches) {
  open(1, 10, {3000, 20'000});
  for (const double bits : {0.0, 2.5}) {
    const Searcher searcher = gpu(bits);
    std::vector<Plan> searched = plans(11, 60);
    for (const bool exhaustive : {false, true}) {
      for (const Want want : {Want::kTopK, Want::kCount, Want::kDocids}) {
        for (Plan& plan : searched) plan = plan.with_want(want);
        Report report;
        const SearchOptions options{.stop = {}, .exhaustive = exhaustive};
        const Results found = searcher.search(searched, &report, options);
        EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
        const Results expected = cpu().search(searched, nullptr, options);
        for (std::size_t i = 0; i < searched.size(); ++i) {
          test::expect_same(found[i], expected[i], searched[i]);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

/// Lists of words stay on the host; those of phrases are on the device.
TEST_F(CudaPhrases, OfAnIndexThatDoesNotFit) {
  open(0, 12, {30'000});
  const Searcher searcher = gpu(2.5, std::uint64_t{1} << 20);
  std::vector<Plan> searched = plans(13, 60);
  expect_on_the_gpu(searcher, searched);
  for (Plan& plan : searched) plan = plan.with_want(Want::kCount);
  expect_on_the_gpu(searcher, searched);
}

}  // namespace
}  // namespace gannet::query
