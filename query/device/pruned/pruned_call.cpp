#include "query/device/pruned/pruned_call.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans that one task prepares.
constexpr std::size_t kPlansPerTask = 32;

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
  SubBatch made;
  made.batch.documents = static_cast<std::uint32_t>(place_.segment.segment->statistics().documents);
  made.batch.scorer = plans_.plan(chosen.front()).scorer().id;
  made.batch.queries.reserve(chosen.size());
  made.batch.selections.reserve(chosen.size());
  const AllPrepared all = prepare(chosen);
  made.batch.terms.reserve(all.terms.size());
  made.batch.rows.reserve(all.terms.size());
  for (const Prepared& one : all.plans) {
    (one.scaled.usable ? made.plans : others_).push_back(one.plan);
    if (!one.scaled.usable) continue;
    add_pruned(bound(one.plan), one.scaled, std::span(all.terms).subspan(one.first_term, one.terms),
               made.batch);
  }
  return made;
}

PrunedCall::AllPrepared PrunedCall::prepare(std::span<const std::size_t> chosen) {
  AllPrepared all;
  std::size_t terms = 0;
  all.plans.reserve(chosen.size());
  for (const std::size_t i : chosen) {
    all.plans.push_back({i, terms, 0, {}});
    terms += plans_.ids(i, place_.number).size();
  }
  all.lists.resize(terms);
  all.terms.resize(terms);
  std::mutex mutex;
  std::vector<WantedList> unknown;
  const auto prepare_some = [&](std::size_t begin, std::size_t end) {
    std::vector<WantedList> mine;
    for (std::size_t i = begin; i < end; ++i) prepare_one(all.plans[i], all, mine);
    if (mine.empty()) return;
    const std::lock_guard lock(mutex);
    unknown.insert(unknown.end(), mine.begin(), mine.end());
  };
  for_each_in_parallel(chosen.size(), prepare_some);
  if (unknown.empty()) return all;
  report_.bounds_seconds += place_.knowledge.learn(std::move(unknown), stop_);
  for_each_in_parallel(chosen.size(), prepare_some);
  return all;
}

/// Looks up the lists of a plan, and scales it if all are known.
void PrunedCall::prepare_one(Prepared& one, AllPrepared& all,
                             std::vector<WantedList>& unknown) const {
  const SegmentPlan plan = bound(one.plan);
  const std::size_t before = unknown.size();
  one.terms = 0;
  for (std::size_t t = 0; t < plan.ids.size(); ++t) {
    if (plan.ids[t] == kNoTerm) continue;
    const KnownList* const list = place_.knowledge.find(plan.ids[t]);
    if (list == nullptr) unknown.push_back({plan.ids[t], plan.plan, t});
    all.lists[one.first_term + one.terms++] = list;
  }
  if (unknown.size() != before) return;
  const KnownPlan known{plan, std::span(all.lists).subspan(one.first_term, one.terms),
                        reached(one.plan)};
  one.scaled = scale_plan(known, place_.segment.copy->lists(),
                          std::span(all.terms).subspan(one.first_term, one.terms));
}

/// Calls f(begin, end) for parts of 0 .. count - 1, in parallel if there are many.
template <class F>
void PrunedCall::for_each_in_parallel(std::size_t count, F f) const {
  if (count <= kPlansPerTask) return f(0, count);
  place_.arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kPlansPerTask),
                      [&](const auto& range) { f(range.begin(), range.end()); });
  });
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
