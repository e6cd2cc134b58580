#include "query/gpu/device/matching/match_call.hpp"

#include <algorithm>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/matching/slices.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/gpu/plan/tuning.hpp"

namespace gannet::query::cuda {

using tuning::kMatchSlice;

void MatchCall::run(std::span<const std::size_t> chosen, bool docids) {
  if (context_.kept != nullptr) {
    runs_.kept = context_.kept->hold(context_.segments, context_.stop);
  }
  for (segment_ = 0; segment_ < context_.segments.size(); ++segment_) {
    run_segment(chosen, docids);
  }
}

std::uint64_t MatchCall::docid_bytes() const {
  return std::min(context_.pool / 4, tuning::kMaxDocidBytes);
}

/// Plans that are packed together, at most.
std::size_t MatchCall::most_plans(bool docids) const {
  const std::uint64_t documents = segment().copy->view().documents;
  const std::uint64_t windows = documents / (std::uint64_t{64} * tuning::kMinMatchWords) + 1;
  const std::uint64_t items = docids ? tuning::kMaxDocidItems : tuning::kMaxMatchItems;
  return std::min<std::uint64_t>(tuning::kMatchBatch, std::max<std::uint64_t>(1, items / windows));
}

void MatchCall::run_segment(std::span<const std::size_t> waiting, bool docids) {
  while (!waiting.empty()) {
    throw_if_stopped(context_.stop);
    const auto some = waiting.first(std::min(waiting.size(), most_plans(docids)));
    std::size_t slices = pack(some);
    const std::span<const MatchWorkspace> packed(runs_.workspaces.data(), slices);
    if (keep_missing(context_, packed, kept())) slices = pack(some);
    slices = fitting(slices);
    start(slices, docids);
    waiting = waiting.subspan(std::min(some.size(), slices * kMatchSlice));
  }
  finish(next_);
  finish(1 - next_);
}

/// Packs plans to slices; returns how many.
std::size_t MatchCall::pack(std::span<const std::size_t> plans) {
  return pack_slices(
      context_, plans, runs_.slices, runs_.workspaces,
      [&](std::span<const std::size_t> some, std::size_t i) { pack_slice(some, i); });
}

void MatchCall::pack_slice(std::span<const std::size_t> plans, std::size_t number) const {
  throw_if_stopped(context_.stop);
  MatchSlice& slice = runs_.slices[number];
  MatchWorkspace& memory = runs_.workspaces[number];
  slice.tables.clear();
  slice.plans.clear();
  slice.known.clear();
  memory.bound.missing.clear();
  for (const std::size_t plan : plans) pack_plan(plan, slice, memory);
}

void MatchCall::pack_plan(std::size_t number, MatchSlice& slice, MatchWorkspace& memory) const {
  const Plan& plan = plans_.plan(number);
  const DeviceFilter* const filter = context_.filters.of(segment_, number);
  // Lists of what cannot match are not asked for: the CPU does not notice that they are damaged.
  if (!plan.can_match(plans_.ids(number, segment_)) || (filter != nullptr && filter->none())) {
    return;
  }
  const std::size_t missing = memory.bound.missing.size();
  const MatchRequest request =
      MatchBinder(context_, plans_, segment_, kept()).bind(number, filter, {}, memory.bound);
  if (memory.bound.missing.size() != missing) return;  // its slice is packed again
  const auto known = memory.compiler.add(request, slice.tables);
  if (!known) {
    slice.plans.push_back(number);
  } else if (*known > 0) {
    slice.known.emplace_back(number, *known);
  }
}

/// How many of the first slices have tables that fit into memory together; at least one.
std::size_t MatchCall::fitting(std::size_t slices) const {
  MatchSizes sizes;
  for (std::size_t i = 0; i < slices; ++i) {
    sizes.add(runs_.slices[i].tables);
    if (sizes.bytes() > context_.pool / 8) return std::max<std::size_t>(i, 1);
  }
  return slices;
}

/// Queues a batch of the first slices. The batch before the last one is finished.
void MatchCall::start(std::size_t slices, bool docids) {
  const std::size_t number = next_;
  next_ = 1 - next_;
  finish(number);
  const std::span<const MatchSlice> some(runs_.slices.data(), slices);
  for (const MatchSlice& slice : some) {
    for (const auto& [plan, count] : slice.known) results_[plan].count += count;
  }
  const auto blocks = context_.shape.parallel_items / 2;
  MatchRun& run = runs_.runs[number];
  MatchBatch& batch = runs_.batches[number].emplace(some, segment().copy->view().documents, blocks);
  if (batch.sizes().queries == 0) return;
  const MatchPlaces places = run.tables(batch.sizes());
  for_each_slice(context_, slices, [&](std::size_t i) { batch.fill(i, places); });
  run.start(segment().copy->view(), batch, docids);
}

void MatchCall::finish(std::size_t number) {
  MatchRun& run = runs_.runs[number];
  if (!run.running()) return;
  const MatchCounters counters =
      run.finish(docid_bytes(), {results_, segment().docid_base, context_.stop});
  report_.tiles_decoded += counters.tiles_decoded;
  report_.device_seconds += counters.device_seconds;
}

}  // namespace gannet::query::cuda
