#include "query/gpu/device/run/pruned_run.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <utility>

#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Queries that one task unpacks.
constexpr std::size_t kQueriesPerTask = 32;
/// Up to this many hits one thread unpacks them sooner than others wake up.
constexpr std::size_t kFewHits = 32768;

}  // namespace

std::uint64_t PrunedRun::bytes(PrunedPath path, const PrunedSizes& sizes,
                               const SegmentViews& segments) {
  const std::uint64_t queries = sizes.queries;
  const std::uint64_t superblocks = path == PrunedPath::kBounds ? segments.superblocks() : 0;
  const std::uint64_t a_superblock = sizeof(std::uint16_t) + 2 * sizeof(uint4) + 4;
  const std::uint64_t a_query = 4 * (first_room(sizes.wave_size, segments.size()) + kScoreBins) +
                                segments.size() * sizeof(PrunedPart) + 256;
  const std::uint64_t tables = std::uint64_t{sizes.terms} * sizeof(PrunedTerm) +
                               std::uint64_t{sizes.rows} * sizeof(WeightedRow) +
                               std::uint64_t{sizes.shorts} * (sizeof(ShortList) + 4) +
                               std::uint64_t{sizes.nodes} * sizeof(Node) +
                               std::uint64_t{sizes.chunk_pointers} * sizeof(std::uint32_t);
  const std::uint64_t filled_up = queries * segments.stretches() * kUnitSuperblocks * 4;
  return tables + filled_up + queries * (superblocks * a_superblock + a_query) +
         std::uint64_t{sizes.short_tiles} * (codecs::kTile * 6 + kGroupsPerTile * 4) +
         sizes.finalists * sizeof(std::uint64_t) + Selection::bytes(queries, sizes.stride);
}

PrunedTables PrunedRun::tables(const PrunedSizes& sizes, std::uint32_t segments) {
  const std::size_t all_parts = std::size_t{sizes.queries} * segments;
  arena_.reset(Arena::room<PrunedQuery>(sizes.queries) + Arena::room<PrunedPart>(all_parts) +
               Arena::room<SelectQuery>(sizes.queries) + Arena::room<PrunedTerm>(sizes.terms) +
               Arena::room<WeightedRow>(sizes.rows) + Arena::room<ShortList>(sizes.shorts) +
               Arena::room<Node>(sizes.nodes) + Arena::room<PrunedCounters>(1) +
               Arena::room<std::uint32_t>(1));
  const auto queries = arena_.take<PrunedQuery>(sizes.queries);
  const auto parts = arena_.take<PrunedPart>(all_parts);
  const auto selections = arena_.take<SelectQuery>(sizes.queries);
  const auto terms = arena_.take<PrunedTerm>(sizes.terms);
  const auto rows = arena_.take<WeightedRow>(sizes.rows);
  const auto shorts = arena_.take<ShortList>(sizes.shorts);
  const auto nodes = arena_.take<Node>(sizes.nodes);
  view_ = {};
  view_.queries = queries.device;
  view_.parts = parts.device;
  selections_ = selections.device;
  view_.terms = terms.device;
  view_.rows = rows.device;
  view_.shorts = shorts.device;
  view_.nodes = nodes.device;
  view_.counters = arena_.put_zeroes<PrunedCounters>(1);
  view_.unit_count = arena_.put_zeroes<std::uint32_t>(1);
  return {queries.host, parts.host,  selections.host, terms.host,
          rows.host,    shorts.host, nodes.host};
}

void PrunedRun::set_sizes(const PrunedBatch& batch) {
  const PrunedSizes& sizes = batch.sizes;
  batch.segments->fill(view_);
  view_.scorer = batch.scorer;
  view_.k1 = batch.k1;
  view_.shared = batch.shared;
  view_.queries_count = sizes.queries;
  view_.short_count = sizes.shorts;
  view_.short_parts = tuning::short_parts_of(view_.short_count * view_.most_chunks);
  view_.max_terms = sizes.max_terms;
  view_.wave_size = sizes.wave_size;
  view_.first_superblocks = view_.later_superblocks = tuning::unit_of(sizes.queries);
}

void PrunedRun::make_room_for_bounds(const PrunedSizes& sizes) {
  const std::size_t queries = sizes.queries;
  const std::size_t superblocks = queries * view_.superblocks;
  const std::size_t entries = std::size_t{sizes.short_tiles} * codecs::kTile;
  view_.entry_ranges = at_least(entry_ranges_, entries);
  view_.entry_bounds = at_least(entry_bounds_, entries);
  view_.short_groups =
      at_least(short_groups_, std::size_t{sizes.short_tiles} * kGroupsPerTile + sizes.shorts);
  view_.chunk_tiles = at_least(chunk_tiles_, sizes.chunk_pointers);
  view_.maxima = at_least(maxima_, superblocks);
  view_.sums = at_least(sums_, 2 * superblocks);
  view_.first_items = at_least(first_items_, queries * view_.first_room());
  // A query's last unit in each stretch may be padded.
  view_.units = at_least(units_, superblocks + queries * view_.stretches * kUnitSuperblocks);
}

void PrunedRun::make_room(const PrunedSizes& sizes) {
  const std::size_t queries = sizes.queries;
  view_.bins = at_least(bins_, queries);
  view_.histogram = at_least(histogram_, queries * kScoreBins);
  view_.finalists = at_least(finalists_, sizes.finalists);
  std::uint32_t* const by_query = at_least(by_query_, 4 * queries);
  view_.first_counts = by_query;
  view_.cuts = by_query + queries;
  view_.thresholds = by_query + 2 * queries;
  view_.finalist_counts = by_query + 3 * queries;
}

void PrunedRun::start(const PrunedBatch& batch) {
  queued_ = true;
  started_.record(stream_);
  arena_.send(stream_);
  if (batch.sizes.queries >= tuning::kTimedTransfers) sent_.record(stream_);
  set_sizes(batch);
  make_room(batch.sizes);
  if (batch.path == PrunedPath::kBounds) {
    make_room_for_bounds(batch.sizes);
    launch_pruned(view_, stream_);
  } else {
    launch_windows(view_, stream_);
  }
  selection_.start(
      {selections_, batch.sizes.queries, batch.sizes.stride, view_.finalists, view_.finalist_counts,
       std::span(reinterpret_cast<const std::uint64_t*>(view_.counters), 3)},
      stream_);
  finished_.record(stream_);
}

void PrunedRun::wait() {
  stream_.wait();
  queued_ = false;
}

double PrunedRun::transfer_seconds() const {
  if (view_.queries_count < tuning::kTimedTransfers) return 0;
  const codecs::cuda::Event* const back = selection_.copying();
  return sent_.seconds_since(started_) + (back != nullptr ? finished_.seconds_since(*back) : 0);
}

std::vector<std::size_t> PrunedRun::unpack(const PrunedBatch& batch,
                                           std::span<const Target> targets) {
  std::vector<std::size_t> lost;
  for (std::size_t q = 0; q < batch.sizes.queries; ++q) {
    if (selection_.lost(q)) lost.push_back(q);
  }
  const auto unpack_one = [&](std::size_t q) {
    if (selection_.lost(q)) return;
    targets[q].result->merge(selection_.keys(q), targets[q].k);
  };
  const auto unpack_some = [&](const tbb::blocked_range<std::size_t>& range) {
    for (std::size_t q = range.begin(); q != range.end(); ++q) unpack_one(q);
  };
  const tbb::blocked_range<std::size_t> all(0, batch.sizes.queries, kQueriesPerTask);
  if (std::size_t{batch.sizes.queries} * batch.sizes.stride <= kFewHits) {
    unpack_some(all);
  } else {
    tbb::parallel_for(all, unpack_some);
  }
  return lost;
}

void PrunedRun::abandon() noexcept {
  if (std::exchange(queued_, false)) codecs::cuda::drain(stream_);
}

}  // namespace gannet::query::cuda
