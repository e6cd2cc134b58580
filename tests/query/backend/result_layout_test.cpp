// Results on their way into flat arrays.
#include "query/backend/result_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

Plan plan_that_wants(Want want) {
  Plan::Parts parts;
  parts.want = want;
  parts.k = 1000;
  return Plan(parts);
}

/// The arrays are made without values: memory that somebody else has used before must not show.
TEST(Flatten, DocidsWithoutAScoreHaveScoreZeroWhateverWasInTheMemory) {
  const std::vector<Plan> plans{plan_that_wants(Want::kDocids), plan_that_wants(Want::kTopK),
                                plan_that_wants(Want::kDocids)};
  std::vector<PartialResult> partial(3);
  for (std::uint32_t d = 0; d < 1000; ++d) {
    partial[0].docids.push_back(d);
    partial[2].docids.push_back(2 * d);
  }
  partial[1].keys = {rank_key(std::bit_cast<std::uint32_t>(2.5f), 7)};
  for (int round = 0; round < 3; ++round) {
    {
      // Of the size that docids and scores will have.
      const std::vector<float> used(2001, 7.0f);
      const std::vector<float> also_used = used;
    }
    std::vector<PartialResult> some = partial;
    const Results results = flatten(plans, {{some}}, {});
    for (const PartialResult& one : some) EXPECT_TRUE(one.docids.empty() && one.keys.empty());
    ASSERT_EQ(results.scores.size(), 2001u);
    for (const std::size_t i : {0u, 2u}) {
      for (const Hit hit : results[i].hits()) ASSERT_EQ(hit.score, 0.0f);
    }
    EXPECT_EQ(results[1].hits().front(), (Hit{7, 2.5f}));
    EXPECT_EQ(results[2].docids.back(), 1998u);
  }
}

/// More hits than one thread lays out.
TEST(Flatten, ManyHitsAreLaidOutInParallel) {
  const std::vector<Plan> plans(100, plan_that_wants(Want::kTopK));
  std::vector<PartialResult> partial(plans.size());
  for (std::uint32_t i = 0; i < plans.size(); ++i) {
    for (std::uint32_t h = 0; h < 1000; ++h) {
      const float score = 2000.0f - static_cast<float>(h);
      partial[i].keys.push_back(rank_key(std::bit_cast<std::uint32_t>(score), i * 1000 + h));
    }
  }
  const Results results = flatten(plans, {{partial}}, {});
  for (std::uint32_t i = 0; i < plans.size(); ++i) {
    ASSERT_EQ(results.counts[i], 1000u);
    for (std::uint32_t h = 0; h < 1000; ++h) {
      ASSERT_EQ(results[i].hits()[h], (Hit{i * 1000 + h, 2000.0f - static_cast<float>(h)}));
    }
  }
}

constexpr std::uint32_t kPartDocuments = 1000;

std::vector<Plan> random_plans(test::Random& random) {
  std::vector<Plan> plans;
  for (int p = 0; p < 40; ++p) {
    Plan::Parts parts;
    parts.want = std::array{Want::kTopK, Want::kTopK, Want::kDocids, Want::kCount}[random() % 4];
    parts.k = 1 + random() % 30;
    plans.emplace_back(parts);
  }
  return plans;
}

/// What a plan could find in one part.
PartialResult random_result(test::Random& random, const Plan& plan, std::uint32_t step = 200) {
  PartialResult part;
  const bool top = plan.want() == Want::kTopK;
  if (!top) part.count = random() % 50;
  for (std::uint32_t docid = 0; docid < kPartDocuments; docid += 1 + random() % step) {
    if (plan.want() == Want::kDocids) part.docids.push_back(docid);
    // Scores of few values, so that docids decide.
    const auto score = std::bit_cast<std::uint32_t>(1.0f + static_cast<float>(random() % 3));
    if (top) part.keys.push_back(rank_key(score, docid));
  }
  std::ranges::sort(part.keys, std::greater<>());
  if (part.keys.size() > plan.k()) part.keys.resize(plan.k());
  return part;
}

/// Adds what a part found to what the whole did.
void add(const Plan& plan, const PartialResult& part, std::uint32_t base, PartialResult& whole) {
  whole.count += part.count;
  for (const std::uint32_t docid : part.docids) whole.docids.push_back(docid + base);
  for (const std::uint64_t key : part.keys) whole.keys.push_back(key - base);
  std::ranges::sort(whole.keys, std::greater<>());
  if (whole.keys.size() > plan.k()) whole.keys.resize(plan.k());
}

/// The best of all in order, docids one part behind the other, counts added up.
TEST(Flatten, PartsBecomeOne) {
  test::Random random(9);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Plan> plans = random_plans(random);
    std::vector<std::vector<PartialResult>> found(1 + random() % 4);
    std::vector<FoundPart> parts;
    std::vector<PartialResult> whole(plans.size());
    for (std::vector<PartialResult>& part : found) {
      const auto base = static_cast<std::uint32_t>(parts.size()) * kPartDocuments;
      for (std::size_t p = 0; p < plans.size(); ++p) {
        part.push_back(random_result(random, plans[p]));
        add(plans[p], part.back(), base, whole[p]);
      }
      parts.push_back({part, base});
    }
    const Results expected = flatten(plans, {{whole}}, {});
    const Results joined = flatten(plans, parts, {});
    ASSERT_EQ(joined.counts, expected.counts);
    ASSERT_EQ(joined.offsets, expected.offsets);
    ASSERT_TRUE(std::ranges::equal(joined.docids, expected.docids)) << round;
    ASSERT_TRUE(std::ranges::equal(joined.scores, expected.scores)) << round;
    EXPECT_TRUE(found.back().back().keys.empty());
  }
}

/// Finds plans in any order, a few at a time, several threads, while others are still to be found.
void find_in_any_order(test::Random& random, std::size_t plans, std::size_t parts,
                       ResultLayout& layout) {
  std::vector<std::jthread> threads;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<std::size_t> order(plans);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Nearly in order, as batches are; some are never told of.
    for (std::size_t i = 0; i + 8 < plans; ++i) std::swap(order[i], order[i + random() % 8]);
    if (random() % 2 == 0) order.resize(plans - random() % plans);
    const std::size_t each = 1 + random() % 20;
    threads.emplace_back([&layout, order, each, part] {
      for (std::span<const std::size_t> left = order; !left.empty();) {
        const auto some = left.first(std::min(each, left.size()));
        layout.found(part, some);
        left = left.subspan(some.size());
      }
    });
  }
}

/// What is found while other things are not is laid out as if all had been there, also where there
/// is not room for all of it before.
TEST(ResultLayout, WhileOthersAreFound) {
  test::Random random(12);
  for (int round = 0; round < 60; ++round) {
    std::vector<Plan> plans(200 + random() % 300, plan_that_wants(Want::kTopK));
    if (round % 3 == 0) plans[0] = plans[0].with_k(150);  // there is room for as many of each
    if (round % 4 == 0) plans[100] = plan_that_wants(Want::kDocids);
    if (round % 4 == 1) plans[150] = plan_that_wants(Want::kCount);
    std::vector<std::vector<PartialResult>> found(1 + random() % 3);
    std::vector<FoundPart> parts;
    for (std::vector<PartialResult>& part : found) {
      for (const Plan& plan : plans) part.push_back(random_result(random, plan, 1 + random() % 9));
      parts.push_back({part, static_cast<std::uint32_t>(parts.size()) * kPartDocuments});
    }
    std::vector<std::vector<PartialResult>> copies = found;
    std::vector<FoundPart> same = parts;
    for (std::size_t p = 0; p < parts.size(); ++p) same[p].results = copies[p];
    const Results expected = flatten(plans, same, {});
    ResultLayout layout(plans, parts, {});
    find_in_any_order(random, plans.size(), parts.size(), layout);
    const Results laid_out = layout.finish();
    ASSERT_EQ(laid_out.counts, expected.counts);
    ASSERT_EQ(laid_out.offsets, expected.offsets);
    ASSERT_TRUE(std::ranges::equal(laid_out.docids, expected.docids)) << round;
    ASSERT_TRUE(std::ranges::equal(laid_out.scores, expected.scores)) << round;
    for (const auto& part : found) {
      for (const PartialResult& one : part) ASSERT_TRUE(one.keys.empty() && one.docids.empty());
    }
  }
}

TEST(ResultLayout, LaysOutBeforeAllIsFound) {
  const std::vector<Plan> plans(100, plan_that_wants(Want::kTopK));
  std::vector<PartialResult> partial(plans.size());
  for (PartialResult& one : partial) one.keys = {rank_key(7, 1)};
  ResultLayout layout(plans, {{partial}}, {});
  const std::vector<std::size_t> second{1}, first{0};
  layout.found(0, second);
  EXPECT_FALSE(partial[1].keys.empty()) << "nobody knows yet where it begins";
  layout.found(0, first);
  EXPECT_TRUE(partial[0].keys.empty() && partial[1].keys.empty());
  EXPECT_FALSE(partial[2].keys.empty());
  EXPECT_EQ(layout.finish().docids.size(), 100u);
}

/// Room for as many hits as there may be does not stay with the few that are found.
TEST(ResultLayout, TakesNoMoreThanWasFound) {
  const std::vector<Plan> plans(5000, plan_that_wants(Want::kTopK));
  std::vector<PartialResult> partial(plans.size());
  for (PartialResult& one : partial) one.keys = {rank_key(7, 1)};
  ResultLayout layout(plans, {{partial}}, {});
  std::vector<std::size_t> all(plans.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  layout.found(0, all);
  const Results results = layout.finish();
  EXPECT_EQ(results.docids.size(), 5000u);
  EXPECT_LE(results.docids.capacity(), 10'000u);
}

TEST(ResultLayout, Stops) {
  const std::vector<Plan> plans(100, plan_that_wants(Want::kTopK));
  std::vector<PartialResult> partial(plans.size());
  std::stop_source stop;
  ResultLayout layout(plans, {{partial}}, stop.get_token());
  stop.request_stop();
  const std::vector<std::size_t> first{0};
  EXPECT_THROW(layout.found(0, first), CancelledError);
  EXPECT_THROW(layout.finish(), CancelledError);
}

}  // namespace
}  // namespace gannet::query
