// Which processor runs a batch where both may.
#include "query/backend/choosing_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "query/backend/column_work.hpp"
#include "query/results/matches.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/expect_same.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::HasSubstr;

/// Another back end by another name, which counts its batches.
class Renamed final : public Backend {
 public:
  Renamed(std::unique_ptr<Backend> backend, std::string name, int* batches)
      : backend_(std::move(backend)), name_(std::move(name)), batches_(batches) {}
  std::string name() const override { return name_; }
  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    ++*batches_;
    Results results = backend_->run(plans, options, report);
    report.backend = name_;
    return results;
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::string name_;
  int* batches_;
};

class Choosing : public testing::Test {
 protected:
  Plan plan(const std::string& text, Want want, Mode mode = Mode::kOr) const {
    Query query;
    query.text = text;
    query.want = want;
    query.mode = mode;
    return cpu_.plan(query);
  }

  /// Runs plans as if the index had so many documents; the name of the back end that ran them.
  std::string ran_on(std::vector<Plan> plans, std::uint64_t documents, bool exhaustive = false) {
    int on_gpu = 0, on_cpu = 0;
    const ChoosingBackend backend(
        std::make_unique<Renamed>(make_cpu_backend(index_, {}), "cuda", &on_gpu),
        std::make_unique<Renamed>(make_cpu_backend(index_, {}), "cpu", &on_cpu), documents,
        {.threads = 16, .gpus = 1});
    EXPECT_EQ(backend.name(), "cuda");
    report_ = {.backend = backend.name(), .reason = "there is a GPU"};
    const Results found = backend.run(plans, {.exhaustive = exhaustive}, report_);
    EXPECT_EQ(on_gpu + on_cpu, 1);
    EXPECT_EQ(report_.backend, on_gpu == 1 ? "cuda" : "cpu");
    const Results expected = cpu_.search(plans, nullptr, {.exhaustive = true});
    for (std::size_t i = 0; i < plans.size(); ++i) {
      test::expect_same(found[i], expected[i], plans[i]);
    }
    return report_.backend;
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_ =
      test::write_index(directory_ / "index", test::random_collection(3000, 12, 3));
  Searcher cpu_{index_, {.backend = BackendChoice::kCpu}};
  Report report_;
};

TEST_F(Choosing, AFewSmallCountsAreTheCpus) {
  EXPECT_EQ(ran_on({plan("t0 t1", Want::kCount)}, 3000), "cpu");
  EXPECT_THAT(report_.reason, HasSubstr("on the CPU and"));
  EXPECT_EQ(ran_on({plan("t0 t1", Want::kDocids), plan("t3", Want::kCount)}, 3000), "cpu");
  EXPECT_EQ(ran_on({plan("t0 t1", Want::kCount).with_live()}, 3000), "cpu");
}

TEST_F(Choosing, CountsOfManyDocumentsAreTheGpus) {
  const std::vector<Plan> plans(1000, plan("t0 t1 t2", Want::kCount));
  EXPECT_EQ(ran_on(plans, 25'000'000), "cuda");
  EXPECT_EQ(report_.reason, "there is a GPU");
}

TEST_F(Choosing, EverythingElseIsTheGpus) {
  const Plan count = plan("t0 t1", Want::kCount);
  EXPECT_EQ(ran_on({plan("t0 t1", Want::kTopK)}, 3000), "cuda");
  EXPECT_EQ(ran_on({count, plan("t0 t1", Want::kTopK)}, 3000), "cuda");
  EXPECT_EQ(ran_on({count}, 3000, true), "cuda") << "exhaustive searches are a reference";
  EXPECT_EQ(ran_on({}, 3000), "cuda");
  Plan::Parts parts;
  parts.want = Want::kCount;
  parts.collection = {3000, 30'000};
  parts.terms.push_back({.text = "t0", .document_frequency = 1});
  parts.expression = {{Node::Kind::kTerm, 0}};
  parts.filter = Filter::equal("year", "1999");
  EXPECT_FALSE(has_known_count_cost(Plan(parts)));
  parts.filter = Filter::live();
  EXPECT_TRUE(has_known_count_cost(Plan(parts)));
}

TEST_F(Choosing, CostsGrowWithWhatThereIsToDo) {
  const CountProcessors processors{.threads = 4, .gpus = 1};
  const auto cost = [&](std::size_t plans, std::uint64_t documents, unsigned threads) {
    const std::vector<Plan> all(plans, plan("t0 t1", Want::kCount));
    return count_costs(all, documents, {.threads = threads, .gpus = processors.gpus});
  };
  EXPECT_LT(cost(10, 1'000'000, 4).cpu, cost(20, 1'000'000, 4).cpu);
  EXPECT_LT(cost(10, 1'000'000, 4).cpu, cost(10, 9'000'000, 4).cpu);
  EXPECT_LT(cost(10, 1'000'000, 8).cpu, cost(10, 1'000'000, 4).cpu);
  EXPECT_EQ(cost(10, 1'000'000, 8).gpu, cost(10, 1'000'000, 4).gpu);
  EXPECT_LT(cost(1000, 1'000'000, 4).gpu, cost(2000, 1'000'000, 4).gpu);
  EXPECT_LT(cost(1000, 9'000'000, 4).gpu, cost(1000, 90'000'000, 4).gpu);
}

}  // namespace
}  // namespace gannet::query
