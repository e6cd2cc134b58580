#include "query/device/pruned/pruned_call.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/device/pruned/pruned_assign.hpp"
#include "query/device/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans that one task prepares.
constexpr std::size_t kPlansPerSlice = 32;

constexpr std::size_t slices_of(std::size_t plans) {
  return (plans + kPlansPerSlice - 1) / kPlansPerSlice;
}

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
      slices_(place.runs.slices),
      plans_(plans),
      stop_(stop),
      results_(results),
      report_(report) {}

std::vector<std::size_t> PrunedCall::run(std::span<const std::size_t> chosen) {
  look_up_filters(chosen);
  if (chosen.empty()) return {};
  const std::uint32_t k = plans_.plan(chosen.front()).k();  // the others' are about the same
  at_once_ = most_at_once_ = tuning::sub_batch_of(chosen.size(), documents(), k);
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
  place_.runs.filtered.clear();
  return std::move(others_);
}

/// Counts the searches with each filter, and finds out which are searched by bounds of their own.
void PrunedCall::look_up_filters(std::span<const std::size_t> chosen) {
  place_.runs.filtered.clear();
  std::unordered_map<const DeviceFilter*, std::pair<std::size_t, std::uint64_t>> searches;
  for (const std::size_t plan : chosen) {
    const DeviceFilter* const filter = place_.filters.of(place_.number, plan);
    if (filter != nullptr) ++searches.try_emplace(filter, plan, 0).first->second.second;
  }
  for (const auto& [filter, use] : searches) {
    if (place_.runs.filtered.size() == FilteredKnowledge::kFilters) break;
    const auto& [plan, count] = use;
    auto known = place_.knowledge.filtered.of(place_.filters.share(place_.number, plan), count);
    if (known != nullptr) place_.runs.filtered.push_back(std::move(known));
  }
}

ListKnowledge& PrunedCall::knowledge_of(const DeviceFilter* filter) const {
  if (filter == nullptr) return place_.knowledge.all;
  for (const auto& known : place_.runs.filtered) {
    if (known->filter().get() == filter) return *known;
  }
  return place_.knowledge.all;
}

/// Assigns as many of the first of `waiting` as the memory takes, at least one, and takes them
/// away.
PrunedCall::SubBatch PrunedCall::assign_some(std::span<const std::size_t>& waiting,
                                             PrunedRun& run) {
  throw_if_stopped(stop_);
  const auto some = waiting.first(std::min(waiting.size(), at_once_));
  prepare(some);
  SubBatch made;
  made.batch.path = path_;
  made.batch.documents = documents();
  made.batch.scorer = plans_.plan(some.front()).scorer().id;
  const std::size_t slices = take_fitting(slices_of(some.size()), made);
  std::size_t taken = 0;
  for (std::size_t s = 0; s < slices; ++s) taken += slices_[s].numbers.size();
  waiting = waiting.subspan(taken);
  if (taken < some.size()) at_once_ = std::min(most_at_once_, taken + kPlansPerSlice);
  made.plans.resize(made.batch.sizes.queries);
  if (!made.plans.empty()) made.batch.tables = run.tables(made.batch.sizes);
  for_each_slice(slices, [&](PreparedSlice& slice) { fill(slice, made); });
  for (const PreparedSlice& slice : std::span(slices_).first(slices)) {
    for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
      if (!slice.plans[i].usable) others_.push_back(slice.numbers[i]);
    }
  }
  return made;
}

bool PrunedCall::fits(const PrunedSizes& sizes) const {
  const std::uint64_t numbers = std::uint64_t{sizes.queries} * padded_superblocks(documents());
  return PrunedRun::bytes(path_, sizes, documents()) <= place_.batch_bytes && numbers < kNone;
}

/// Takes as many of the first slices as the memory takes; of the first one at least one plan.
/// Returns how many slices. Their sizes become those of the slices before them.
std::size_t PrunedCall::take_fitting(std::size_t slices, SubBatch& batch) {
  for (std::size_t s = 0; s < slices; ++s) {
    PrunedSizes with = batch.batch.sizes;
    with.add(slices_[s].sizes);
    if (!fits(with)) {
      if (s > 0) return s;
      with = {};
      slices = cut_to_fit(slices_[0]);  // the loop ends with it
      with.add(slices_[0].sizes);
    }
    slices_[s].sizes = std::exchange(batch.batch.sizes, with);
  }
  return slices;
}

/// Cuts the first slice down to the plans that the memory takes, at least one. Returns 1: slices.
std::size_t PrunedCall::cut_to_fit(PreparedSlice& slice) const {
  PrunedSizes sizes;
  std::size_t end = 0;
  for (; end < slice.numbers.size(); ++end) {
    if (!slice.plans[end].usable) continue;
    PrunedSizes with = sizes;
    with.add(slice.plans[end].sizes);
    if (sizes.queries > 0 && !fits(with)) break;
    sizes = with;
  }
  slice.numbers.resize(end);
  slice.sizes = sizes;
  return 1;
}

/// Prepares plans, slice by slice.
void PrunedCall::prepare(std::span<const std::size_t> chosen) {
  const std::size_t slices = slices_of(chosen.size());
  grow(slices_, slices);
  for (std::size_t s = 0; s < slices; ++s) {
    const std::size_t first = s * kPlansPerSlice;
    const auto numbers = chosen.subspan(first, std::min(kPlansPerSlice, chosen.size() - first));
    slices_[s].numbers.assign(numbers.begin(), numbers.end());
  }
  for_each_slice(slices, [&](PreparedSlice& slice) { prepare_slice(slice); });
  const auto used = std::span(slices_).first(slices);
  if (std::ranges::all_of(used, [](const PreparedSlice& s) { return s.unknown.empty(); })) return;
  learn(used);
  for_each_slice(slices, [&](PreparedSlice& slice) { prepare_slice(slice); });
}

/// Finds out about the lists that plans of the slices want and that are not known.
void PrunedCall::learn(std::span<const PreparedSlice> slices) {
  std::unordered_map<ListKnowledge*, std::vector<WantedList>> unknown;
  for (const PreparedSlice& slice : slices) {
    for (const WantedList& list : slice.unknown) unknown[list.where].push_back(list);
  }
  for (auto& [where, lists] : unknown) {
    report_.bounds_seconds += where->learn(std::move(lists), place_.arena, stop_);
  }
}

void PrunedCall::prepare_slice(PreparedSlice& slice) const {
  std::size_t terms = 0;
  for (const std::size_t number : slice.numbers) terms += plans_.ids(number, place_.number).size();
  grow(slice.plans, slice.numbers.size());
  grow(slice.lists, terms);
  grow(slice.terms, terms);
  slice.sizes = {};
  slice.unknown.clear();
  std::size_t first_term = 0;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    prepare_one(i, first_term, slice);
    if (slice.plans[i].usable) slice.sizes.add(slice.plans[i].sizes);
    first_term += plans_.ids(slice.numbers[i], place_.number).size();
  }
}

/// Looks up the lists of a plan, and prepares it if all are known. Plans that take another path, or
/// match nothing, are not usable.
void PrunedCall::prepare_one(std::size_t i, std::size_t first_term, PreparedSlice& slice) const {
  slice.plans[i].usable = false;
  const SegmentPlan plan = bound(slice.numbers[i]);
  if (matches_nothing(plan) || pruned_path(plan) != path_) return;
  const DeviceFilter* const filter = place_.filters.of(place_.number, slice.numbers[i]);
  if (filter != nullptr && filter->none()) return;
  ListKnowledge& knowledge = knowledge_of(filter);
  const std::size_t before = slice.unknown.size();
  std::size_t terms = 0;
  for (std::size_t t = 0; t < plan.ids.size(); ++t) {
    if (plan.ids[t] == kNoTerm) continue;
    const KnownList* const list = knowledge.find(plan.ids[t]);
    if (list == nullptr) slice.unknown.push_back({&knowledge, plan.ids[t], plan.plan, t});
    slice.lists[first_term + terms++] = list;
  }
  if (slice.unknown.size() != before) return;
  const KnownPlan known{
      plan, std::span(slice.lists).subspan(first_term, terms), reached(slice.numbers[i]),
      filter != nullptr ? filter->view() : FilterView{}, knowledge.filter() != nullptr};
  slice.plans[i] = prepare_plan(path_, known, place_.segment.copy->lists(), documents(),
                                std::span(slice.terms).subspan(first_term, terms));
}

/// Writes the usable plans of a slice into the batch.
void PrunedCall::fill(const PreparedSlice& slice, SubBatch& batch) const {
  PrunedSizes before = slice.sizes;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    const PreparedPlan& plan = slice.plans[i];
    if (!plan.usable) continue;
    batch.plans[before.queries] = slice.numbers[i];
    add_pruned(plan, plans_.plan(slice.numbers[i]).constants(), before, batch.batch);
    before.add(plan.sizes);
  }
}

/// Calls f(slice) for the first slices, in parallel if there are many.
template <class F>
void PrunedCall::for_each_slice(std::size_t slices, F f) const {
  if (slices == 1) return f(slices_[0]);
  place_.arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t s) { f(slices_[s]); }); });
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
  if (path_ == PrunedPath::kBounds)
    report_.ranges_total += batch.plans.size() * ((batch.batch.documents + kRange - 1) / kRange);
  report_.device_seconds += done.device_seconds();
  report_.transfer_seconds += done.transfer_seconds();
  batch.plans.clear();
}

}  // namespace gannet::query::cuda
