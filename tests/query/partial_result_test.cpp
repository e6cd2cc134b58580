// Results on their way into flat arrays.
#include "query/detail/partial_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

Plan plan_that_wants(Want want) {
  Plan::Parts parts;
  parts.want = want;
  parts.k = 1000;
  return Plan(parts);
}

/// Lists of all lengths, with keys before, among and behind those that are there.
TEST(PartialResult, MergingKeepsTheBest) {
  std::mt19937_64 random(5);
  std::size_t cut = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto k = static_cast<std::uint32_t>(1 + random() % (round % 2 == 0 ? 8 : 40));
    std::vector<std::uint64_t> all;
    PartialResult result;
    for (std::uint64_t part = 0; part < 3; ++part) {
      std::vector<std::uint64_t> more(random() % (k + 5));  // and more than k, too
      const std::uint64_t range = std::uint64_t{1} << (random() % 10);
      for (std::size_t i = 0; i < more.size(); ++i) {
        more[i] = random() % range * 4096 + part * 1024 + i;  // no two alike
      }
      std::ranges::sort(more, std::greater<>());
      all.insert(all.end(), more.begin(), more.end());
      std::ranges::sort(all, std::greater<>());
      result.merge(more, k);
      const std::size_t kept = std::min<std::size_t>(k, all.size());
      cut += all.size() - kept;
      ASSERT_TRUE(std::ranges::equal(result.keys, std::span(all).first(kept))) << round;
    }
  }
  EXPECT_GT(cut, 1000u);
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
    const Results results = flatten(plans, some, {});
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
  const Results results = flatten(plans, partial, {});
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
PartialResult random_result(test::Random& random, const Plan& plan) {
  PartialResult part;
  const bool top = plan.want() == Want::kTopK;
  if (!top) part.count = random() % 50;
  for (std::uint32_t docid = 0; docid < kPartDocuments; docid += 1 + random() % 200) {
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
    const Results expected = flatten(plans, whole, {});
    const Results joined = flatten_parts(plans, parts, {});
    ASSERT_EQ(joined.counts, expected.counts);
    ASSERT_EQ(joined.offsets, expected.offsets);
    ASSERT_TRUE(std::ranges::equal(joined.docids, expected.docids)) << round;
    ASSERT_TRUE(std::ranges::equal(joined.scores, expected.scores)) << round;
    EXPECT_TRUE(found.back().back().keys.empty()) << "their memory is given back";
  }
}

}  // namespace
}  // namespace gannet::query
