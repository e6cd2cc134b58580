// Words with their synonyms on the GPU: same documents, same order, same score bits as on the CPU,
// and no plan left to the CPU.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "query/gpu/device/unions/device_unions.hpp"
#include "query/postings/union_cache.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

/// Words, signs and unions of 2 to 5 words; some words are unknown.
class UnionQueries {
 public:
  explicit UnionQueries(unsigned seed) : random_(seed) {}

  std::string text() {
    static constexpr const char* kSigns[] = {"", "", "", "+", "-"};
    std::string text = any() + any();
    for (auto more = random_() % 4; more > 0; --more) text += kSigns[random_() % 5] + any();
    return random_() % 4 == 0 ? "(" + text + ") AND " + any() : text;
  }

 private:
  std::string word() { return "t" + std::to_string(random_() % (test::kTerms + 5)) + ' '; }
  std::string any() {
    if (random_() % 2 == 0) return word();
    std::string text = "SYNONYM(";
    for (auto words = 2 + random_() % 4; words > 0; --words) text += word();
    return text + ") ";
  }

  std::mt19937 random_;
};

class CudaUnions : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
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

  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer = "bm25") const {
    UnionQueries queries(seed);
    const Searcher searcher = cpu();
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < number; ++i) {
      Query query;
      query.text = queries.text();
      query.mode = i % 3 == 0 ? Mode::kAnd : Mode::kOr;
      query.k = i % 4 == 0 ? 300 : 10;
      query.scorer = parse_scorer(scorer, "", {});
      plans.push_back(searcher.plan(query));
    }
    return plans;
  }

  void expect_on_the_gpu(const Searcher& searcher, std::span<const Plan> searched) const {
    Report report;
    test::expect_exact(searcher, cpu(), searched, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(CudaUnions, OfAllScorersInSegmentsOfAnySize) {
  open(1, 5, {70, 12'000, 12'064, 30'000});
  for (const double bits : {1000.0, 2.5}) {
    const Searcher searcher = gpu(bits);
    for (const char* const scorer : {"bm25", "dph", "pl2", "jelinek-mercer"}) {
      SCOPED_TRACE(testing::Message() << scorer << ", " << bits << " bits");
      expect_on_the_gpu(searcher, plans(7, 80, scorer));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaUnions, OfDocumentsThatAreNotDeletedAndLaterPages) {
  open(0, 6, {9000, 20'000});
  index_ = test::with_deleted(*index_, test::random_deletions(20'000, 0.1, 4));
  const auto searched = plans(8, 60);
  const Searcher searcher = gpu();
  expect_on_the_gpu(searcher, searched);
  expect_on_the_gpu(searcher, test::pages_of(cpu(), searched, 11));
}

TEST_F(CudaUnions, ThatNobodyUsesGoWhereThereIsNoRoom) {
  open(0, 9, {9000, 20'000});
  const codecs::cuda::DeviceGuard guard(0);
  const auto segments = cuda::device_segments(*index_, 0, 0, 0);
  cuda::ListStatsCache stats(index_, 2.5, 0);
  constexpr std::uint64_t kRoom = 20'000;
  cuda::DeviceUnions unions(segments, stats, cuda::device_budget(0), kRoom);
  const auto list_of = [&](std::size_t segment, index::TermId a, index::TermId b) {
    return union_cache().of(index_->segments()[segment], {a, b}, index::kMainText);
  };
  const auto held = unions.of(1, list_of(1, 0, 1));
  std::set<index::TermId> numbers{held->placed().number};
  std::uint64_t all = 0;
  for (index::TermId a = 2; a < 12; ++a) {
    const auto made = unions.of(1, list_of(1, a, a + 1));
    EXPECT_EQ(unions.of(1, made->list()), made) << "it is there";
    EXPECT_TRUE(numbers.insert(made->placed().number).second) << "no number comes again";
    all += made->bytes();
  }
  ASSERT_GT(all, 2 * kRoom);
  EXPECT_LE(unions.bytes(), kRoom);
  EXPECT_EQ(unions.of(1, held->list()), held) << "it is in use";
  EXPECT_EQ(unions.of(0, list_of(0, 0, 1))->placed().number, segments[0].copy->lists().size());
}

TEST_F(CudaUnions, InExhaustiveSearchesAndCounts) {
  open(0, 10, {3000});
  std::vector<Plan> searched = plans(11, 20);
  const Searcher searcher = gpu();
  Report report;
  const Results found = searcher.search(searched, &report, {.stop = {}, .exhaustive = true});
  EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  const Results expected = cpu().search(searched, nullptr, {.stop = {}, .exhaustive = true});
  for (std::size_t i = 0; i < searched.size(); ++i) {
    test::expect_same(found[i], expected[i], searched[i]);
  }
  for (Plan& plan : searched) plan = plan.with_want(Want::kCount);
  expect_on_the_gpu(searcher, searched);
}

}  // namespace
}  // namespace gannet::query
