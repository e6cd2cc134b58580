#include "query/shards/join_results.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <vector>

#include "codecs/error.hpp"
#include "query/hits.hpp"

namespace gannet::query {
namespace {

std::uint64_t key_of(const Hit& hit) {
  return rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid);
}

/// The k best of both, best first.
std::vector<Hit> best_of(const ResultView& a, const ResultView& b, std::uint32_t k) {
  std::vector<Hit> hits;
  hits.reserve(std::min<std::size_t>(a.docids.size() + b.docids.size(), k));
  const auto left = a.hits(), right = b.hits();
  std::size_t i = 0, j = 0;
  while (hits.size() < k && (i < left.size() || j < right.size())) {
    const bool first = j == right.size() || (i < left.size() && key_of(left[i]) > key_of(right[j]));
    hits.push_back(first ? left[i++] : right[j++]);
  }
  return hits;
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
  check(plans, a);
  check(plans, b);
  const bool scored = !a.scores.empty() || !b.scores.empty();
  Results joined;
  joined.counts.reserve(plans.size());
  joined.offsets.reserve(plans.size() + 1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const ResultView left = a[i], right = b[i];
    if (plans[i].want() == Want::kTopK) {
      for (const Hit& hit : best_of(left, right, plans[i].k())) {
        joined.docids.push_back(hit.docid);
        joined.scores.push_back(hit.score);
      }
    } else {
      std::ranges::merge(left.docids, right.docids, std::back_inserter(joined.docids));
      joined.scores.resize(joined.docids.size(), 0.0f);
    }
    joined.counts.push_back(plans[i].want() == Want::kTopK
                                ? joined.docids.size() - joined.offsets.back()
                                : left.count + right.count);
    joined.offsets.push_back(joined.docids.size());
  }
  if (!scored) joined.scores.clear();
  return joined;
}

}  // namespace gannet::query
