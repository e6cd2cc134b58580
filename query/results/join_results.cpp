#include "query/results/join_results.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/results/hits.hpp"

namespace gannet::query {
namespace {

std::uint64_t key_of(const Hit& hit) {
  return rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid);
}

/// Where a shard's result of a plan has been read to.
struct Head {
  ResultView result;
  std::size_t at = 0;
  bool ended() const { return at == result.docids.size(); }
};

/// Calls f(hit) for the first `count` hits of all heads, in the order of `key`, largest first.
template <class Key, class F>
void merge_heads(std::span<Head> heads, std::uint64_t count, Key key, F f) {
  for (; count > 0; --count) {
    Head* best = nullptr;
    std::uint64_t most = 0;
    for (Head& head : heads) {
      if (head.ended()) continue;
      const std::uint64_t mine = key(head.result.hits()[head.at]);
      if (best != nullptr && mine <= most) continue;
      best = &head;
      most = mine;
    }
    f(best->result.hits()[best->at++]);
  }
}

/// What all shards found of plan i.
std::vector<Head> heads_of(std::span<const Results* const> shards, std::size_t i) {
  std::vector<Head> heads;
  for (const Results* shard : shards) heads.push_back({(*shard)[i]});
  return heads;
}

/// How many docids the whole has of plan i.
std::uint64_t docids_of(const Plan& plan, std::span<const Results* const> shards, std::size_t i) {
  std::uint64_t all = 0;
  for (const Results* shard : shards) all += (*shard)[i].docids.size();
  return plan.want() == Want::kTopK ? std::min<std::uint64_t>(all, plan.k()) : all;
}

void check(std::span<const Plan> plans, const Results& results) {
  const bool scored = results.scores.empty() || results.scores.size() == results.docids.size();
  if (results.size() == plans.size() && results.offsets.size() == plans.size() + 1 &&
      results.offsets.back() == results.docids.size() && std::ranges::is_sorted(results.offsets) &&
      scored) {
    return;
  }
  throw UsageError("the results of a shard are those of another batch");
}

}  // namespace

void renumber(Results& results, std::uint64_t base) {
  const auto largest = std::ranges::max_element(results.docids);
  if (largest == results.docids.end()) return;
  if (base > std::numeric_limits<std::uint32_t>::max() - *largest) {
    throw UsageError("the shards have more documents together than an index can number");
  }
  for (std::uint32_t& docid : results.docids) docid += static_cast<std::uint32_t>(base);
}

Results join_results(std::span<const Plan> plans, const Results& a, const Results& b) {
  const std::array both{&a, &b};
  return join_results(plans, both);
}

Results join_results(std::span<const Plan> plans, std::span<const Results* const> shards) {
  bool scored = false;
  for (const Results* shard : shards) {
    check(plans, *shard);
    scored = scored || !shard->scores.empty();
  }
  Results joined;
  joined.counts.resize(plans.size());
  joined.offsets.reserve(plans.size() + 1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    joined.offsets.push_back(joined.offsets.back() + docids_of(plans[i], shards, i));
  }
  joined.docids.resize(joined.offsets.back());
  if (scored) joined.scores.resize(joined.offsets.back());
  tbb::parallel_for(std::size_t{0}, plans.size(), [&](std::size_t i) {
    const bool best = plans[i].want() == Want::kTopK;
    const std::uint64_t count = joined.offsets[i + 1] - joined.offsets[i];
    joined.counts[i] = best ? count : 0;
    if (!best) {
      for (const Results* shard : shards) joined.counts[i] += shard->counts[i];
    }
    std::vector<Head> heads = heads_of(shards, i);
    std::uint64_t at = joined.offsets[i];
    const auto key = [&](const Hit& hit) { return best ? key_of(hit) : ~std::uint64_t{hit.docid}; };
    merge_heads(heads, count, key, [&](const Hit& hit) {
      joined.docids[at] = hit.docid;
      if (scored) joined.scores[at] = hit.score;
      ++at;
    });
  });
  return joined;
}

}  // namespace gannet::query
