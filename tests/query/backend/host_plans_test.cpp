// Why plans are left to the CPU by a GPU's back end.
#include "query/results/host_plans.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "query/results/results.hpp"

namespace gannet::query {
namespace {

TEST(HostPlans, TheTextNamesEachReasonWithItsPlans) {
  HostPlans plans;
  EXPECT_EQ(plans.text(), "");
  plans.add(HostReason::kDeviceMemory);
  EXPECT_EQ(plans.text(), "1 plan ran on the CPU (1 for want of GPU memory)");
  plans.add(HostReason::kDeviceMemory, 2);
  EXPECT_EQ(plans.text(), "3 plans ran on the CPU (3 for want of GPU memory)");
  EXPECT_EQ(plans.total(), 3u);
  HostPlans more = plans;
  more.add(plans);
  EXPECT_EQ(more[HostReason::kDeviceMemory], 6u);
  EXPECT_EQ(more.total(), 6u);
}

TEST(HostPlans, EveryReasonHasItsNameAndText) {
  std::set<std::string_view> names, texts;
  for (std::size_t i = 0; i < kHostReasons; ++i) {
    names.insert(name_of(static_cast<HostReason>(i)));
    texts.insert(text_of(static_cast<HostReason>(i)));
  }
  EXPECT_EQ(names.size(), kHostReasons);
  EXPECT_EQ(texts.size(), kHostReasons);
  EXPECT_FALSE(names.contains(""));
}

TEST(HostPlans, ReportsAddUp) {
  Report all;
  all.reason = "it was asked for";
  for (int i = 0; i < 2; ++i) {
    Report one;
    one.host_plans.add(HostReason::kDeviceMemory, 3);
    one.memory = {1, 2, 300};
    one.reason = "it was asked for";
    one.add_host_plans_to_reason();
    all.add(one);
  }
  EXPECT_EQ(all.host_plans[HostReason::kDeviceMemory], 6u);
  EXPECT_EQ(all.memory.failures, 2u);
  EXPECT_EQ(all.memory.splits, 4u);
  EXPECT_EQ(all.memory.given_back, 600u);
  EXPECT_EQ(all.reason, "it was asked for; 3 plans ran on the CPU (3 for want of GPU memory)");
}

}  // namespace
}  // namespace gannet::query
