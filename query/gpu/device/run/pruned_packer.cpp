#include "query/gpu/device/run/pruned_packer.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/gpu/plan/pruned/fill.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans of one slice.
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

PrunedPacker::PrunedPacker(const SegmentSet& segments, PrunedPath path, const BoundPlans& plans,
                           std::span<const PartialResult> results, Report& report)
    : segments_(segments),
      path_(path),
      plans_(plans),
      binder_(segments, path, plans, results),
      report_(report),
      slices_(segments.call.runs.slices) {}

SubBatch PrunedPacker::pack(std::span<const std::size_t>& waiting, std::size_t most, PrunedRun& run,
                            std::vector<std::size_t>& others) {
  throw_if_stopped(segments_.call.options.stop);
  SubBatch made;
  const auto chosen = affordable(waiting.first(std::min({waiting.size(), most, at_once_})));
  scale_all(chosen);
  made.batch.path = path_;
  made.batch.segments = &segments_.views;
  made.batch.shared = segments_.shared;
  const ScorerSpec& scorer = plans_.plan(chosen.front()).scorer();
  made.batch.scorer = scorer.id;
  if (scores_words(scorer.id)) made.batch.k1 = scorer.values[0];
  const std::size_t slices = take_fitting(slices_of(chosen.size()), made);
  const auto used = std::span(slices_).first(slices);
  std::size_t taken = 0;
  for (const PlanSlice& slice : used) taken += slice.numbers.size();
  waiting = waiting.subspan(taken);
  if (taken < chosen.size()) at_once_ = taken + kPlansPerSlice;
  made.plans.resize(made.batch.sizes.queries);
  made.k.resize(made.batch.sizes.queries);
  if (!made.plans.empty()) {
    made.batch.tables = run.tables(made.batch.sizes, segments_.views.size());
  }
  for_each_slice(slices, [&](PlanSlice& slice) { fill_slice(slice, made); });
  for (const PlanSlice& slice : used) leave_unusable(slice, made, others);
  return made;
}

/// As many of the first plans as are scaled at a time, by the lists that they may have in all
/// segments; at least one.
std::span<const std::size_t> PrunedPacker::affordable(std::span<const std::size_t> plans) const {
  std::size_t terms = 0;
  std::size_t count = 0;
  for (; count < plans.size(); ++count) {
    terms += segments_.call.traits[plans[count]].lists * segments_.numbers.size();
    if (terms > tuning::kScaledTerms && count > 0) break;
  }
  return plans.first(count);
}

/// Binds, bounds and scales plans, slice by slice. If lists without statistics turn up, it computes
/// these and begins again.
void PrunedPacker::scale_all(std::span<const std::size_t> chosen) {
  const std::size_t slices = slices_of(chosen.size());
  grow(slices_, slices);
  for (std::size_t s = 0; s < slices; ++s) {
    const std::size_t first = s * kPlansPerSlice;
    const auto numbers = chosen.subspan(first, std::min(kPlansPerSlice, chosen.size() - first));
    slices_[s].numbers.assign(numbers.begin(), numbers.end());
  }
  for_each_slice(slices, [&](PlanSlice& slice) { scale_slice(slice); });
  const auto used = std::span(slices_).first(slices);
  if (std::ranges::all_of(used, [](const PlanSlice& s) { return s.missing.empty(); })) return;
  compute_missing(used);
  for_each_slice(slices, [&](PlanSlice& slice) { scale_slice(slice); });
}

void PrunedPacker::scale_slice(PlanSlice& slice) const {
  std::size_t terms = 0;
  for (const std::size_t number : slice.numbers) terms += binder_.max_terms(number);
  grow(slice.plans, slice.numbers.size());
  grow(slice.terms, terms);
  grow(slice.parts, slice.numbers.size() * segments_.numbers.size());
  slice.sizes = {};
  slice.missing.clear();
  std::size_t first_term = 0;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    scale_one(i, first_term, slice);
    if (slice.plans[i].usable) slice.sizes.add(slice.plans[i].sizes);
    first_term += binder_.max_terms(slice.numbers[i]);
  }
  slice.all_usable = slice.sizes.queries == slice.numbers.size();
}

/// Binds, bounds and scales a plan. It is not usable if it takes another path, matches nothing, or
/// has lists without statistics.
void PrunedPacker::scale_one(std::size_t i, std::size_t first_term, PlanSlice& slice) const {
  ScaledPlan& scaled = slice.plans[i];
  scaled.usable = false;
  scaled.matches_nothing = false;
  const std::size_t plan = slice.numbers[i];
  const std::optional<PlanBinding> binding = binder_.bind(plan, slice);
  if (!binding) return;
  scaled.matches_nothing = binding->matches_nothing();
  if (scaled.matches_nothing) return;
  const std::optional<PlanBounds> bounds = bound_plan(*binding);
  if (!bounds) return;
  const std::size_t segments = segments_.numbers.size();
  const PlanRoom room{std::span(slice.parts).subspan(i * segments, segments),
                      std::span(slice.terms).subspan(first_term, binder_.max_terms(plan))};
  scaled = scale_plan(path_, *binding, *bounds, segments_.views, room);
}

/// Computes the statistics that the slices' plans miss, and waits for the device.
void PrunedPacker::compute_missing(std::span<const PlanSlice> slices) {
  std::unordered_map<ListStatsTable*, std::vector<MissingList>> missing;
  for (const PlanSlice& slice : slices) {
    for (const MissingList& list : slice.missing) missing[list.table].push_back(list);
  }
  const PrunedContext& call = segments_.call;
  for (auto& [table, lists] : missing) {
    report_.bounds_seconds += table->compute(std::move(lists), call.arena, call.options.stop);
  }
}

bool PrunedPacker::fits(const PrunedSizes& sizes) const {
  const std::uint64_t numbers = std::uint64_t{sizes.queries} * segments_.views.superblocks();
  return PrunedRun::bytes(path_, sizes, segments_.views) <= segments_.batch_bytes() &&
         numbers < kNone;
}

/// Takes as many of the first slices as fit into memory; of the first one at least one plan.
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

/// Cuts the first slice down to the plans that fit into memory, at least one. Returns 1: slices.
std::size_t PrunedPacker::cut_to_fit(PlanSlice& slice) const {
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

/// Writes the usable plans of a slice into the batch.
void PrunedPacker::fill_slice(const PlanSlice& slice, SubBatch& batch) const {
  PrunedSizes before = slice.sizes;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    const ScaledPlan& plan = slice.plans[i];
    if (!plan.usable) continue;
    batch.plans[before.queries] = slice.numbers[i];
    batch.k[before.queries] = plans_.plan(slice.numbers[i]).k();
    fill_plan(plan, before, batch.batch);
    before.add(plan.sizes);
  }
}

/// Hands the plans back that are not usable. Other shards need not wait for them.
void PrunedPacker::leave_unusable(const PlanSlice& slice, SubBatch& batch,
                                  std::vector<std::size_t>& others) const {
  if (slice.all_usable) return;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    const ScaledPlan& plan = slice.plans[i];
    if (plan.usable) continue;
    (plan.matches_nothing ? batch.without_match : others).push_back(slice.numbers[i]);
    close(segments_.shared, slice.numbers[i]);
  }
}

/// Calls f(slice) for the first slices, in parallel if there are many.
template <class F>
void PrunedPacker::for_each_slice(std::size_t slices, F f) const {
  if (slices == 1) return f(slices_[0]);
  segments_.call.arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t s) { f(slices_[s]); }); });
}

}  // namespace gannet::query::cuda
