// Words with their synonyms on the GPU: same documents, same order, same score bits as on the CPU,
// and no plan left to the CPU.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "query/gpu/device/unions/call_unions.hpp"
#include "query/postings/union_cache.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/gpu_texts.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"

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

class CudaUnions : public test::TextsOnGpu {
 protected:
  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer = "bm25") const {
    UnionQueries queries(seed);
    return mixed_plans([&] { return queries.text(); }, number, scorer);
  }
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

/// Where a segment has one word of a union, one list is that of the word and of the union, whose
/// document frequencies differ.
TEST_F(CudaUnions, OfWordsThatASegmentDoesNotHave) {
  auto documents = test::random_texts(24'000, 0, 12, 't');
  for (std::size_t d = 0; d < documents.size(); ++d) {
    std::string& text = documents[d].texts[0];
    if (d >= 9000 && d % 3 == 0) text += " late" + std::to_string(d % 4);
  }
  index_ = test::build_texts(folder_.path() / "late", documents, test::plain_texts_schema(0),
                             {9000, 20'000, 24'000});
  for (const bool deletes : {false, true}) {
    if (deletes) {
      index_ = test::with_deleted(*index_, test::random_deletions(24'000, 0.1, 4));
    }
    for (const char* const scorer : {"bm25", "dph", "jelinek-mercer"}) {
      SCOPED_TRACE(testing::Message() << scorer << (deletes ? ", with deletions" : ""));
      const Searcher planner = cpu();
      std::vector<Plan> searched;
      for (int i = 0; i < 40; ++i) {
        const std::string word = "t" + std::to_string(i % 10);
        const std::string late = "late" + std::to_string(i % 4);
        const std::string other = " t" + std::to_string(i % 7 + 3);
        for (const std::string& text :
             {word + other, "SYNONYM(" + word + " " + late + ")" + other, late + " " + word,
              "SYNONYM(" + word + " " + late + " t15) AND" + other}) {
          Query query;
          query.text = text;
          query.scorer = parse_scorer(scorer, "", {});
          searched.push_back(planner.plan(query));
        }
      }
      Report report;
      const Searcher searcher = gpu(1000);
      // In one batch, and each by itself: whichever document frequency comes first.
      test::expect_exact(searcher, planner, searched, &report);
      const Searcher again = gpu(1000);
      for (auto plan = searched.rbegin(); plan != searched.rend(); ++plan) {
        test::expect_exact(again, planner, std::span(&*plan, 1), &report);
      }
      EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
      // What does not prune is searched exhaustively, which decodes more tiles than lists have.
      EXPECT_GT(report.ranges_searched, 0u);
      if (HasFatalFailure()) return;
    }
  }
}

/// Where not all unions of a batch find memory, the others are searched meanwhile.
TEST_F(CudaUnions, ThatFindNoMemoryBesideOthersWait) {
  open(0, 14, {20'000});
  const std::vector<Plan> searched = plans(15, 200);
  const Searcher searcher = gpu();
  expect_on_the_gpu(searcher, plans(16, 20));  // it has its buffers then
  MemoryBudget& budget = cuda::device_budget(0);
  {
    const codecs::cuda::DeviceGuard guard(0);
    const auto segments = cuda::device_segments(*index_, 0, 0, 0);
    cuda::ListStatsCache stats(index_, 2.5, 0);
    cuda::DeviceUnions unions(segments, stats, budget);
    const BoundPlans bound(searched, *index_, {});
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < searched.size(); ++i) {
      if (searched[i].has_unions()) chosen.push_back(i);
    }
    tbb::task_arena arena;
    const MemoryBudget::Limit limit(budget, budget.state().all_used() + 200'000);
    const cuda::CallUnions call(unions, bound, chosen, 1, arena, {});
    ASSERT_EQ(call.plans(), chosen.size());
    ASSERT_FALSE(call.without_memory().empty());
    EXPECT_LT(call.without_memory().size(), chosen.size());
    for (const std::size_t plan : call.without_memory()) EXPECT_TRUE(call.of(0, plan).empty());
  }
  Report report;
  const MemoryBudget::Limit limit(budget, budget.state().all_used() + 200'000);
  test::expect_exact(searcher, cpu(), searched, &report);
}

TEST_F(CudaUnions, ManyInUseAreNotAllLookedAtForEachMore) {
  open(0, 16, {9000});
  const codecs::cuda::DeviceGuard guard(0);
  const auto segments = cuda::device_segments(*index_, 0, 0, 0);
  cuda::ListStatsCache stats(index_, 2.5, 0);
  cuda::DeviceUnions unions(segments, stats, cuda::device_budget(0), 1000);
  std::vector<std::shared_ptr<const cuda::DeviceUnion>> held;
  const auto terms = static_cast<index::TermId>(segments[0].copy->lists().size());
  for (index::TermId a = 0; a < terms; ++a) {
    for (index::TermId b = a + 1; b < terms; ++b) {
      held.push_back(
          unions.of(0, union_cache().of(index_->segments()[0], {a, b}, index::kMainText)));
    }
  }
  ASSERT_GT(held.size(), 2 * cuda::DeviceUnions::kPassed);
  EXPECT_GT(unions.bytes(), 1000u);
  for (const auto& one : held) EXPECT_EQ(unions.find(0, *one->list()), one);
  held.resize(3);
  unions.trim();
  std::uint64_t of_held = 0;
  for (const auto& one : held) of_held += one->bytes();
  EXPECT_EQ(unions.bytes(), of_held);
}

/// Another list of equal terms, as after a merged list has left the cache of the host.
TEST_F(CudaUnions, AreKnownByTheirTerms) {
  open(0, 17, {9000, 20'000});
  const codecs::cuda::DeviceGuard guard(0);
  const auto segments = cuda::device_segments(*index_, 0, 0, 0);
  cuda::ListStatsCache stats(index_, 2.5, 0);
  cuda::DeviceUnions unions(segments, stats, cuda::device_budget(0));
  const index::TermId terms[] = {1, 2, 3};
  const auto merged = [&](std::size_t segment) {
    return std::make_shared<const MadeList>(*index_->segments()[segment], terms, index::kMainText);
  };
  const auto first = unions.of(0, merged(0));
  EXPECT_EQ(unions.of(0, merged(0)), first);
  EXPECT_EQ(unions.find(0, *merged(0)), first);
  EXPECT_EQ(unions.find(1, *merged(1)), nullptr);
  EXPECT_NE(unions.of(1, merged(1)), first);
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
