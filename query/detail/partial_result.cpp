#include "query/detail/partial_result.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

#include "codecs/core/cancellation.hpp"
#include "query/backend.hpp"

namespace gannet::query {
namespace {

/// Results copied by one task: a task costs more than a few hits.
constexpr std::size_t kPlansPerTask = 64;

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
  results.counts.reserve(plans.size());
  results.offsets.reserve(plans.size() + 1);
  bool ranked = false;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::size_t length = length_of(plans[i], partial[i]);
    const bool top = plans[i].want() == Want::kTopK;
    ranked = ranked || top;
    results.counts.push_back(top ? length : partial[i].count);
    results.offsets.push_back(results.offsets.back() + length);
  }
  results.docids.resize(results.offsets.back());
  if (ranked) results.scores.resize(results.offsets.back());
  const auto copy_some = [&](const tbb::blocked_range<std::size_t>& range) {
    throw_if_stopped(stop);
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      copy(partial[i], results, results.offsets[i]);
      partial[i] = {};
    }
  };
  const tbb::blocked_range<std::size_t> all(0, plans.size(), kPlansPerTask);
  if (results.docids.size() <= kFewHits) {
    copy_some(all);
  } else {
    tbb::parallel_for(all, copy_some);
  }
  return results;
}

}  // namespace gannet::query
