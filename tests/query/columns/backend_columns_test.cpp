// Queries by columns on a back end that looks at the columns of some plans by itself, several at a
// time, and leaves others: the results are those of the CPU back end.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "query/searching/searcher_parts.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

/// Knows of every plan but each third how many documents match, and which.
class PartialBackend : public Backend {
 public:
  explicit PartialBackend(std::shared_ptr<const index::Index> index)
      : index_(std::move(index)), cpu_(make_cpu_backend(index_, {})) {}

  std::string name() const override { return "cuda"; }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    return cpu_->run(plans, options, report);
  }
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found,
                                        const SearchOptions& options) const override {
    std::vector<LeftPlan> left;
    for (std::size_t i = 0; i < plans.size(); i += 3) {
      left.push_back({i});
      left.back().reasons.add(ColumnReason::kUnions);
    }
    tbb::parallel_for(std::size_t{0}, plans.size(), [&](std::size_t i) {
      if (i % 3 != 0) found(i, look(plans[i], work, options));
    });
    return left;
  }

 private:
  ColumnFindings look(const Plan& plan, const ColumnWork& work,
                      const SearchOptions& options) const {
    Report unused;
    const Plan searched = plan.with_want(Want::kDocids);
    const Results all = cpu_->run(std::span(&searched, 1), options, unused);
    ColumnFindings findings;
    for (DocumentBitmap& bitmap : matches_of(*index_, all[0], false).segments) {
      SegmentFindings& one = findings.emplace_back();
      one.count = count_bits(bitmap.words);
      one.matches = std::move(bitmap);
      one.counted.resize(work.counted.size());
      one.totals.resize(work.totals.size());
      one.binned.resize(work.binned.size());
      one.reasons.add(ColumnReason::kWideCodes);
    }
    return findings;
  }

  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Backend> cpu_;
};

class BackendColumns : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kDocuments = 3000;

  static std::vector<test::FakeField> fields() {
    test::Random random(8);
    std::vector<test::FakeField> made;
    for (int f = 0; f < 4; ++f) {
      made.push_back(test::random_field(random, "f" + std::to_string(f), kDocuments));
    }
    return made;
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_ = test::with_fields(
      *test::write_segments(folder_.path(), test::random_collection(kDocuments, 14, 3),
                            {1000, kDocuments}),
      fields());
  Searcher host_{index_, {.backend = BackendChoice::kCpu}};
  Searcher device_{index_, {.backend = BackendChoice::kCpu}};
};

TEST_F(BackendColumns, PlansThatAreLeftAndOthersConcurrently) {
  parts_of(device_).choice.backend = std::make_unique<PartialBackend>(index_);
  ASSERT_EQ(device_.backend_name(), "cuda");
  std::vector<Plan> plans;
  for (int i = 0; i < 100; ++i) {
    const std::string a = "t" + std::to_string(i % 14);
    const std::string b = "t" + std::to_string(i % 5);
    plans.push_back(host_.plan({.text = i % 4 == 0 ? "NOT " + a : a + " " + b}));
  }
  const std::vector<ColumnQuery> queries{
      {.k = 0, .facets = {{"f0", 5}, {"f1", 100}}, .aggregates = {"f2"}},
      {.k = 7, .facets = {{"f3", 5}}, .aggregates = {"f0", "f1"}, .distinct = false},
      {.sort = {{"f1", true}}, .k = 12, .aggregates = {"f3"}}};
  for (const ColumnQuery& query : queries) {
    for (const std::size_t count : {1u, 2u, 3u, 100u}) {
      const auto some = std::span<const Plan>(plans).first(count);
      Report report;
      ASSERT_EQ(search_columns(device_, some, query, {}, &report),
                search_columns(host_, some, query));
      EXPECT_EQ(report.queries, count);
      EXPECT_EQ(report.host_columns[ColumnReason::kUnions], (count + 2) / 3);
      EXPECT_EQ(report.host_columns[ColumnReason::kWideCodes], count - (count + 2) / 3);
      EXPECT_NE(report.reason.find("the CPU looked at columns"), std::string::npos);
    }
  }
}

TEST_F(BackendColumns, OrdersWithScoresAreTheHosts) {
  parts_of(device_).choice.backend = std::make_unique<PartialBackend>(index_);
  const std::vector<Plan> plans(4, host_.plan({.text = "t1 t2"}));
  const ColumnQuery query{.sort = {{"f0"}, {.field = "", .descending = true}}, .k = 20};
  Report report;
  EXPECT_EQ(search_columns(device_, plans, query, {}, &report),
            search_columns(host_, plans, query));
  EXPECT_EQ(report.host_columns[ColumnReason::kScores], 4u);
}

}  // namespace
}  // namespace gannet::query
