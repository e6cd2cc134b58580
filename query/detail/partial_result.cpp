#include "query/detail/partial_result.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <iterator>
#include <numeric>

#include "codecs/core/cancellation.hpp"
#include "query/backend.hpp"
#include "query/detail/plan_ranges.hpp"

namespace gannet::query {
namespace {

/// So many hits are copied sooner than other threads wake up.
constexpr std::size_t kFewHits = 32768;

std::size_t length_of(const Plan& plan, const PartialResult& result) {
  switch (plan.want()) {
    case Want::kTopK:
      return result.keys.size();
    case Want::kDocids:
      return result.docids.size();
    case Want::kCount:
      break;
  }
  return 0;
}

/// So many plans are looked at sooner than other threads wake up; more in parallel, for one thread
/// would wait for memory at every plan.
constexpr std::size_t kManyPlans = 1024;

/// Writes every element that belongs to the result: nothing else gives it a value.
void copy(const PartialResult& from, Results& to, std::size_t begin) {
  std::ranges::copy(from.docids, to.docids.begin() + static_cast<std::ptrdiff_t>(begin));
  if (!to.scores.empty()) std::fill_n(to.scores.data() + begin, from.docids.size(), 0.0f);
  for (std::size_t i = 0; i < from.keys.size(); ++i) {
    const Hit hit = hit_of(from.keys[i]);
    to.docids[begin + i] = hit.docid;
    to.scores[begin + i] = hit.score;
  }
}

}  // namespace

void Backend::gather(std::span<const Plan> plans, const SearchOptions& options, Report& report,
                     std::span<PartialResult> results) const {
  const Results found = run(plans, options, report);
  for (std::size_t i = 0; i < plans.size(); ++i) results[i] = partial(plans[i], found[i]);
}

void PartialResult::merge(std::span<const std::uint64_t> more, std::uint32_t k) {
  if (keys.empty() && more.size() <= k) {
    keys.assign(more.begin(), more.end());
    return;
  }
  decltype(keys) merged;
  merged.reserve(keys.size() + more.size());
  std::ranges::merge(keys, more, std::back_inserter(merged), std::greater<>());
  if (merged.size() > k) merged.resize(k);
  keys = std::move(merged);
}

PartialResult partial(const Plan& plan, const ResultView& result) {
  PartialResult made;
  made.count = result.count;
  if (plan.want() != Want::kTopK) {
    made.docids.assign(result.docids.begin(), result.docids.end());
    return made;
  }
  made.keys.reserve(result.docids.size());
  for (const Hit hit : result.hits()) {
    made.keys.push_back(rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid));
  }
  return made;
}

Results flatten(std::span<const Plan> plans, std::span<PartialResult> partial,
                const std::stop_token& stop) {
  Results results;
  results.counts.resize(plans.size());
  results.offsets.resize(plans.size() + 1);
  std::atomic<bool> ranked = false;
  for_plans(plans.size(), kManyPlans, [&](std::size_t i) {
    const std::size_t length = length_of(plans[i], partial[i]);
    const bool top = plans[i].want() == Want::kTopK;
    if (top && !ranked.load(std::memory_order_relaxed)) ranked = true;
    results.counts[i] = top ? length : partial[i].count;
    results.offsets[i + 1] = length;
  });
  std::partial_sum(results.offsets.begin(), results.offsets.end(), results.offsets.begin());
  results.docids.resize(results.offsets.back());
  if (ranked) results.scores.resize(results.offsets.back());
  const std::size_t few = results.docids.size() <= kFewHits ? plans.size() : 0;
  for_plans(plans.size(), few, [&](std::size_t i) {
    if (i % kPlansPerTask == 0) throw_if_stopped(stop);
    copy(partial[i], results, results.offsets[i]);
    partial[i] = {};
  });
  return results;
}

}  // namespace gannet::query
