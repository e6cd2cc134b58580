// Prefixes, wildcards, regular expressions and fuzzy words on the GPU: same documents, same order,
// same score bits as on the CPU, and no plan left to the CPU.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/gpu_texts.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"

namespace gannet::query {
namespace {

/// Words t0 to t19 and forms that stand for several of them, in one text or in all.
class InexactQueries {
 public:
  explicit InexactQueries(unsigned seed) : random_(seed) {}

  std::string text(bool fields) {
    static constexpr const char* kSigns[] = {"", "", "", "+", "-"};
    std::string text = any(fields);
    for (auto more = random_() % 4; more > 0; --more) {
      text += kSigns[random_() % 5] + any(fields);
    }
    return random_() % 4 == 0 ? "(" + text + ") AND " + any(fields) : text;
  }

 private:
  std::string any(bool fields) {
    static constexpr const char* kForms[] = {"t1*",   "t*",     "t?",       "*5",     "/t1[2-6]/",
                                             "t12~1", "t3~1^2", "t1*^0.25", "t115~2", "x*"};
    const std::string field = fields && random_() % 4 == 0 ? "f0:" : "";
    if (random_() % 2 == 0) return field + "t" + std::to_string(random_() % 20) + ' ';
    return field + kForms[random_() % std::size(kForms)] + ' ';
  }

  std::mt19937 random_;
};

class CudaInexactWords : public test::TextsOnGpu {
 protected:
  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer, Want want) const {
    InexactQueries queries(seed);
    const bool fields = index_->schema().has_text();
    return mixed_plans([&] { return queries.text(fields); }, number, scorer, want);
  }
};

TEST_F(CudaInexactWords, OfAllScorersInSegmentsOfAnySize) {
  open(0, 5, {70, 12'000, 12'064, 30'000});
  for (const double bits : {1000.0, 2.5}) {
    const Searcher searcher = gpu(bits);
    for (const char* const scorer :
         {"bm25", "bm25plus", "tfidf", "dirichlet", "jelinek-mercer", "pl2", "dph"}) {
      SCOPED_TRACE(testing::Message() << scorer << ", " << bits << " bits");
      expect_on_the_gpu(searcher, plans(7, 80, scorer, Want::kTopK));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaInexactWords, OfSeveralTexts) {
  open(2, 6, {9'000, 20'000});
  const Searcher searcher = gpu();
  for (const char* const scorer : {"bm25", "bm25f"}) {
    SCOPED_TRACE(scorer);
    expect_on_the_gpu(searcher, plans(8, 80, scorer, Want::kTopK));
  }
}

TEST_F(CudaInexactWords, OfDocumentsThatAreNotDeletedAndLaterPages) {
  open(0, 7, {9'000, 20'000});
  index_ = test::with_deleted(*index_, test::random_deletions(20'000, 0.1, 4));
  const auto searched = plans(9, 60, "bm25", Want::kTopK);
  const Searcher searcher = gpu();
  expect_on_the_gpu(searcher, searched);
  expect_on_the_gpu(searcher, test::pages_of(cpu(), searched, 11));
}

TEST_F(CudaInexactWords, OfCountsAndDocids) {
  open(1, 8, {9'000, 20'000});
  const Searcher searcher = gpu();
  for (const Want want : {Want::kCount, Want::kDocids}) {
    expect_on_the_gpu(searcher, plans(10, 80, "bm25", want));
  }
}

}  // namespace
}  // namespace gannet::query
