// The kernels of the pruned search on shards that tell one another what their first waves find.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/simt/pruned/pruned_kernels.hpp"

namespace gannet::query::cuda {
namespace {

using test::kTerms;

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

/// What stands in for page-locked memory, poisoned.
class Memory {
 public:
  Memory(std::uint32_t shards, std::uint32_t plans)
      : states_(std::size_t{shards} * plans),
        scales_(states_.size()),
        counts_(states_.size() * 32) {
    std::memset(static_cast<void*>(scales_.data()), 0x7f, scales_.size() * sizeof(float4));
    std::memset(static_cast<void*>(counts_.data()), 0x7f, counts_.size() * sizeof(uint4));
    all_.states = states_.data();
    all_.scales = scales_.data();
    all_.counts = reinterpret_cast<std::uint16_t*>(counts_.data());
    all_.shards = shards;
    all_.plans = plans;
    all_.call = 7;
  }

  SharedScores of(std::uint32_t shard) const {
    SharedScores scores = all_;
    scores.mine = shard;
    return scores;
  }
  bool given(std::uint32_t shard, std::size_t plan) const {
    return states_[all_.entry(shard, plan)] == all_.given();
  }

 private:
  std::vector<std::uint32_t> states_;
  std::vector<float4> scales_;
  std::vector<uint4> counts_;
  SharedScores all_;
};

/// The k best of what shards found of each plan.
using Keys = std::map<std::size_t, std::vector<std::uint64_t>>;

class PrunedShards : public PrunedKernels {
 protected:
  /// Searches shard after shard, so that each knows what those before it gave, twice: then each
  /// knows of all. Returns how many documents the second round scored.
  template <class Tiles>
  std::uint64_t expect_exact_on_shards(std::span<const Plan> plans,
                                       const std::vector<std::size_t>& ends, std::uint64_t seed) {
    const auto computed = compute<Tiles, UsualScorers>(plans.front().scorer(), 300);
    const auto shards = static_cast<std::uint32_t>(ends.size());
    const Memory memory(shards, static_cast<std::uint32_t>(plans.size()));
    std::uint64_t scored = 0;
    for (int round = 0; round < 2; ++round) {
      Keys all;
      scored = 0;
      for (std::uint32_t shard = 0; shard < shards; ++shard) {
        const std::size_t first = shard == 0 ? 0 : ends[shard - 1];
        const auto found = search<Tiles, UsualScorers>(
            PrunedPath::kBounds, plans, computed, {first, ends[shard], seed, memory.of(shard)});
        scored += found.counters.documents;
        for (const auto& [plan, keys] : found.keys) {
          EXPECT_TRUE(memory.given(shard, plan));
          all[plan].insert(all[plan].end(), keys.begin(), keys.end());
        }
      }
      EXPECT_GT(all.size(), plans.size() / 3);
      for (auto& [plan, keys] : all) {
        std::ranges::sort(keys, std::greater<>());
        keys.resize(std::min<std::size_t>(keys.size(), plans[plan].k()));
        expect_best(plans[plan], keys);
        if (HasFailure()) return scored;
      }
    }
    return scored;
  }
};

TEST_F(PrunedShards, FindTheBestTogether) {
  open_cut(test::random_collection(7000, kTerms, 5), {3000, 3500, 3600, 7000});
  for (const unsigned seed : {0u, 1u, 2u}) {
    SCOPED_TRACE(seed);
    const auto plans = test::Queries(seed + 31).plans(*searcher_, 12, {1, 10, 100, 1000});
    expect_exact_on_shards<Packed>(plans, {1, 4}, seed);
    expect_exact_on_shards<Packed>(plans, {2, 3, 4}, seed);
    expect_exact_on_shards<Any>(std::span(plans).first(5), {1, 4}, seed);
  }
}

TEST_F(PrunedShards, FindLaterPagesTogether) {
  open_cut(test::random_collection(7000, kTerms, 5), {3000, 3500, 3600, 7000});
  const auto plans =
      test::pages_of(*searcher_, test::Queries(44).plans(*searcher_, 15, {1, 10, 100}), 44);
  expect_exact_on_shards<Packed>(plans, {1, 4}, 1);
}

/// One shard has few documents: its own k best are far from those of all.
TEST_F(PrunedShards, OfVeryUnlikeSizes) {
  open_cut(test::random_collection(7000, kTerms, 8), {6990, 7000});
  const auto plans = test::Queries(11).plans(*searcher_, 12, {1, 10, 100});
  expect_exact_on_shards<Packed>(plans, {1, 2}, 0);
}

/// One shard has fewer documents that may match than hits are wanted, in many superblocks: of these
/// and the other's the best are still as many as the plan wants.
TEST_F(PrunedShards, OfFewMatches) {
  open_cut(test::collection_of(40'000, 60,
                               [](std::uint32_t t, std::uint32_t d) -> std::uint32_t {
                                 const std::uint32_t mixed = d * 2654435761u >> 7;
                                 // Some superblocks have larger ones: the first wave.
                                 const std::uint32_t most =
                                     d >= 20'000 || d / 1024 % 5 == 3 ? 900 : 10;
                                 if (d >= 20'000 && d % 400 != t) return 0;
                                 return mixed % (3 + t) == 0 || d >= 20'000 ? 1 + mixed % most : 0;
                               }),
           {20'000, 40'000});
  for (const std::uint32_t k : {60u, 200u, 1000u}) {
    const auto plans = test::Queries(k).plans(*searcher_, 12, {k});
    expect_exact_on_shards<Packed>(plans, {1, 2}, 0);
    expect_exact_on_shards<Any>(std::span(plans).first(5), {1, 2}, 0);
  }
}

TEST_F(PrunedShards, SearchLessThanAlone) {
  open_cut(test::random_collection(60'000, kTerms, 5), {30'000, 60'000});
  const auto plans = test::Queries(31).plans(*searcher_, 12, {100});
  const auto computed = compute<Packed, UsualScorers>(plans.front().scorer(), 300);
  std::uint64_t alone = 0;
  for (const std::size_t shard : {0, 1}) {
    alone +=
        search<Packed, UsualScorers>(PrunedPath::kBounds, plans, computed, {shard, shard + 1, 0})
            .counters.documents;
  }
  const std::uint64_t together = expect_exact_on_shards<Packed>(plans, {1, 2}, 0);
  EXPECT_LT(together, alone);
  RecordProperty("alone", static_cast<int>(alone));
  RecordProperty("together", static_cast<int>(together));
}

}  // namespace
}  // namespace gannet::query::cuda
