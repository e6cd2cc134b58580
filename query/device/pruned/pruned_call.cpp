#include "query/device/pruned/pruned_call.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "query/device/pruned/tuning.hpp"

namespace gannet::query::cuda {

PrunedCall::PrunedCall(const PrunedPlaces& places, PrunedPath path, const BoundPlans& plans,
                       const std::stop_token& stop, std::span<PartialResult> results,
                       Report& report)
    : places_(places),
      path_(path),
      plans_(plans),
      stop_(stop),
      results_(results),
      report_(report),
      others_(places.segments.size()) {}

PlansBySegment PrunedCall::run(std::span<const std::size_t> chosen,
                               std::span<const std::size_t> segments) {
  if (chosen.empty() || segments.empty()) return std::move(others_);
  const std::size_t size = enter(chosen, segments);
  run_lanes(chosen, size);
  places_.runs.filtered.clear();
  return std::move(others_);
}

/// Looks at the segments; returns how many plans are to be a part.
std::size_t PrunedCall::enter(std::span<const std::size_t> chosen,
                              std::span<const std::size_t> segments) {
  places_.runs.filtered.clear();
  places_.runs.filtered.resize(places_.segments.size());
  const std::uint32_t k = plans_.plan(chosen.front()).k();  // the others' are about the same
  runs_ = tuning::runs_of(segments.size(), k);
  std::size_t size = 1;
  floors_.emplace(places_.knowledge, segments, plans_);
  packers_.reserve(segments.size());
  for (const std::size_t s : segments) {
    look_up_filters(s, chosen);
    const PrunedPlace place{
        places_.segments[s],  s,        *places_.knowledge[s], places_.runs.filtered[s],
        places_.filters,      *floors_, packers_.empty(),      places_.arena,
        places_.bytes / runs_};
    packers_.emplace_back(place, path_, plans_, stop_, results_, report_, places_.runs.slices);
    sub_batches_.push_back(tuning::sub_batch_of(chosen.size(), place.documents(), k));
    size = std::max(size, sub_batches_.back());
  }
  return segments.size() == 1 ? size : tuning::part_of(chosen.size(), size, runs_);
}

/// Counts the searches with each filter, and finds out which are searched by bounds of their own.
void PrunedCall::look_up_filters(std::size_t segment, std::span<const std::size_t> chosen) {
  std::unordered_map<const DeviceFilter*, std::pair<std::size_t, std::uint64_t>> searches;
  for (const std::size_t plan : chosen) {
    const DeviceFilter* const filter = places_.filters.of(segment, plan);
    if (filter != nullptr) ++searches.try_emplace(filter, plan, 0).first->second.second;
  }
  auto& filtered = places_.runs.filtered[segment];
  for (const auto& [filter, use] : searches) {
    if (filtered.size() == FilteredKnowledge::kFilters) break;
    const auto& [plan, count] = use;
    FilteredKnowledge& knowledge = places_.knowledge[segment]->filtered;
    auto known = knowledge.of(places_.filters.share(segment, plan), count);
    if (known != nullptr) filtered.push_back(std::move(known));
  }
}

void PrunedCall::run_lanes(std::span<const std::size_t> chosen, std::size_t size) {
  std::vector<Lane> all;
  for (std::size_t i = 0; i < runs_; ++i) all.push_back({.run = places_.runs.runs[i]});
  for (bool more = true; more;) {
    more = false;
    for (Lane& lane : all) {
      finish(lane);
      if (!advance(lane, chosen, size)) continue;
      start_next(lane);
      more = true;
    }
  }
}

/// Moves a lane on to where its next batch is searched: the segment that it is in, the next one, or
/// the first one with another part. Returns false if there is nothing left.
bool PrunedCall::advance(Lane& lane, std::span<const std::size_t>& chosen, std::size_t size) {
  if (!lane.waiting.empty()) return true;
  if (!lane.part.empty() && lane.next_place + 1 < packers_.size()) {
    ++lane.next_place;
  } else {
    lane.part = chosen.first(std::min(size, chosen.size()));
    lane.next_place = 0;
    chosen = chosen.subspan(lane.part.size());
  }
  lane.waiting = lane.part;
  return !lane.waiting.empty();
}

void PrunedCall::start_next(Lane& lane) {
  lane.place = lane.next_place;
  PrunedPacker& packer = packers_[lane.place];
  const PrunedPlace& place = packer.place();
  lane.in_flight =
      packer.pack(lane.waiting, sub_batches_[lane.place], lane.run, others_[place.number]);
  if (!lane.in_flight.plans.empty()) {
    lane.run.start(place.segment.copy->view(), lane.in_flight.batch);
  }
}

void PrunedCall::finish(Lane& lane) {
  SubBatch& batch = lane.in_flight;
  if (batch.plans.empty()) return;
  const PrunedPlace& place = packers_[lane.place].place();
  // Waits outside of the arena, whose threads other calls may need.
  lane.run.wait();
  std::vector<Target> targets;
  targets.reserve(batch.plans.size());
  for (std::size_t q = 0; q < batch.plans.size(); ++q) {
    targets.push_back({&results_[batch.plans[q]], batch.k[q]});
  }
  std::vector<std::size_t> lost;
  const Sink sink{targets, place.segment.docid_base};
  places_.arena.execute([&] { lost = lane.run.unpack(batch.batch, sink); });
  for (const std::size_t q : lost) others_[place.number].push_back(batch.plans[q]);
  const PrunedCounters counters = lane.run.counters();
  report_.tiles_decoded += counters.tiles + batch.batch.sizes.short_tiles;
  report_.ranges_searched += counters.ranges;
  report_.documents_scored += counters.documents;
  if (path_ == PrunedPath::kBounds)
    report_.ranges_total += batch.plans.size() * ((batch.batch.documents + kRange - 1) / kRange);
  report_.device_seconds += lane.run.device_seconds();
  report_.transfer_seconds += lane.run.transfer_seconds();
  batch.plans.clear();
}

}  // namespace gannet::query::cuda
