// Searches with filters on the GPU against exhaustive ones on the CPU: same documents, same order,
// same score bits.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "query/gpu/device/memory/device_budget.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::Collection;

class CudaFilters : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void open(const Collection& collection, const std::vector<std::uint32_t>& ends, unsigned seed) {
    fields_ = test::random_fields(collection.documents(), seed);
    directory_ = std::make_unique<test::TemporaryDirectory>();
    index_ =
        test::with_fields(*test::write_segments(*directory_ / "index", collection, ends), fields_);
  }

  Searcher gpu(std::uint64_t filter_bytes = std::uint64_t{64} << 20,
               std::uint64_t filter_searches = 4096, double bounds_bits = 2.5,
               double candidate_filters = CudaOptions{}.candidate_filters) const {
    SearcherOptions options{.backend = BackendChoice::kCuda, .cpu = {}, .cuda = {}};
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.filter_bytes = filter_bytes;
    options.cuda.filter_searches = filter_searches;
    options.cuda.bounds_bits = bounds_bits;
    options.cuda.candidate_filters = candidate_filters;
    return Searcher(index_, options);
  }
  Searcher cpu() const {
    return Searcher(index_, {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}});
  }

  static Plan filtered(const Plan& plan, const Filter& filter) {
    Plan::Parts parts{plan.want(), plan.k(), plan.scorer(), plan.collection(), {}, {}, filter};
    parts.terms.assign(plan.terms().begin(), plan.terms().end());
    parts.expression = plan.expression();
    return Plan(std::move(parts));
  }

  std::vector<test::FieldValues> fields_;
  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(CudaFilters, AnyFilterOfAnyPlan) {
  const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> collections{
      {9000, {9000}}, {70001, {64, 20000, 20001, 70001}}};
  for (const auto& [documents, ends] : collections) {
    open(test::random_collection(documents, test::kTerms, documents), ends, documents);
    // Room for few bitmaps: some are made again and again. Bounds of what passes: never, at once,
    // and in the middle.
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> settings{
        {std::uint64_t{64} << 20, 0}, {std::uint64_t{64} << 20, 1}, {20000, 1}, {20000, 4}};
    for (const auto& [bytes, searches] : settings) {
      SCOPED_TRACE(searches);
      const Searcher searcher = gpu(bytes, searches);
      test::RandomFilters filters(fields_, documents, documents);
      for (int i = 0; i < 12; ++i) {
        SCOPED_TRACE(i);
        // A batch with one filter, and one with a filter a plan.
        Filter filter = filters.next();
        std::vector<Plan> plans;
        for (const Plan& plan : test::Queries(documents + i).plans(searcher, 60, test::kAnyK)) {
          if (i % 2 == 1) filter = filters.next();
          plans.push_back(filtered(plan, plans.size() % 7 == 3 ? Filter() : filter));
        }
        test::expect_exact(searcher, cpu(), plans);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(CudaFilters, AreAppliedOnTheDevice) {
  open(test::random_collection(50000, test::kTerms, 4), {50000}, 4);
  const Searcher searcher = gpu();
  std::vector<Plan> plans;
  for (int t = 0; t < 20; ++t) {
    Query query;
    query.text = "t" + std::to_string(t % 8) + " t" + std::to_string(t % 7 + 1);
    query.filter = Filter::range("year", "2000", "2004");
    plans.push_back(searcher.plan(query));
  }
  Report report;
  searcher.search(plans, &report);
  EXPECT_EQ(report.reason.find("CPU"), std::string::npos) << report.reason;
  EXPECT_EQ(report.filter.made, 1u) << "the batch shares one";
  EXPECT_EQ(report.filter.documents, 20u * 50000);
  EXPECT_EQ(report.filter.on_candidates, 0u);
  EXPECT_GT(report.filter.passing, 0u);
  EXPECT_LT(report.filter.passing, report.filter.documents / 3);
  EXPECT_GT(report.ranges_total, 0u);
  searcher.search(plans, &report);
  EXPECT_EQ(report.filter.made, 0u) << "it is kept";
  searcher.search(plans, &report, {.stop = {}, .exhaustive = true});
  EXPECT_EQ(report.reason.find("CPU"), std::string::npos) << report.reason;
}

/// As bitmaps, on candidates, and as estimates choose; with room for few bitmaps, and for all.
TEST_F(CudaFilters, HundredsOfDifferentFiltersInABatch) {
  open(test::random_collection(70001, test::kTerms, 21), {64, 20000, 20001, 70001}, 21);
  for (const double deleted : {0.0, 0.05}) {
    SCOPED_TRACE(deleted);
    if (deleted > 0) {
      index_ = test::with_deleted(*index_, test::random_deletions(70001, deleted, 3));
    }
    test::RandomFilters filters(fields_, 22, 70001);
    std::vector<Plan> plans = test::Queries(23).plans(cpu(), 400, test::kAnyK);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (i % 9 != 4) plans[i] = filtered(plans[i], filters.next() && Filter::live());
      if (i % 13 == 5) plans[i] = plans[i].with_want(i % 2 == 0 ? Want::kCount : Want::kDocids);
    }
    for (const std::uint64_t bytes : {std::uint64_t{64} << 20, std::uint64_t{100000}}) {
      for (const double share : {0.0, 1.0 / 64, 2.0}) {
        SCOPED_TRACE(testing::Message() << bytes << " bytes, share " << share);
        const Searcher searcher = gpu(bytes, 0, 2.5, share);
        test::expect_exact(searcher, cpu(), plans);
        if (HasFatalFailure()) return;
        Report report;
        searcher.search(plans, &report);
        EXPECT_EQ(report.filter.on_candidates > 0, share < 1) << report.filter.on_candidates;
      }
    }
  }
}

TEST_F(CudaFilters, AFilterOfItsOwnForEachQueryMakesNoBitmaps) {
  open(test::random_collection(50000, test::kTerms, 24), {50000}, 24);
  std::vector<Plan> plans;
  for (int i = 0; i < 300; ++i) {
    Query query;
    query.text = "t" + std::to_string(i % 8) + " t" + std::to_string(i % 7 + 1);
    query.k = 10;
    // 0.00, 0.33, ...: each has another number of hundredths.
    const std::string cents = std::to_string(100 + 33 * i % 100).substr(1);
    query.filter = Filter::between("price", {std::to_string(33 * i / 100) + "." + cents}, {});
    plans.push_back(cpu().plan(query));
  }
  const auto search = [&](double share) {
    const Searcher searcher = gpu(std::uint64_t{64} << 20, 4096, 2.5, share);
    test::expect_exact(searcher, cpu(), plans);
    Report report;
    searcher.search(plans, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
    return report;
  };
  const Report on_candidates = search(0);
  EXPECT_EQ(on_candidates.filter.on_candidates, 300u);
  EXPECT_EQ(on_candidates.filter.made, 0u);
  EXPECT_EQ(on_candidates.filter.documents, 0u) << "of none it is known how many pass";
  const Report bitmaps = search(2);
  EXPECT_EQ(bitmaps.filter.on_candidates, 0u);
  EXPECT_EQ(bitmaps.filter.documents, 300u * 50000);
  // What few documents pass gets a bitmap.
  const Report chosen = search(0.25);
  EXPECT_GT(chosen.filter.on_candidates, 0u);
  EXPECT_LT(chosen.filter.on_candidates, 300u);
}

/// Tables of steps are buffers of calls: what is given back is what is no longer used of that kind.
TEST_F(CudaFilters, TablesOfStepsAreGivenBackAsBuffers) {
  open(test::random_collection(50000, test::kTerms, 26), {50000}, 26);
  Query query;
  query.text = "t1 t2";
  query.filter = Filter::range("year", "2000", "2010");
  const std::vector<Plan> plans{cpu().plan(query)};
  const Searcher searcher = gpu(std::uint64_t{64} << 20, 4096, 2.5, 0);
  Report report;
  searcher.search(plans, &report);
  ASSERT_EQ(report.filter.on_candidates, 1u);
  MemoryBudget& budget = cuda::device_budget(0);
  const MemoryState before = budget.state();
  ASSERT_GT(before.used_by(MemoryUse::kBatches), 0u);
  budget.make_available(std::uint64_t{1} << 60, MemoryUse::kBatches);
  const MemoryState after = budget.state();
  EXPECT_EQ(after.used_by(MemoryUse::kBatches), 0u);
  EXPECT_EQ(after.given_back - before.given_back, before.all_used() - after.all_used());
  test::expect_exact(searcher, cpu(), plans);
}

TEST_F(CudaFilters, AFilterThatComesAgainGetsABitmap) {
  open(test::random_collection(50000, test::kTerms, 25), {20000, 50000}, 25);
  Query query;
  query.text = "t1 t2";
  query.filter = Filter::range("year", "2000", "2010");
  const std::vector<Plan> plans{cpu().plan(query)};
  const Searcher searcher = gpu();
  std::uint64_t made = 0;
  for (int i = 0; i < 40; ++i) {
    Report report;
    searcher.search(plans, &report);
    made += report.filter.made;
    EXPECT_EQ(report.filter.on_candidates, i < 15 ? 2u : 0u) << i;
  }
  EXPECT_EQ(made, 2u) << "one for each segment";
  test::expect_exact(searcher, cpu(), plans);
}

TEST_F(CudaFilters, BoundsOfWhatPassesRuleOutMore) {
  open(test::random_collection(70000, test::kTerms, 14), {70000}, 14);
  std::vector<Plan> plans;
  for (int t = 0; t < 40; ++t) {
    Query query;
    query.text = "t" + std::to_string(t % 8) + " t" + std::to_string(t % 9 + 2);
    query.k = 10;
    query.filter = Filter::range("year", "2001", "2002");
    plans.push_back(cpu().plan(query));
  }
  const auto search = [&](std::uint64_t searches) {
    const Searcher searcher = gpu(std::uint64_t{64} << 20, searches);
    test::expect_exact(searcher, cpu(), plans);
    Report report;
    searcher.search(plans, &report);
    EXPECT_EQ(report.reason.find("CPU"), std::string::npos) << report.reason;
    return report;
  };
  const Report of_all = search(0);
  const Report of_passing = search(1);
  EXPECT_LT(of_passing.tiles_decoded, of_all.tiles_decoded);
  EXPECT_LE(of_passing.documents_scored, of_all.documents_scored);
  EXPECT_GT(of_passing.bounds_bytes, of_all.bounds_bytes);
}

/// As many segments as hits are wanted, in each of which the best documents do not pass: what lists
/// know of all documents is not reached by those that do.
TEST_F(CudaFilters, SegmentsWhoseBestDoNotPass) {
  constexpr std::uint32_t kSegments = 10, kEach = 2000;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= kSegments; ++s) ends.push_back(s * kEach);
  const auto passes = [](std::uint32_t d) { return d % 16 == 1; };
  open(test::collection_of(kSegments * kEach, 60,
                           [&](std::uint32_t t, std::uint32_t d) -> std::uint32_t {
                             if (d % (1 + 2 * t) != 0) return 0;
                             return passes(d) ? 1 : 40;
                           }),
       ends, 15);
  std::vector<bool> gone(kSegments * kEach);
  for (std::uint32_t d = 0; d < gone.size(); ++d) gone[d] = !passes(d);
  index_ = test::with_deleted(*index_, gone);
  std::vector<Plan> plans;
  for (const std::uint32_t k : {1u, 5u, 10u, 100u}) {
    for (const char* text : {"t0", "t1 t2", "t3 t2", "t1 t3 t0"}) {
      Query query;
      query.text = text;
      query.k = k;
      plans.push_back(cpu().plan(query));
    }
  }
  // All lists have bounds of what passes, or none has.
  for (const double bits : {2.5, 0.01}) {
    SCOPED_TRACE(bits);
    test::expect_exact(gpu(std::uint64_t{64} << 20, 1, bits), cpu(), plans);
  }
}

TEST_F(CudaFilters, DeletedDocumentsAreFilteredToo) {
  open(test::random_collection(70001, test::kTerms, 6), {64, 20000, 20001, 70001}, 6);
  for (const double share : {0.0, 0.01, 0.5, 0.99}) {
    SCOPED_TRACE(share);
    index_ = test::with_deleted(*index_, test::random_deletions(70001, share, 7, 20, 20001));
    const Searcher searcher = gpu();
    test::RandomFilters filters(fields_, 8);
    std::vector<Plan> plans = test::Queries(9).plans(searcher, 60, test::kAnyK);
    for (std::size_t i = 0; i < 60; i += 2) plans[i] = filtered(plans[i], filters.next());
    for (std::size_t i = 1; i < 60; i += 5) plans[i] = plans[i].with_want(Want::kDocids);
    for (std::size_t i = 3; i < 60; i += 5) plans[i] = plans[i].with_want(Want::kCount);
    test::expect_exact(searcher, cpu(), plans);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaFilters, NothingPasses) {
  open(test::random_collection(5000, test::kTerms, 5), {1000, 5000}, 5);
  const Searcher searcher = gpu();
  Query query;
  query.text = "t0 t1 t2";
  query.filter = Filter::equal("year", "1");
  const std::vector<Plan> plans{searcher.plan(query)};
  const Results results = searcher.search(plans);
  EXPECT_TRUE(results[0].hits().empty());
}

}  // namespace
}  // namespace gannet::query
