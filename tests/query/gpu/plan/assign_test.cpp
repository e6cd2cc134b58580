// How plans are cut into items: host code, which needs no GPU.
#include "query/gpu/plan/assign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {
namespace {

class AssignTest : public testing::Test {
 protected:
  void SetUp() override {
    index_ = test::write_index(directory_.path(), test::random_collection(50'000, 12, 4));
    SearcherOptions options;
    options.backend = BackendChoice::kCpu;
    searcher_ = std::make_unique<Searcher>(index_, options);
  }

  void add(const std::string& text, Mode mode = Mode::kOr, Want want = Want::kTopK) {
    Query query;
    query.text = text;
    query.mode = mode;
    query.want = want;
    plans_.push_back(searcher_->plan(query));
  }

  Assignment assigned() const {
    std::vector<SegmentPlan> bound;
    for (const Plan& plan : plans_) bound.push_back({&plan, plan.binding().ids(0)});
    const index::Segment& segment = *index_->segments()[0];
    const DeviceLists lists(segment);
    const TextOffsets texts(segment);
    return assign(segment, {lists.table, &texts}, {100, 90'000}, bound);
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> searcher_;
  std::vector<Plan> plans_;
};

TEST_F(AssignTest, EveryDocumentOfEveryQueryIsInOneItem) {
  add("t0 t1 t2");
  add("t5");
  add("-t3");
  const Assignment assignment = assigned();
  ASSERT_EQ(assignment.queries.size(), 3u);
  for (const BatchQuery& query : assignment.queries) {
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < query.items; ++i) {
      const Item& item = assignment.items[query.first_item + i];
      EXPECT_EQ(item.begin, next);
      EXPECT_GT(item.end, item.begin);
      next = item.end;
    }
    EXPECT_EQ(next, 50'000u);
  }
}

TEST_F(AssignTest, LaunchesHandOutEveryItemOnceByDocuments) {
  for (int i = 0; i < 20; ++i) {
    add("t0 t1 t4");
    add("t1 t2", Mode::kAnd);
    add("+t1 t0 -t2");
  }
  const Assignment assignment = assigned();
  const Schedule& schedule = assignment.schedule;
  std::vector<std::uint32_t> order = schedule.order;
  std::ranges::sort(order);
  std::vector<std::uint32_t> all(assignment.items.size());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(order, all);

  std::uint32_t next = 0;
  for (const Launch& launch : schedule.launches) {
    EXPECT_EQ(launch.begin, next);
    next = launch.end;
    for (std::uint32_t i = launch.begin; i < launch.end; ++i) {
      const Item& item = assignment.items[schedule.order[i]];
      const BatchQuery& query = assignment.queries[item.query];
      EXPECT_LE(query.terms, launch.max_terms);
      // 50,000 documents in 4,096 buckets: items are in order but for those that begin together.
      if (i > launch.begin) {
        EXPECT_LT(assignment.items[schedule.order[i - 1]].begin, item.begin + 13);
      }
    }
  }
  EXPECT_EQ(next, schedule.order.size());
  // OR keeps no marks; AND and expressions do.
  EXPECT_EQ(schedule.launches.size(), 2u);
}

TEST_F(AssignTest, TermsThatTheSegmentLacksNeverHold) {
  add("t1 AND NOT nowhere");
  const Assignment assignment = assigned();
  ASSERT_EQ(assignment.queries[0].terms, 1u);
  const auto nodes = std::span(assignment.nodes);
  EXPECT_TRUE(
      std::ranges::any_of(nodes, [](const Node& node) { return node.kind == Node::Kind::kNever; }));
  const auto value = [&](std::uint32_t marks) {
    return evaluate(nodes.data(), static_cast<std::uint32_t>(nodes.size()), BitStack{},
                    [marks](std::uint32_t term) { return marks >> term & 1; });
  };
  EXPECT_EQ(value(1), 1u);
  EXPECT_EQ(value(0), 0u);
}

TEST_F(AssignTest, PlansWithoutMatchesAreKnown) {
  add("nowhere");
  add("+nowhere t1");
  add("t1 AND nowhere");
  add("");
  add("NOT nowhere");
  add("t1 nowhere");
  const auto nothing = [&](std::size_t i) {
    return matches_nothing({&plans_[i], plans_[i].binding().ids(0)});
  };
  EXPECT_TRUE(nothing(0));
  EXPECT_TRUE(nothing(1));
  EXPECT_TRUE(nothing(2));
  EXPECT_TRUE(nothing(3));
  EXPECT_FALSE(nothing(4));
  EXPECT_FALSE(nothing(5));
}

}  // namespace
}  // namespace gannet::query::cuda
