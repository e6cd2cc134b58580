#include "query/gpu/device/run/pruned_call.hpp"

#include <algorithm>
#include <utility>

#include "query/gpu/device/run/shared_score_memory.hpp"

namespace gannet::query::cuda {

PrunedCall::PrunedCall(const PrunedContext& context, PrunedPath path, const BoundPlans& plans,
                       std::span<PartialResult> results, Report& report)
    : context_(context), path_(path), plans_(plans), results_(results), report_(report) {}

PlansBySegment PrunedCall::run(std::span<const std::size_t> chosen,
                               std::span<const std::size_t> segments) {
  PlansBySegment others(context_.segments.size());
  if (chosen.empty()) return others;
  context_.runs.filtered.clear();
  context_.runs.filtered.resize(context_.segments.size());
  find_filtered_stats(segments, chosen);
  while (!segments.empty()) {
    const SegmentSet set = next_segments(segments, chosen);
    if (!set.all) close_all(chosen);
    const std::vector<std::size_t> left = run_in(set, chosen);
    for (const std::size_t s : set.numbers) others[s] = left;
  }
  context_.runs.filtered.clear();
  return others;
}

/// Tells other shards that they need not wait for these plans.
void PrunedCall::close_all(std::span<const std::size_t> chosen) const {
  for (const std::size_t plan : chosen) close(context_.options.shared, plan);
}

/// Counts the searches with each filter, and takes the list statistics of those filters that have
/// their own.
void PrunedCall::find_filtered_stats(std::span<const std::size_t> segments,
                                     std::span<const std::size_t> chosen) {
  const CallFilters& filters = context_.filters;
  if (filters.none()) return;
  const std::vector<std::uint64_t> searches = filters.uses(chosen);
  for (const std::size_t segment : segments) {
    auto& filtered = context_.runs.filtered[segment];
    for (std::uint32_t number = 0; number < searches.size(); ++number) {
      if (filtered.size() == FilteredListStats::kFilters) break;
      const auto& filter = filters.share(segment, number);
      if (searches[number] == 0 || !filter->counted()) continue;
      auto passing = context_.list_stats[segment]->filtered.of(filter, searches[number]);
      if (passing != nullptr) filtered.push_back(std::move(passing));
    }
  }
}

/// As many of the first segments as are searched together; takes them away.
SegmentSet PrunedCall::next_segments(std::span<const std::size_t>& segments,
                                     std::span<const std::size_t> chosen) const {
  SegmentViews views;
  for (const std::size_t s : segments) {
    const DeviceSegment& segment = context_.segments[s];
    if (!views.takes(segment.copy->view())) break;
    views.add(segment.copy->view(), segment.docid_base);
  }
  const auto numbers = segments.first(views.size());
  segments = segments.subspan(views.size());
  const bool all = numbers.size() == context_.segments.size();
  const bool tells = all && tuning::tells_shards(plans_.plan(chosen.front()).k());
  return {context_, numbers, std::move(views), all,
          tells ? context_.options.shared : SharedScores{}};
}

/// Returns the plans that must be run in another way.
std::vector<std::size_t> PrunedCall::run_in(const SegmentSet& segments,
                                            std::span<const std::size_t> chosen) {
  std::vector<std::size_t> others;
  PrunedPacker packer(segments, path_, plans_, results_, report_);
  const std::uint32_t k = plans_.plan(chosen.front()).k();  // that of the others is about as large
  const std::size_t most = tuning::sub_batch_of(chosen.size(), segments.views.documents(), k);
  std::size_t size = tuning::first_batch_of(chosen.size(), most);
  auto& runs = context_.runs.runs;
  std::array<SubBatch, tuning::kPrunedRuns> in_flight;
  std::size_t next = 0;
  for (; !chosen.empty(); next = (next + 1) % runs.size(), size = most) {
    finish(runs[next], in_flight[next], others);
    in_flight[next] = packer.pack(chosen, size, runs[next], others);
    SubBatch& batch = in_flight[next];
    if (!batch.plans.empty()) runs[next].start(batch.batch);
    found_.insert(found_.end(), batch.without_match.begin(), batch.without_match.end());
    if (segments.all) tell();
  }
  for (std::size_t i = 0; i < runs.size(); ++i, next = (next + 1) % runs.size()) {
    finish(runs[next], in_flight[next], others);
    if (segments.all) tell();
  }
  return others;
}

/// Tells the caller which plans were finished since the last time, while the device works.
void PrunedCall::tell() {
  const FoundPlans& found = context_.options.found;
  if (found && !found_.empty()) context_.arena.execute([&] { found(found_); });
  found_.clear();
}

void PrunedCall::finish(PrunedRun& run, SubBatch& batch, std::vector<std::size_t>& others) {
  if (batch.plans.empty()) return;
  // Waits outside of the arena, whose threads other calls may need.
  run.wait();
  std::vector<Target> targets;
  targets.reserve(batch.plans.size());
  for (std::size_t q = 0; q < batch.plans.size(); ++q) {
    targets.push_back({&results_[batch.plans[q]], batch.k[q]});
  }
  std::vector<std::size_t> lost;
  context_.arena.execute([&] { lost = run.unpack(batch.batch, targets); });
  std::size_t first = 0;
  for (const std::size_t q : lost) {
    others.push_back(batch.plans[q]);
    found_.insert(found_.end(), batch.plans.begin() + first, batch.plans.begin() + q);
    first = q + 1;
  }
  found_.insert(found_.end(), batch.plans.begin() + first, batch.plans.end());
  const PrunedCounters counters = run.counters();
  report_.tiles_decoded += counters.tiles + batch.batch.sizes.short_tiles;
  report_.ranges_searched += counters.ranges;
  report_.documents_scored += counters.documents;
  if (path_ == PrunedPath::kBounds) report_.ranges_total += batch.batch.sizes.ranges;
  report_.device_seconds += run.device_seconds();
  report_.transfer_seconds += run.transfer_seconds();
  batch.plans.clear();
}

}  // namespace gannet::query::cuda
