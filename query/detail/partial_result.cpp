#include "query/detail/partial_result.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <iterator>
#include <numeric>

#include "codecs/core/cancellation.hpp"
#include "query/backend.hpp"
#include "query/detail/plan_ranges.hpp"
#include "query/detail/shard_exchange.hpp"

namespace gannet::query {
namespace {

/// So many hits are copied sooner than other threads wake up.
constexpr std::size_t kFewHits = 32768;

/// What a plan has in all parts.
struct Found {
  std::uint64_t count = 0;
  std::size_t length = 0;  ///< of its result
};

Found found_of(const Plan& plan, std::span<const FoundPart> parts, std::size_t i) {
  Found found;
  for (const FoundPart& part : parts) {
    const PartialResult& result = part.results[i];
    found.count += result.count;
    if (plan.want() == Want::kTopK) found.length += result.keys.size();
    if (plan.want() == Want::kDocids) found.length += result.docids.size();
  }
  if (plan.want() != Want::kTopK) return found;
  found.length = std::min<std::size_t>(found.length, plan.k());
  found.count = found.length;
  return found;
}

/// So many plans are looked at sooner than other threads wake up; more in parallel, for one thread
/// would wait for memory at every plan.
constexpr std::size_t kManyPlans = 1024;

/// Where a result goes.
struct Place {
  Results& to;
  std::size_t begin;
  std::size_t length;

  void put(std::size_t i, std::uint64_t key) const {
    const Hit hit = hit_of(key);
    to.docids[begin + i] = hit.docid;
    to.scores[begin + i] = hit.score;
  }
};

void copy_docids(std::span<const FoundPart> parts, std::size_t i, const Place& place) {
  std::uint32_t* next = place.to.docids.data() + place.begin;
  for (const FoundPart& part : parts) {
    next = std::ranges::transform(part.results[i].docids, next, [&](std::uint32_t docid) {
             return docid + part.docid_base;
           }).out;
  }
  if (!place.to.scores.empty()) {
    std::fill_n(place.to.scores.data() + place.begin, place.length, 0.0f);
  }
}

/// A part's keys that are not taken yet.
struct Keys {
  std::span<const std::uint64_t> left;
  std::uint32_t docid_base;
  // The low half of a key falls as the docid grows (rank_key()).
  std::uint64_t next() const { return left.empty() ? 0 : left.front() - docid_base; }
};

void merge_keys(std::span<const FoundPart> parts, std::size_t i, const Place& place) {
  boost::container::small_vector<Keys, 8> all;
  for (const FoundPart& part : parts) {
    const auto& keys = part.results[i].keys;
    all.push_back({{keys.data(), keys.size()}, part.docid_base});
  }
  for (std::size_t at = 0; at < place.length; ++at) {
    Keys& best = *std::ranges::max_element(all, {}, &Keys::next);
    place.put(at, best.next());
    best.left = best.left.subspan(1);
  }
}

/// Writes every element that belongs to the result: nothing else gives it a value.
void copy(const Plan& plan, std::span<const FoundPart> parts, std::size_t i, const Place& place) {
  if (plan.want() != Want::kTopK) return copy_docids(parts, i, place);
  if (parts.size() > 1) return merge_keys(parts, i, place);
  const auto& keys = parts.front().results[i].keys;
  for (std::size_t at = 0; at < place.length; ++at) {
    place.put(at, keys[at] - parts.front().docid_base);
  }
}

}  // namespace

void Backend::gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
                     std::span<PartialResult> results) const {
  const Results found = run(plans, options, report);
  for (std::size_t i = 0; i < plans.size(); ++i) results[i] = partial(plans[i], found[i]);
}

std::unique_ptr<ShardExchange> Backend::make_exchange(std::size_t) const { return nullptr; }

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
  const FoundPart all{partial, 0};
  return flatten_parts(plans, std::span(&all, 1), stop);
}

Results flatten_parts(std::span<const Plan> plans, std::span<const FoundPart> parts,
                      const std::stop_token& stop) {
  Results results;
  results.counts.resize(plans.size());
  results.offsets.resize(plans.size() + 1);
  std::atomic<bool> ranked = false;
  for_plans(plans.size(), kManyPlans, [&](std::size_t i) {
    const bool top = plans[i].want() == Want::kTopK;
    if (top && !ranked.load(std::memory_order_relaxed)) ranked = true;
    const Found found = found_of(plans[i], parts, i);
    results.counts[i] = found.count;
    results.offsets[i + 1] = found.length;
  });
  std::partial_sum(results.offsets.begin(), results.offsets.end(), results.offsets.begin());
  results.docids.resize(results.offsets.back());
  if (ranked) results.scores.resize(results.offsets.back());
  const std::size_t few = results.docids.size() <= kFewHits ? plans.size() : 0;
  for_plans(plans.size(), few, [&](std::size_t i) {
    if (i % kPlansPerTask == 0) throw_if_stopped(stop);
    const std::size_t begin = results.offsets[i];
    copy(plans[i], parts, i, {results, begin, results.offsets[i + 1] - begin});
    for (const FoundPart& part : parts) part.results[i] = {};
  });
  return results;
}

}  // namespace gannet::query
