// The configurations of the WAH paper: how many there are, their names and memory calls.
#include "bench/papers/wah/staged_plan.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace gannet::wah::papers {
namespace {

using ::testing::ElementsAre;

TEST(WahPlans, TheBaselineAndTenCombinations) {
  const std::vector<WahPlan> plans = paper_plans();
  ASSERT_EQ(plans.size(), 11u);
  std::set<std::string> names;
  std::vector<std::uint32_t> calls;
  for (const WahPlan& plan : plans) {
    EXPECT_TRUE(is_valid(plan));
    names.insert(name_of(plan));
    calls.push_back(memory_calls(plan));
  }
  EXPECT_EQ(names.size(), plans.size());
  // Figure 3: (a) 10, (b) 4, (c) 2, (c) 2, (d) 2, nothing to decompress 0; with a pool none.
  EXPECT_THAT(calls, ElementsAre(10, 4, 2, 2, 2, 0, 0, 0, 0, 0, 0));
  EXPECT_FALSE(is_valid({.metadata = WahMetadata::kStage2As32}));
  EXPECT_FALSE(is_valid({.pool = true}));
}

}  // namespace
}  // namespace gannet::wah::papers
