#include "query/device/pruned/pruned_run.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "query/device/pruned/launches.hpp"
#include "query/device/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Queries that one task unpacks.
constexpr std::size_t kQueriesPerTask = 32;

std::uint32_t count_of(const PrunedBatch& batch) {
  return static_cast<std::uint32_t>(batch.queries.size());
}

}  // namespace

std::uint64_t PrunedRun::bytes(const PrunedBatch& batch) {
  const std::uint64_t queries = batch.queries.size();
  const std::uint64_t superblocks = padded_superblocks(batch.documents);
  const std::uint64_t a_superblock = sizeof(std::uint16_t) + 2 * sizeof(uint4) + 4;
  const std::uint64_t a_query = 4 * (2 * batch.wave_size + kScoreBins) + 64;
  return queries * (superblocks * a_superblock + a_query) +
         std::uint64_t{batch.short_tiles} * (codecs::kTile * 6 + kGroupsPerTile * 4) +
         batch.finalists * sizeof(std::uint64_t) + Selection::bytes(queries, batch.stride);
}

PrunedView PrunedRun::send(const IndexView& index, const PrunedBatch& batch) {
  arena_.reset(Arena::room<PrunedQuery>(batch.queries.size()) +
               Arena::room<SelectQuery>(batch.selections.size()) +
               Arena::room<PrunedTerm>(batch.terms.size()) +
               Arena::room<WeightedRow>(batch.rows.size()) +
               Arena::room<ShortList>(batch.shorts.size()) + Arena::room<Node>(batch.nodes.size()) +
               Arena::room<PrunedCounters>(1) + Arena::room<std::uint32_t>(1));
  PrunedView view{};
  view.index = index;
  view.scorer = batch.scorer;
  view.superblocks = padded_superblocks(batch.documents);
  view.chunks = codecs::ceil_div(batch.documents, kChunkDocuments);
  view.queries_count = count_of(batch);
  view.short_count = static_cast<std::uint32_t>(batch.shorts.size());
  view.short_parts = tuning::short_parts_of(view.short_count * view.chunks);
  view.max_terms = batch.max_terms;
  view.wave_size = batch.wave_size;
  view.first_superblocks = view.later_superblocks = tuning::unit_of(batch.queries.size());
  view.queries = arena_.put(std::span(batch.queries));
  selections_ = arena_.put(std::span(batch.selections));
  view.terms = arena_.put(std::span(batch.terms));
  view.rows = arena_.put(std::span(batch.rows));
  view.shorts = arena_.put(std::span(batch.shorts));
  view.nodes = arena_.put(std::span(batch.nodes));
  view.counters = arena_.put_zeroes<PrunedCounters>(1);
  view.unit_count = arena_.put_zeroes<std::uint32_t>(1);
  arena_.send(stream_);
  return view;
}

void PrunedRun::make_room(const PrunedBatch& batch, PrunedView& view) {
  const std::size_t queries = batch.queries.size();
  const std::size_t superblocks = queries * view.superblocks;
  const std::size_t entries = std::size_t{batch.short_tiles} * codecs::kTile;
  view.entry_ranges = at_least(entry_ranges_, entries);
  view.entry_bounds = at_least(entry_bounds_, entries);
  view.short_groups = at_least(
      short_groups_, std::size_t{batch.short_tiles} * kGroupsPerTile + batch.shorts.size());
  view.chunk_tiles = at_least(chunk_tiles_, batch.chunk_pointers);
  view.maxima = at_least(maxima_, superblocks);
  view.sums = at_least(sums_, 2 * superblocks);
  view.first_items = at_least(first_items_, queries * 2 * view.wave_size);
  view.bins = at_least(bins_, queries);
  view.histogram = at_least(histogram_, queries * kScoreBins);
  view.finalists = at_least(finalists_, batch.finalists);
  // A query's last unit in each stretch may be filled up.
  const std::size_t stretches = view.superblocks / kStretchSuperblocks + 1;
  view.units = at_least(units_, superblocks + queries * stretches * kUnitSuperblocks);
  std::uint32_t* const by_query = at_least(by_query_, 4 * queries);
  view.first_counts = by_query;
  view.cuts = by_query + queries;
  view.thresholds = by_query + 2 * queries;
  view.finalist_counts = by_query + 3 * queries;
}

void PrunedRun::start(const IndexView& index, const PrunedBatch& batch) {
  started_.record(stream_);
  PrunedView view = send(index, batch);
  make_room(batch, view);
  launch_pruned(view, stream_);
  selection_.start(
      {selections_, count_of(batch), batch.stride, view.finalists, view.finalist_counts,
       std::span(reinterpret_cast<const std::uint64_t*>(view.counters), 3)},
      stream_);
  finished_.record(stream_);
}

std::vector<std::size_t> PrunedRun::unpack(const PrunedBatch& batch, const Sink& sink) {
  std::vector<std::size_t> lost;
  for (std::size_t q = 0; q < batch.queries.size(); ++q) {
    if (selection_.lost(q)) lost.push_back(q);
  }
  const auto unpack_one = [&](std::size_t q) {
    if (selection_.lost(q)) return;
    const std::span keys = selection_.keys(q);
    // The low half of a key falls as the docid grows (rank_key()).
    for (std::uint64_t& key : keys) key -= sink.docid_base;
    sink.targets[q].result->merge(keys, sink.targets[q].k);
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch.queries.size(), kQueriesPerTask),
                    [&](const auto& range) {
                      for (std::size_t q = range.begin(); q != range.end(); ++q) unpack_one(q);
                    });
  return lost;
}

void PrunedRun::abandon() noexcept {
  cudaStreamSynchronize(stream_);
  cudaGetLastError();  // whoever made it has thrown it already
}

}  // namespace gannet::query::cuda
