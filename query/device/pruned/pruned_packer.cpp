#include "query/device/pruned/pruned_packer.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/device/pruned/pruned_assign.hpp"
#include "query/device/pruned/steps.hpp"

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

PrunedPacker::PrunedPacker(const PrunedPlace& place, PrunedPath path, const BoundPlans& plans,
                           const std::stop_token& stop, std::span<const PartialResult> results,
                           Report& report, std::vector<PreparedSlice>& slices)
    : place_(place),
      path_(path),
      plans_(plans),
      stop_(stop),
      results_(results),
      report_(report),
      slices_(slices) {}

SubBatch PrunedPacker::pack(std::span<const std::size_t>& waiting, std::size_t most, PrunedRun& run,
                            std::vector<std::size_t>& others) {
  throw_if_stopped(stop_);
  const auto some = waiting.first(std::min({waiting.size(), most, at_once_}));
  prepare(some);
  SubBatch made;
  made.batch.path = path_;
  made.batch.documents = place_.documents();
  made.batch.scorer = plans_.plan(some.front()).scorer().id;
  const std::size_t slices = take_fitting(slices_of(some.size()), made);
  std::size_t taken = 0;
  for (std::size_t s = 0; s < slices; ++s) taken += slices_[s].numbers.size();
  waiting = waiting.subspan(taken);
  if (taken < some.size()) at_once_ = taken + kPlansPerSlice;
  made.plans.resize(made.batch.sizes.queries);
  made.k.resize(made.batch.sizes.queries);
  if (!made.plans.empty()) made.batch.tables = run.tables(made.batch.sizes);
  for_each_slice(slices, [&](PreparedSlice& slice) { fill(slice, made); });
  for (const PreparedSlice& slice : std::span(slices_).first(slices)) {
    if (slice.all_usable) continue;
    for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
      if (!slice.plans[i].usable) others.push_back(slice.numbers[i]);
    }
  }
  return made;
}

ListKnowledge& PrunedPacker::knowledge_of(const DeviceFilter* filter) const {
  if (filter == nullptr) return place_.knowledge.all;
  for (const auto& known : place_.filtered) {
    if (known->filter().get() == filter) return *known;
  }
  return place_.knowledge.all;
}

bool PrunedPacker::fits(const PrunedSizes& sizes) const {
  const std::uint32_t documents = place_.documents();
  const std::uint64_t numbers = std::uint64_t{sizes.queries} * padded_superblocks(documents);
  return PrunedRun::bytes(path_, sizes, documents) <= place_.batch_bytes && numbers < kNone;
}

/// Takes as many of the first slices as the memory takes; of the first one at least one plan.
/// Returns how many slices. Their sizes become those of the slices before them.
std::size_t PrunedPacker::take_fitting(std::size_t slices, SubBatch& batch) {
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
std::size_t PrunedPacker::cut_to_fit(PreparedSlice& slice) const {
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
void PrunedPacker::prepare(std::span<const std::size_t> chosen) {
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
void PrunedPacker::learn(std::span<const PreparedSlice> slices) {
  std::unordered_map<ListKnowledge*, std::vector<WantedList>> unknown;
  for (const PreparedSlice& slice : slices) {
    for (const WantedList& list : slice.unknown) unknown[list.where].push_back(list);
  }
  for (auto& [where, lists] : unknown) {
    report_.bounds_seconds += where->learn(std::move(lists), place_.arena, stop_);
  }
}

void PrunedPacker::prepare_slice(PreparedSlice& slice) const {
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
  slice.all_usable = slice.sizes.queries == slice.numbers.size();
}

/// Looks up the lists of a plan, and prepares it if all are known. Plans that take another path, or
/// match nothing, are not usable.
void PrunedPacker::prepare_one(std::size_t i, std::size_t first_term, PreparedSlice& slice) const {
  slice.plans[i].usable = false;
  if (place_.first && has(Step::kStartThreshold)) place_.floors.find(slice.numbers[i]);
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
  slice.plans[i] = prepare_plan(path_, known, place_.segment.copy->lists(), place_.documents(),
                                std::span(slice.terms).subspan(first_term, terms));
}

/// Writes the usable plans of a slice into the batch.
void PrunedPacker::fill(const PreparedSlice& slice, SubBatch& batch) const {
  PrunedSizes before = slice.sizes;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    const PreparedPlan& plan = slice.plans[i];
    if (!plan.usable) continue;
    batch.plans[before.queries] = slice.numbers[i];
    batch.k[before.queries] = plans_.plan(slice.numbers[i]).k();
    add_pruned(plan, plans_.plan(slice.numbers[i]).constants(), before, batch.batch);
    before.add(plan.sizes);
  }
}

/// Calls f(slice) for the first slices, in parallel if there are many.
template <class F>
void PrunedPacker::for_each_slice(std::size_t slices, F f) const {
  if (slices == 1) return f(slices_[0]);
  place_.arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t s) { f(slices_[s]); }); });
}

/// A score that k documents of other segments have.
float PrunedPacker::reached(std::size_t plan) const {
  const auto& keys = results_[plan].keys;
  const std::uint32_t k = plans_.plan(plan).k();
  const float found = keys.size() < k ? 0 : hit_of(keys[k - 1]).score;
  return std::max(found, place_.floors.of(plan));
}

}  // namespace gannet::query::cuda
