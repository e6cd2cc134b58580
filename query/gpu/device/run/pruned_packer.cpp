#include "query/gpu/device/run/pruned_packer.hpp"

#include <boost/container/static_vector.hpp>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/gpu/plan/pruned/pruned_assign.hpp"

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
                           std::span<const PartialResult> results, Report& report)
    : place_(place),
      path_(path),
      plans_(plans),
      results_(results),
      report_(report),
      slices_(place.call.runs.slices),
      shared_(place.shared) {}

SubBatch PrunedPacker::pack(std::span<const std::size_t>& waiting, std::size_t most, PrunedRun& run,
                            std::vector<std::size_t>& others) {
  throw_if_stopped(place_.call.options.stop);
  SubBatch made;
  const auto some = affordable(waiting.first(std::min({waiting.size(), most, at_once_})));
  prepare(some);
  made.batch.path = path_;
  made.batch.segments = &place_.views;
  made.batch.shared = shared_;
  made.batch.scorer = plans_.plan(some.front()).scorer().id;
  const std::size_t slices = take_fitting(slices_of(some.size()), made);
  std::size_t taken = 0;
  for (std::size_t s = 0; s < slices; ++s) taken += slices_[s].numbers.size();
  waiting = waiting.subspan(taken);
  if (taken < some.size()) at_once_ = taken + kPlansPerSlice;
  made.plans.resize(made.batch.sizes.queries);
  made.k.resize(made.batch.sizes.queries);
  if (!made.plans.empty()) made.batch.tables = run.tables(made.batch.sizes, place_.views.size());
  for_each_slice(slices, [&](PreparedSlice& slice) { fill(slice, made); });
  for (const PreparedSlice& slice : std::span(slices_).first(slices)) {
    if (slice.all_usable) continue;
    for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
      if (slice.plans[i].usable) continue;
      (slice.plans[i].matches_nothing ? made.without_match : others).push_back(slice.numbers[i]);
      close(shared_, slice.numbers[i]);
    }
  }
  return made;
}

/// As many of the first plans as are prepared at a time, by the terms that they may have in all
/// segments; at least one.
std::span<const std::size_t> PrunedPacker::affordable(std::span<const std::size_t> plans) const {
  std::size_t terms = 0;
  std::size_t count = 0;
  for (; count < plans.size(); ++count) {
    terms += place_.call.looks[plans[count]].terms * place_.numbers.size();
    if (terms > tuning::kPreparedTerms && count > 0) break;
  }
  return plans.first(count);
}

ListKnowledge& PrunedPacker::knowledge_of(std::size_t segment, const DeviceFilter* filter) const {
  if (filter != nullptr) {
    for (const auto& known : place_.call.runs.filtered[segment]) {
      if (known->filter().get() == filter) return *known;
    }
  }
  return place_.call.knowledge[segment]->all;
}

bool PrunedPacker::fits(const PrunedSizes& sizes) const {
  const std::uint64_t numbers = std::uint64_t{sizes.queries} * place_.views.superblocks();
  return PrunedRun::bytes(path_, sizes, place_.views) <= place_.batch_bytes() && numbers < kNone;
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
    report_.bounds_seconds +=
        where->learn(std::move(lists), place_.call.arena, place_.call.options.stop);
  }
}

/// Terms of a plan in all segments, at most.
std::size_t PrunedPacker::terms_of(std::size_t plan) const {
  return plans_.plan(plan).terms().size() * place_.numbers.size();
}

void PrunedPacker::prepare_slice(PreparedSlice& slice) const {
  std::size_t terms = 0;
  for (const std::size_t number : slice.numbers) terms += terms_of(number);
  grow(slice.plans, slice.numbers.size());
  grow(slice.terms, terms);
  grow(slice.parts, slice.numbers.size() * place_.numbers.size());
  slice.sizes = {};
  slice.unknown.clear();
  std::size_t first_term = 0;
  for (std::size_t i = 0; i < slice.numbers.size(); ++i) {
    prepare_one(i, first_term, slice);
    if (slice.plans[i].usable) slice.sizes.add(slice.plans[i].sizes);
    first_term += terms_of(slice.numbers[i]);
  }
  slice.all_usable = slice.sizes.queries == slice.numbers.size();
}

/// Looks up the lists of a plan, and prepares it if all are known. Plans that take another path, or
/// match nothing, are not usable.
void PrunedPacker::prepare_one(std::size_t i, std::size_t first_term, PreparedSlice& slice) const {
  slice.plans[i].usable = false;
  slice.plans[i].matches_nothing = false;
  const std::size_t plan = slice.numbers[i];
  if (path_of(plan) != path_) return;
  const std::size_t segments = place_.numbers.size();
  const std::size_t before = slice.unknown.size();
  grow(slice.lists, terms_of(plan));
  slice.known.clear();
  for (std::size_t at = 0; at < segments; ++at) slice.known.push_back(find_part(plan, at, slice));
  if (slice.unknown.size() != before) return;
  const auto has_lists = [](const KnownPart& part) { return !part.lists.empty(); };
  slice.plans[i].matches_nothing = std::ranges::none_of(slice.known, has_lists);
  if (slice.plans[i].matches_nothing) return;
  const PreparedRoom room{std::span(slice.parts).subspan(i * segments, segments),
                          std::span(slice.terms).subspan(first_term, terms_of(plan))};
  const KnownPlan known{&plans_.plan(plan), slice.known, reached(plan),
                        static_cast<std::uint32_t>(plan), shared_.has(plan)};
  slice.plans[i] = prepare_plan(path_, known, place_.views, room);
}

/// The path that a plan takes, by how many of its terms the segments have together.
std::optional<PrunedPath> PrunedPacker::path_of(std::size_t plan) const {
  const Plan& searched = plans_.plan(plan);
  const auto path = pruned_path(searched, searched.terms().size());
  if (path == PrunedPath::kBounds) return path;  // so it is for fewer
  boost::container::static_vector<std::span<const index::TermId>, kMaxBatchSegments> ids;
  for (const std::size_t segment : place_.numbers) ids.push_back(plans_.ids(plan, segment));
  return pruned_path(searched, {ids.data(), ids.size()});
}

/// A plan in the segment that is searched as number `at`: its lists there go into slice.lists, or
/// among those that are not known.
KnownPart PrunedPacker::find_part(std::size_t plan, std::size_t at, PreparedSlice& slice) const {
  const std::size_t segment = place_.numbers[at];
  const auto ids = plans_.ids(plan, segment);
  const DeviceFilter* const filter = place_.call.filters.of(segment, plan);
  if (matches_nothing({&plans_.plan(plan), ids}) || (filter != nullptr && filter->none())) {
    return {};
  }
  ListKnowledge& knowledge = knowledge_of(segment, filter);
  const auto lists = std::span(slice.lists).subspan(at * ids.size(), ids.size());
  for (std::size_t t = 0; t < ids.size(); ++t) {
    lists[t] = ids[t] == kNoTerm ? nullptr : knowledge.find(ids[t]);
    if (lists[t] == nullptr && ids[t] != kNoTerm) {
      slice.unknown.push_back({&knowledge, ids[t], &plans_.plan(plan), t});
    }
  }
  KnownPart part{ids, lists, place_.call.segments[segment].copy->lists()};
  part.filtered = knowledge.filter() != nullptr;
  if (filter == nullptr) return part;
  part.filter = filter->view();
  if (!part.filtered) part.held_back = knowledge.documents() - filter->passing();
  return part;
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
  place_.call.arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, slices, [&](std::size_t s) { f(slices_[s]); }); });
}

/// A score that k documents of other segments have.
float PrunedPacker::reached(std::size_t plan) const {
  const auto& keys = results_[plan].keys;
  const std::uint32_t k = plans_.plan(plan).k();
  return keys.size() < k ? 0 : hit_of(keys[k - 1]).score;
}

}  // namespace gannet::query::cuda
