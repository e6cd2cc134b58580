// Plans that several back ends share.
#include "query/detail/plan_claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace gannet::query {
namespace {

std::vector<Plan> plans_without_filter(std::size_t count) {
  return std::vector<Plan>(count, Plan(Plan::Parts{}));
}

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(PlanClaims, EachPlanGoesToOne) {
  const auto plans = plans_without_filter(5000);
  const auto list = numbers(plans.size());
  PlanClaims claims(plans, 4);
  std::vector<std::vector<std::size_t>> taken(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t taker = 0; taker < 4; ++taker) {
      threads.emplace_back([&, taker] {
        WaitingPlans waiting(list, {&claims, taker});
        while (true) {
          const auto some = waiting.next(waiting.at_a_time(100));
          if (some.empty()) break;
          EXPECT_LE(some.size(), 100u);
          waiting.done((some.size() + 1) / 2);  // the others wait for the next batch
        }
        taken[taker].assign(waiting.taken().begin(), waiting.taken().end());
        EXPECT_TRUE(std::ranges::is_sorted(taken[taker]));
      });
    }
  }
  std::vector<std::size_t> all;
  for (const auto& one : taken) all.insert(all.end(), one.begin(), one.end());
  std::ranges::sort(all);
  EXPECT_EQ(all, list);
}

TEST(PlanClaims, FewerAtATimeTowardsTheEnd) {
  const auto plans = plans_without_filter(1000);
  PlanClaims claims(plans, 2);
  EXPECT_EQ(claims.at_a_time(100), 100u);
  for (std::size_t i = 0; i < 800; ++i) EXPECT_TRUE(claims.take(i, i % 2));
  EXPECT_EQ(claims.at_a_time(100), 50u);
  for (std::size_t i = 800; i < 1000; ++i) EXPECT_TRUE(claims.take(i, 0));
  EXPECT_EQ(claims.at_a_time(100), 25u);
  EXPECT_FALSE(claims.take(5, 0));
  EXPECT_FALSE(claims.take(5, 1));
}

TEST(PlanClaims, SharesAreAllPlansOnce) {
  const auto plans = plans_without_filter(10);
  PlanClaims claims(plans, 3);
  std::size_t next = 0;
  for (std::size_t taker = 0; taker < 3; ++taker) {
    const PlanShare share = PlanTaker{&claims, taker}.share_of(10);
    EXPECT_EQ(share.begin, next);
    next = share.end;
  }
  EXPECT_EQ(next, 10u);
}

TEST(PlanClaims, WithoutThemAllPlansAreThere) {
  const auto list = numbers(10);
  WaitingPlans waiting(list, {});
  EXPECT_EQ(waiting.expected(), 10u);
  EXPECT_EQ(waiting.at_a_time(7), 7u);
  EXPECT_EQ(waiting.next(4).size(), 4u);
  waiting.done(3);
  EXPECT_EQ(waiting.next(100).front(), 3u);
  EXPECT_EQ(waiting.next(100).size(), 7u);
  waiting.done(7);
  EXPECT_TRUE(waiting.next(1).empty());
}

}  // namespace
}  // namespace gannet::query
