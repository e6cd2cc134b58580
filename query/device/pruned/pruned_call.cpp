#include "query/device/pruned/pruned_call.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>

#include "codecs/core/cancellation.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans that one task scales.
constexpr std::size_t kPlansPerTask = 64;

}  // namespace

PrunedCall::PrunedCall(const PrunedPlace& place, const BoundPlans& plans,
                       const std::stop_token& stop, std::span<PartialResult> results,
                       Report& report)
    : place_(place), plans_(plans), stop_(stop), results_(results), report_(report) {}

std::vector<std::size_t> PrunedCall::run(std::span<const std::size_t> chosen) {
  std::array<SubBatch, 2> in_flight;
  std::size_t next = 0;
  while (!chosen.empty()) {
    finish(next, in_flight[next]);
    SubBatch& batch = in_flight[next] = assign_some(chosen);
    if (!batch.plans.empty()) place_.runs[next].start(place_.segment.copy->view(), batch.batch);
    next = 1 - next;
  }
  finish(next, in_flight[next]);
  finish(1 - next, in_flight[1 - next]);
  return std::move(others_);
}

/// Assigns as many of the first of `waiting` as the memory takes, at least one, and takes them
/// away.
PrunedCall::SubBatch PrunedCall::assign_some(std::span<const std::size_t>& waiting) {
  throw_if_stopped(stop_);
  std::size_t count = std::min(waiting.size(), tuning::kSubBatch);
  while (true) {
    const std::size_t others = others_.size();
    SubBatch made = assign(waiting.first(count));
    const std::uint64_t numbers =
        std::uint64_t{made.batch.queries.size()} * padded_superblocks(made.batch.documents);
    const bool fits = PrunedRun::bytes(made.batch) <= place_.batch_bytes && numbers < kNone;
    if (fits || count == 1) {
      waiting = waiting.subspan(count);
      return made;
    }
    others_.resize(others);
    count /= 2;
  }
}

PrunedCall::SubBatch PrunedCall::assign(std::span<const std::size_t> chosen) {
  const index::Segment& segment = *place_.segment.segment;
  SubBatch made;
  made.batch.documents = static_cast<std::uint32_t>(segment.statistics().documents);
  made.batch.scorer = plans_.plan(chosen.front()).scorer().id;
  std::vector<WantedList> wanted;
  std::vector<std::size_t> counts;
  for (const std::size_t i : chosen) {
    counts.push_back(want_lists({&plans_.plan(i), plans_.ids(i, place_.number)}, wanted));
  }
  const auto known = place_.knowledge.look_up(wanted, stop_);
  std::vector<KnownPlan> plans;
  std::size_t first = 0;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    plans.push_back({{&plans_.plan(chosen[c]), plans_.ids(chosen[c], place_.number)},
                     std::span(known).subspan(first, counts[c]),
                     reached(chosen[c])});
    first += counts[c];
  }
  const std::vector<ScaledPlan> scaled = scale(plans);
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    (scaled[c].usable ? made.plans : others_).push_back(chosen[c]);
    if (!scaled[c].usable) continue;
    add_pruned(plans[c], scaled[c], place_.segment.copy->lists(), made.batch);
  }
  return made;
}

std::vector<ScaledPlan> PrunedCall::scale(std::span<const KnownPlan> plans) const {
  std::vector<ScaledPlan> scaled(plans.size());
  const auto scale_some = [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) scaled[i] = scale_plan(plans[i]);
  };
  using Range = tbb::blocked_range<std::size_t>;
  const Range all(0, plans.size(), kPlansPerTask);
  if (plans.size() <= kPlansPerTask) {
    scale_some(all);
  } else {
    place_.arena.execute([&] { tbb::parallel_for(all, scale_some); });
  }
  return scaled;
}

/// A score that k documents of other segments have.
float PrunedCall::reached(std::size_t plan) const {
  const std::vector<std::uint64_t>& keys = results_[plan].keys;
  const std::uint32_t k = plans_.plan(plan).k();
  return keys.size() < k ? 0 : hit_of(keys[k - 1]).score;
}

void PrunedCall::finish(std::size_t run, SubBatch& batch) {
  if (batch.plans.empty()) return;
  PrunedRun& done = place_.runs[run];
  // Waits outside of the arena, whose threads other calls may need.
  done.wait();
  std::vector<Target> targets;
  targets.reserve(batch.plans.size());
  for (const std::size_t i : batch.plans) targets.push_back({&results_[i], plans_.plan(i).k()});
  std::vector<std::size_t> lost;
  const Sink sink{targets, place_.segment.docid_base};
  place_.arena.execute([&] { lost = done.unpack(batch.batch, sink); });
  for (const std::size_t q : lost) others_.push_back(batch.plans[q]);
  const PrunedCounters counters = done.counters();
  report_.tiles_decoded += counters.tiles + batch.batch.short_tiles;
  report_.ranges_searched += counters.ranges;
  report_.documents_scored += counters.documents;
  report_.ranges_total += batch.plans.size() * ((batch.batch.documents + kRange - 1) / kRange);
  report_.device_seconds += done.device_seconds();
  batch.plans.clear();
}

}  // namespace gannet::query::cuda
