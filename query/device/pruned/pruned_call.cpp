#include "query/device/pruned/pruned_call.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "codecs/device/device.hpp"
#include "query/detail/side_by_side.hpp"

namespace gannet::query::cuda {

PrunedCall::PrunedCall(const PrunedPlaces& places, PrunedPath path, const BoundPlans& plans,
                       const std::stop_token& stop, std::span<PartialResult> results,
                       Report& report)
    : places_(places),
      stop_(stop),
      report_(report),
      others_(places.segments.size()),
      work_{path, plans, results, {}} {}

PlansBySegment PrunedCall::run(std::span<const std::size_t> chosen,
                               std::span<const std::size_t> segments) {
  if (chosen.empty() || segments.empty()) return std::move(others_);
  run_lanes(chosen, enter(chosen, segments));
  // As if one lane had run all.
  for (auto& others : others_) std::ranges::sort(others);
  places_.runs.filtered.clear();
  return std::move(others_);
}

std::size_t PrunedCall::enter(std::span<const std::size_t> chosen,
                              std::span<const std::size_t> segments) {
  places_.runs.filtered.clear();
  places_.runs.filtered.resize(places_.segments.size());
  const std::uint32_t k = work_.plans.plan(chosen.front()).k();  // the others' are about the same
  lanes_ = tuning::lanes_of(segments.size(), k);
  std::size_t size = 1;
  floors_.emplace(places_.knowledge, segments, work_.plans);
  for (const std::size_t s : segments) {
    look_up_filters(s, chosen);
    const std::size_t sub_batch =
        tuning::sub_batch_of(chosen.size(), places_.segments[s].copy->view().documents, k);
    work_.places.push_back({places_.segments[s], s, *places_.knowledge[s], places_.runs.filtered[s],
                            places_.filters, *floors_, work_.places.empty(), places_.arena,
                            sub_batch, places_.bytes / lanes_});
    size = std::max(size, sub_batch);
  }
  return segments.size() == 1 ? size : tuning::part_of(chosen.size(), size, lanes_);
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
  const std::size_t parts = (chosen.size() + size - 1) / size;
  std::atomic<std::size_t> next = 0;
  std::mutex adding;
  side_by_side(std::min(parts, lanes_), stop_, [&](std::size_t i, const std::stop_token& stop) {
    const codecs::cuda::DeviceGuard guard(places_.device);
    PrunedLane lane(work_, places_.runs.lanes[i], stop);
    for (std::size_t part = next++; part < parts; part = next++) {
      lane.search(chosen.subspan(part * size, std::min(size, chosen.size() - part * size)));
    }
    const std::lock_guard lock(adding);
    add(lane);
  });
}

void PrunedCall::add(const PrunedLane& lane) {
  const Report& more = lane.report();
  report_.tiles_decoded += more.tiles_decoded;
  report_.ranges_searched += more.ranges_searched;
  report_.ranges_total += more.ranges_total;
  report_.documents_scored += more.documents_scored;
  report_.device_seconds += more.device_seconds;
  report_.transfer_seconds += more.transfer_seconds;
  report_.bounds_seconds += more.bounds_seconds;
  for (std::size_t i = 0; i < lane.others().size(); ++i) {
    auto& others = others_[work_.places[i].number];
    others.insert(others.end(), lane.others()[i].begin(), lane.others()[i].end());
  }
}

}  // namespace gannet::query::cuda
