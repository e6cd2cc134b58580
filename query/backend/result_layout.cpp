#include "query/backend/result_layout.hpp"

#include <boost/container/small_vector.hpp>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query {
namespace {

/// Up to kFewHits hits of kFewPlans plans are copied sooner than other threads wake up.
constexpr std::size_t kFewHits = 32768;
constexpr std::size_t kFewPlans = 256;
/// Hits that one task copies, or so.
constexpr std::size_t kHitsPerTask = 8192;

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

/// No more hits are laid out before all are found, since there must be room for all that may be.
constexpr std::size_t kMaxHits = std::size_t{1} << 27;

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
    const std::span docids(part.results[i].docids);
    for_each_chunk(docids.size(), [&](std::size_t first, std::size_t size) {
      next = std::ranges::transform(docids.subspan(first, size), next, [&](std::uint32_t docid) {
               return docid + part.docid_base;
             }).out;
    });
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

ResultLayout::ResultLayout(std::span<const Plan> plans, std::vector<FoundPart> parts,
                           std::stop_token stop)
    : plans_(plans), parts_(std::move(parts)), stop_(std::move(stop)) {
  results_.counts.resize(plans.size());
  results_.offsets.resize(plans.size() + 1);
  const bool top = !plans.empty() && plans.front().want() == Want::kTopK;
  room_ = top ? plans.size() * plans.front().k() : 0;
  if (room_ > kFewHits && room_ <= kMaxHits) states_ = std::make_unique<State[]>(plans.size());
}

void ResultLayout::found(std::size_t part, std::span<const std::size_t> plans) {
  if (states_ == nullptr) return;
  for_plans(plans.size(), kPlansPerTask, [&](std::size_t at) {
    const std::size_t i = plans[at];
    if (plans_[i].want() != Want::kTopK) return;  // finish() does it, and those behind it
    State& state = states_[i];
    state.k.store(plans_[i].k(), std::memory_order_relaxed);
    state.hits.fetch_add(parts_[part].results[i].keys.size(), std::memory_order_relaxed);
    state.parts.fetch_add(1, std::memory_order_acq_rel);
  });
  copy(next_stretch());
}

/// The next plans all of whose parts are there get their places.
ResultLayout::Stretch ResultLayout::next_stretch() {
  const std::lock_guard lock(mutex_);
  Stretch stretch{next_, next_};
  for (; stretch.end < plans_.size(); ++stretch.end) {
    const State& state = states_[stretch.end];
    if (state.parts.load(std::memory_order_acquire) < parts_.size()) break;
    const auto hits = std::min<std::uint64_t>(state.hits.load(std::memory_order_relaxed),
                                              state.k.load(std::memory_order_relaxed));
    // The first plan's k may be less than others'.
    if (results_.offsets[stretch.end] + hits > room_) break;
    results_.counts[stretch.end] = hits;
    results_.offsets[stretch.end + 1] = results_.offsets[stretch.end] + hits;
  }
  if (stretch.begin == stretch.end) return stretch;
  if (next_ == 0) {
    ranked_ = true;
    results_.docids.resize(room_);
    results_.scores.resize(room_);
  }
  next_ = stretch.end;
  return stretch;
}

void ResultLayout::measure(Stretch stretch) {
  const std::size_t begin = stretch.begin;
  for_plans(stretch.end - begin, kManyPlans, [&](std::size_t at) {
    const std::size_t i = begin + at;
    const bool top = plans_[i].want() == Want::kTopK;
    if (top && !ranked_.load(std::memory_order_relaxed)) ranked_ = true;
    const Found found = found_of(plans_[i], parts_, i);
    results_.counts[i] = found.count;
    results_.offsets[i + 1] = found.length;
  });
  const auto first = results_.offsets.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = results_.offsets.begin() + static_cast<std::ptrdiff_t>(stretch.end) + 1;
  std::partial_sum(first, last, first);
}

void ResultLayout::copy(Stretch stretch) {
  const std::size_t hits = results_.offsets[stretch.end] - results_.offsets[stretch.begin];
  const std::size_t plans = stretch.end - stretch.begin;
  if (plans == 0) return;
  const auto copy_some = [&](const tbb::blocked_range<std::size_t>& range) {
    throw_if_stopped(stop_);
    const StopScope scope(stop_);
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      const std::size_t to = results_.offsets[i];
      query::copy(plans_[i], parts_, i, {results_, to, results_.offsets[i + 1] - to});
      for (const FoundPart& part : parts_) part.results[i].clear();
    }
  };
  const std::size_t each = std::max<std::size_t>(1, plans * kHitsPerTask / std::max(hits, plans));
  const tbb::blocked_range<std::size_t> all(stretch.begin, stretch.end,
                                            std::min(each, kPlansPerTask));
  if (plans <= kFewPlans && hits <= kFewHits) {
    copy_some(all);
  } else {
    tbb::parallel_for(all, copy_some);
  }
}

Results ResultLayout::finish() {
  const Stretch rest{next_, plans_.size()};
  measure(rest);
  results_.docids.resize(results_.offsets.back());
  results_.scores.resize(ranked_ ? results_.offsets.back() : 0);
  copy(rest);
  // Of few hits, room for many may not stay: addresses are not free everywhere.
  if (results_.docids.size() < room_ / 4) {
    results_.docids.shrink_to_fit();
    results_.scores.shrink_to_fit();
  }
  return std::move(results_);
}

Results flatten(std::span<const Plan> plans, std::vector<FoundPart> parts,
                const std::stop_token& stop) {
  return ResultLayout(plans, std::move(parts), stop).finish();
}

}  // namespace gannet::query
