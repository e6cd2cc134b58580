#include "query/device/pruned/pruned_call.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/device/pruned/pruned_assign.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans that one task prepares.
constexpr std::size_t kPlansPerTask = 32;

/// Room for at least `size` elements, whatever they hold.
template <class T>
void grow(std::vector<T>& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

PrunedCall::PrunedCall(const PrunedPlace& place, PrunedPath path, const BoundPlans& plans,
                       const std::stop_token& stop, std::span<PartialResult> results,
                       Report& report)
    : place_(place),
      path_(path),
      prepared_(place.runs.prepared),
      plans_(plans),
      stop_(stop),
      results_(results),
      report_(report) {}

std::vector<std::size_t> PrunedCall::run(std::span<const std::size_t> chosen) {
  std::array<SubBatch, 2> in_flight;
  std::size_t next = 0;
  while (!chosen.empty()) {
    finish(next, in_flight[next]);
    PrunedRun& run = place_.runs.runs[next];
    SubBatch& batch = in_flight[next] = assign_some(chosen, run);
    if (!batch.plans.empty()) run.start(place_.segment.copy->view(), batch.batch);
    next = 1 - next;
  }
  finish(next, in_flight[next]);
  finish(1 - next, in_flight[1 - next]);
  return std::move(others_);
}

/// Assigns as many of the first of `waiting` as the memory takes, at least one, and takes them
/// away.
PrunedCall::SubBatch PrunedCall::assign_some(std::span<const std::size_t>& waiting,
                                             PrunedRun& run) {
  throw_if_stopped(stop_);
  prepare(waiting.first(std::min(waiting.size(), tuning::kSubBatch)));
  std::vector<PrunedSizes> places;
  SubBatch made = take_fitting(waiting, places);
  if (made.plans.empty()) return made;
  made.batch.scorer = plans_.plan(made.plans.front()).scorer().id;
  made.batch.tables = run.tables(made.batch.sizes);
  for_each_in_parallel(places.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const PreparedPlan& plan = prepared_.plans[i];
      if (!plan.usable) continue;
      const std::size_t number = made.plans[places[i].queries];
      add_pruned(plan, plans_.plan(number).constants(), places[i], made.batch);
    }
  });
  return made;
}

/// `places`: of plans that are taken, what those before them take.
PrunedCall::SubBatch PrunedCall::take_fitting(std::span<const std::size_t>& waiting,
                                              std::vector<PrunedSizes>& places) {
  SubBatch made;
  made.batch.path = path_;
  made.batch.documents = documents();
  places.reserve(prepared_.plans.size());
  made.plans.reserve(prepared_.plans.size());
  for (std::size_t i = 0; i < prepared_.plans.size(); ++i) {
    const PreparedPlan& plan = prepared_.plans[i];
    if (plan.usable) {
      PrunedSizes with = made.batch.sizes;
      with.add(plan.sizes);
      const std::uint64_t numbers =
          std::uint64_t{with.queries} * padded_superblocks(made.batch.documents);
      const bool fits = PrunedRun::bytes(path_, with, made.batch.documents) <= place_.batch_bytes &&
                        numbers < kNone;
      if (!fits && !made.plans.empty()) break;
      places.push_back(made.batch.sizes);
      made.plans.push_back(waiting[i]);
      made.batch.sizes = with;
    } else {
      places.push_back(made.batch.sizes);
      if (!matches_nothing(bound(waiting[i]))) others_.push_back(waiting[i]);
    }
  }
  waiting = waiting.subspan(places.size());
  return made;
}

/// Prepares plans; those that take another path, or match nothing, become plans that are not
/// usable.
void PrunedCall::prepare(std::span<const std::size_t> chosen) {
  std::size_t terms = 0;
  prepared_.plans.resize(chosen.size());
  prepared_.first_terms.clear();
  for (const std::size_t i : chosen) {
    prepared_.first_terms.push_back(terms);
    terms += plans_.ids(i, place_.number).size();
  }
  grow(prepared_.lists, terms);
  grow(prepared_.terms, terms);
  std::mutex mutex;
  std::vector<WantedList> unknown;
  const auto prepare_some = [&](std::size_t begin, std::size_t end) {
    std::vector<WantedList> mine;
    for (std::size_t i = begin; i < end; ++i) prepare_one(chosen[i], i, mine);
    if (mine.empty()) return;
    const std::lock_guard lock(mutex);
    unknown.insert(unknown.end(), mine.begin(), mine.end());
  };
  for_each_in_parallel(chosen.size(), prepare_some);
  if (unknown.empty()) return;
  report_.bounds_seconds += place_.knowledge.learn(std::move(unknown), stop_);
  for_each_in_parallel(chosen.size(), prepare_some);
}

/// Looks up the lists of a plan, and prepares it if all are known.
void PrunedCall::prepare_one(std::size_t number, std::size_t i,
                             std::vector<WantedList>& unknown) const {
  prepared_.plans[i].usable = false;
  const SegmentPlan plan = bound(number);
  if (matches_nothing(plan) || pruned_path(plan) != path_) return;
  const std::size_t before = unknown.size();
  const std::size_t first = prepared_.first_terms[i];
  std::size_t terms = 0;
  for (std::size_t t = 0; t < plan.ids.size(); ++t) {
    if (plan.ids[t] == kNoTerm) continue;
    const KnownList* const list = place_.knowledge.find(plan.ids[t]);
    if (list == nullptr) unknown.push_back({plan.ids[t], plan.plan, t});
    prepared_.lists[first + terms++] = list;
  }
  if (unknown.size() != before) return;
  const KnownPlan known{plan, std::span(prepared_.lists).subspan(first, terms), reached(number)};
  prepared_.plans[i] = prepare_plan(path_, known, place_.segment.copy->lists(), documents(),
                                    std::span(prepared_.terms).subspan(first, terms));
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
  PrunedRun& done = place_.runs.runs[run];
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
  report_.tiles_decoded += counters.tiles + batch.batch.sizes.short_tiles;
  report_.ranges_searched += counters.ranges;
  report_.documents_scored += counters.documents;
  report_.ranges_total += batch.plans.size() * ((batch.batch.documents + kRange - 1) / kRange);
  report_.device_seconds += done.device_seconds();
  batch.plans.clear();
}

}  // namespace gannet::query::cuda
