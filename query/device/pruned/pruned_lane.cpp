#include "query/device/pruned/pruned_lane.hpp"

namespace gannet::query::cuda {

PrunedLane::PrunedLane(const PrunedWork& work, LaneBuffers& buffers, const std::stop_token& stop)
    : work_(work), run_(buffers.run), others_(work.places.size()) {
  packers_.reserve(work.places.size());
  for (const PrunedPlace& place : work.places) {
    packers_.emplace_back(place, work.path, work.plans, stop, work.results, report_,
                          buffers.slices);
  }
}

void PrunedLane::search(std::span<const std::size_t> part) {
  for (std::size_t i = 0; i < packers_.size(); ++i) search_in(i, part);
}

void PrunedLane::search_in(std::size_t place, std::span<const std::size_t> part) {
  while (!part.empty()) {
    const SubBatch batch = packers_[place].pack(part, run_, others_[place]);
    if (batch.plans.empty()) continue;
    run_.start(work_.places[place].segment.copy->view(), batch.batch);
    run_.wait();
    finish(work_.places[place], batch, others_[place]);
  }
}

void PrunedLane::finish(const PrunedPlace& place, const SubBatch& batch,
                        std::vector<std::size_t>& others) {
  std::vector<Target> targets;
  targets.reserve(batch.plans.size());
  for (std::size_t q = 0; q < batch.plans.size(); ++q) {
    targets.push_back({&work_.results[batch.plans[q]], batch.k[q]});
  }
  std::vector<std::size_t> lost;
  const Sink sink{targets, place.segment.docid_base};
  place.arena.execute([&] { lost = run_.unpack(batch.batch, sink); });
  for (const std::size_t q : lost) others.push_back(batch.plans[q]);
  const PrunedCounters counters = run_.counters();
  report_.tiles_decoded += counters.tiles + batch.batch.sizes.short_tiles;
  report_.ranges_searched += counters.ranges;
  report_.documents_scored += counters.documents;
  if (work_.path == PrunedPath::kBounds)
    report_.ranges_total += batch.plans.size() * ((batch.batch.documents + kRange - 1) / kRange);
  report_.device_seconds += run_.device_seconds();
  report_.transfer_seconds += run_.transfer_seconds();
}

}  // namespace gannet::query::cuda
