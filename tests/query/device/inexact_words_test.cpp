// Prefixes, wildcards, regular expressions and fuzzy words on the GPU: same documents, same order,
// same score bits as on the CPU, and no plan left to the CPU.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

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

class CudaInexactWords : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
    fields_ = fields;
    index_ = test::build_texts(folder_.path() / std::to_string(seed),
                               test::random_texts(ends.back(), fields, seed, 't'),
                               test::plain_texts_schema(fields), ends);
  }

  Searcher gpu(double bits = 2.5) const {
    SearcherOptions options;
    options.backend = BackendChoice::kCuda;
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.bounds_bits = bits;
    return Searcher(index_, options);
  }
  Searcher cpu() const { return Searcher(index_, {.backend = BackendChoice::kCpu}); }

  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer, Want want) const {
    InexactQueries queries(seed);
    const Searcher searcher = cpu();
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < number; ++i) {
      Query query;
      query.text = queries.text(fields_ > 0);
      query.mode = i % 3 == 0 ? Mode::kAnd : Mode::kOr;
      query.want = want;
      query.k = i % 4 == 0 ? 300 : 10;
      query.scorer = parse_scorer(scorer, "", {});
      plans.push_back(searcher.plan(query));
    }
    return plans;
  }

  void expect_on_the_gpu(const Searcher& searcher, const std::vector<Plan>& searched) const {
    Report report;
    test::expect_exact(searcher, cpu(), searched, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  }

  test::TemporaryDirectory folder_;
  std::uint32_t fields_ = 0;
  std::shared_ptr<const index::Index> index_;
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
