#include "query/gpu/device/ranked/rank_call.hpp"

#include <algorithm>
#include <numeric>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/matching/slices.hpp"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/gpu/plan/ranked/tuning.hpp"
#include "query/gpu/plan/tuning.hpp"
#include "query/results/hits.hpp"

namespace gannet::query::cuda {
namespace {

/// Of the pool: for the tables of a batch, for what its thread blocks take, and for finalists.
constexpr std::uint64_t kPoolShare = 8;

}  // namespace

void RankCall::run(std::span<const std::size_t> chosen, std::size_t segment) {
  if (chosen.empty()) return;
  segment_ = segment;
  if (context_.kept != nullptr) {
    runs_.kept = context_.kept->hold(context_.segments, context_.stop);
  }
  make_filters(chosen);
  for (std::span<const std::size_t> waiting = chosen; !waiting.empty();) {
    throw_if_stopped(context_.stop);
    finish(next_);
    const auto some = waiting.first(most_plans(waiting));
    std::size_t slices = pack(some);
    const std::span<const RankWorkspace> packed(runs_.workspaces.data(), slices);
    if (keep_missing(context_, packed, kept())) slices = pack(some);
    slices = fitting(slices);
    start(slices);
    waiting = waiting.subspan(std::min(some.size(), slices * tuning::kMatchSlice));
  }
  finish(next_);
  finish(1 - next_);
}

/// Filters that were to be evaluated on candidates get bitmaps.
void RankCall::make_filters(std::span<const std::size_t> chosen) {
  runs_.filters.assign(plans_.size(), nullptr);
  for (const std::size_t plan : chosen) {
    const DeviceFilter* const filter = context_.filters.of(segment_, plan);
    if (filter == nullptr || filter->counted()) continue;
    runs_.filters[plan] =
        filters_.of(segment_, plans_.plan(plan).filter(), context_.arena, context_.stop);
  }
}

const DeviceFilter* RankCall::filter_of(std::size_t plan) const {
  const DeviceFilter* const made = runs_.filters[plan].get();
  return made != nullptr ? made : context_.filters.of(segment_, plan);
}

/// Plans that are packed together, at most: each has k finalists, and as many keys twice when they
/// are selected.
std::size_t RankCall::most_plans(std::span<const std::size_t> waiting) const {
  std::uint64_t k = 1;
  for (const std::size_t plan : waiting) k = std::max<std::uint64_t>(k, plans_.plan(plan).k());
  k = std::min<std::uint64_t>(k, std::max(documents(), 1u));
  const std::uint64_t fitting = context_.pool / kPoolShare / (3 * k * sizeof(std::uint64_t));
  return std::min<std::uint64_t>(
      {waiting.size(), tuning::kRankBatch, std::max<std::uint64_t>(fitting, 1)});
}

/// Packs plans to slices; returns how many.
std::size_t RankCall::pack(std::span<const std::size_t> plans) {
  return pack_slices(
      context_, plans, slices(), runs_.workspaces,
      [&](std::span<const std::size_t> some, std::size_t i) { pack_slice(some, i); });
}

void RankCall::pack_slice(std::span<const std::size_t> plans, std::size_t number) {
  throw_if_stopped(context_.stop);
  RankSlice& slice = slices()[number];
  RankWorkspace& memory = runs_.workspaces[number];
  slice.tables.clear();
  slice.plans.clear();
  memory.bound.missing.clear();
  for (const std::size_t plan : plans) pack_plan(plan, slice, memory);
}

void RankCall::pack_plan(std::size_t number, RankSlice& slice, RankWorkspace& memory) const {
  const Plan& plan = plans_.plan(number);
  const DeviceFilter* const filter = filter_of(number);
  // Lists of what cannot match are not asked for: the CPU does not notice that they are damaged.
  if (plan.expression().empty() || !plan.can_match(plans_.ids(number, segment_)) ||
      (filter != nullptr && filter->none())) {
    return;
  }
  std::vector<char> scores = scoring_terms(plan);
  find_operands(number, scores, memory.operands);
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (memory.operands[t].list.count == 0) scores[t] = 0;
  }
  const bool by_score = scores_decide(plan, scores);
  const std::size_t missing = memory.bound.missing.size();
  const MatchRequest request =
      MatchBinder(context_, plans_, segment_, kept())
          .bind(number, filter, by_score ? std::span<const char>(scores) : std::span<const char>{},
                memory.bound);
  if (memory.bound.missing.size() != missing) return;  // its slice is packed again
  if (memory.compiler.add({&plan, memory.operands, by_score, documents(), segment().docid_base},
                          request, slice.tables)) {
    slice.plans.push_back(number);
  }
}

/// The lists of the terms that score, of unions the merged ones.
void RankCall::find_operands(std::size_t plan, std::span<const char> scores,
                             std::vector<RankOperand>& operands) const {
  const DeviceIndex& copy = *segment().copy;
  const IndexView& view = copy.view();
  const auto ids = plans_.ids(plan, segment_);
  const auto unions = unions_.of(segment_, plan);
  operands.assign(ids.size(), {});
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (ids[t] == kNoTerm || scores[t] == 0) continue;
    const std::uint32_t text = plans_.plan(plan).terms()[t].field;
    if (!unions.empty() && unions[t].number != kNoTerm) {
      operands[t] = {list_location(view, unions[t].place), copy.lengths_of(text)};
      operands[t].list.on_host = 0;  // it is on the device, whatever the index is split into
      continue;
    }
    const DeviceList& list = copy.lists()[ids[t]];
    operands[t] = {list_location(view, list), copy.lengths_of(text),
                   view.max_freqs + list.first_tile, view.min_lengths + list.first_tile};
  }
}

/// How many of the first slices have tables that fit into memory together, and work after which a
/// stop request may be looked for; at least one.
std::size_t RankCall::fitting(std::size_t count) {
  RankSizes sizes;
  std::uint64_t postings = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const RankTables& tables = slices()[i].tables;
    sizes.add(tables);
    postings = std::accumulate(tables.costs.begin(), tables.costs.end(), postings);
    if (sizes.bytes() > context_.pool / kPoolShare || postings > tuning::kMaxRankPostings) {
      return std::max<std::size_t>(i, 1);
    }
  }
  return count;
}

/// Queues a batch of the first slices.
void RankCall::start(std::size_t count) {
  const auto blocks =
      context_.shape.parallel_items / tuning::kWarpsPerSm * tuning::kRankBlocksPerSm;
  const std::uint64_t bytes = context_.pool / kPoolShare;
  const RankShape shape{documents(), std::max(blocks, 1u), bytes / sizeof(std::uint64_t),
                        context_.shape.max_warp_memory * tuning::kWarpsPerBlock};
  RankRun& run = runs_.runs[next_];
  RankBatch& batch =
      runs_.batches[next_].emplace(std::span<const RankSlice>(slices()).first(count), shape);
  if (batch.plans().empty()) return;
  const RankRun::Tables tables = run.tables(batch);
  for_each_slice(context_, count, [&](std::size_t i) { batch.fill(i, tables.places); });
  for (std::size_t q = 0; q < batch.plans().size(); ++q) {
    tables.thresholds[q] = start_of(batch.plans()[q]);
  }
  const std::uint64_t most_blocks =
      std::max<std::uint64_t>(1, bytes / RankRun::bytes_of_block(batch));
  run.start(segment().copy->view(), batch,
            static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.blocks, most_blocks)),
            !context_.exhaustive);
  next_ = 1 - next_;
}

/// What documents of the segment must beat: the k-th hit of other segments, as a key here.
std::uint64_t RankCall::start_of(std::size_t plan) const {
  const auto& keys = results_[plan].keys;
  const std::uint32_t k = plans_.plan(plan).k();
  return keys.size() < k ? 0 : keys[k - 1] + segment().docid_base;
}

void RankCall::finish(std::size_t number) {
  RankRun& run = runs_.runs[number];
  if (!run.running()) return;
  // Waits outside of the arena, whose threads other calls may need.
  const BatchCounters counters = run.wait();
  report_.tiles_decoded += counters.tiles_decoded;
  report_.device_seconds += counters.device_seconds;
  std::vector<Target> targets;
  for (const std::size_t plan : runs_.batches[number]->plans()) {
    targets.push_back({&results_[plan], plans_.plan(plan).k()});
  }
  context_.arena.execute([&] { run.unpack({targets, segment().docid_base}); });
}

}  // namespace gannet::query::cuda
